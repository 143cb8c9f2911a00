"""The custom gateway example: middleware, an observer and a route next to the built-in ones."""

import http.client
import json
import re
import socket
import subprocess

import pytest

from child import Child
from conftest import BINARIES, REPOSITORY, binary, environment
from gateways import KEY, key_line
from paced_upstream import PacedUpstream

EXAMPLE = REPOSITORY / "Examples" / "custom-gateway" / "Sources" / "custom-gateway" / "CustomGateway.swift"
MODES = {
    "swift5": ["-swift-version", "5"],
    "swift6": ["-swift-version", "6"],
    "main-actor": ["-swift-version", "6", "-default-isolation", "MainActor"],
}


@pytest.mark.skipif(not (BINARIES / "Modules").is_dir(), reason="these binaries come without their modules")
@pytest.mark.parametrize("mode", MODES)
def test_example_compiles_outside_the_package(tmp_path, mode):
    """Compiles the example as in an app: without the package's name, so that it sees only public declarations."""
    copy = tmp_path / "CustomGateway.swift"
    text = EXAMPLE.read_text()
    if mode == "main-actor":
        text = re.sub(r"^struct", "nonisolated struct", text, flags=re.MULTILINE)
    copy.write_text(text)
    folders = [BINARIES / "Modules", *(path.parent for path in (REPOSITORY / "Sources").rglob("module.modulemap"))]
    command = ["swiftc", "-typecheck", "-parse-as-library", "-warnings-as-errors",
               *[option for folder in folders for option in ("-I", folder)], *MODES[mode], copy]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def upstream():
    upstream = PacedUpstream(pace=0.01)
    yield upstream
    upstream.close()


@pytest.fixture
def running(tmp_path, upstream):
    path = tmp_path / "headgate.yaml"
    path.write_text(
        f'listen: 127.0.0.1:0\nupstreams:\n  paced: {{kind: openai, base_url: "{upstream.url}", api_key: sk-real}}\n'
        f"models:\n  chat: {{upstream: paced}}\nkeys:\n  - {key_line()}\n")
    path.chmod(0o600)
    child = Child(
        [binary("CustomGateway")], tmp_path / "errors.log", environment(tmp_path, HEADGATE_CONFIG=str(path)))
    try:
        child.port = int(child.wait_for_line(r"listening on http://127\.0\.0\.1:(\d+)")[1])
        yield child
    finally:
        code = child.stop()
    assert code == 0, child.output()


def request(content: str, stream: bool = False) -> str:
    return json.dumps({"model": "chat", "stream": stream, "messages": [{"role": "user", "content": content}]})


def ask(running, body: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
    connection.request(
        "POST", "/v1/chat/completions", body,
        {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
    return connection.getresponse()


def test_requests_are_redacted_and_carry_the_header_of_the_vault(running, upstream):
    response = ask(running, request("My card is 4111 1111 1111 1111."))
    assert response.status == 200 and json.load(response)["choices"]
    path, headers, document = upstream.asked[0]
    assert document["messages"][0]["content"] == "My card is [card]."
    assert headers["x-vault-token"] == "from-the-vault"
    assert running.wait_for_line(r"createChatCompletion finished 200")


def test_custom_route_knows_its_caller(running):
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
    connection.request("GET", "/whoami", headers={"Authorization": f"Bearer {KEY}"})
    assert connection.getresponse().read() == b"test"
    connection.request("GET", "/whoami")
    assert connection.getresponse().status == 401


@pytest.mark.parametrize("phase", ["head", "body", "sent", "streaming", "done"])
def test_client_can_leave_in_every_phase(running, upstream, phase):
    body = request("Tell me a story.", stream=True).encode()
    head = (f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\nAuthorization: Bearer {KEY}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
    with socket.create_connection(("127.0.0.1", running.port), timeout=60) as client:
        if phase == "head":
            client.sendall(head[:20])
        elif phase == "body":
            client.sendall(head + body[:10])
        else:
            client.sendall(head + body)
        if phase == "streaming":
            assert client.recv(1) == b"H"
        if phase == "done":
            received = b""
            while b"[DONE]" not in received:
                assert (piece := client.recv(65536)), received
                received += piece
    # The gateway serves the next request.
    response = ask(running, request("Hello."))
    assert response.status == 200 and response.read()
    if phase in ("sent", "streaming"):
        assert running.wait_for_line(r"createChatCompletion client_gone \d+")


def test_invalid_configuration_is_reported(tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text("listen: nowhere\n")
    # An uncaught error ends the program. The runtime's backtrace would read memory that AddressSanitizer protects.
    done = subprocess.run(
        [binary("CustomGateway")], capture_output=True, text=True, timeout=60,
        env=environment(tmp_path, HEADGATE_CONFIG=str(path), SWIFT_BACKTRACE="enable=no"))
    assert done.returncode != 0
    assert f"{path}:1:9: error:" in done.stderr
