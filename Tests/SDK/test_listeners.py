"""Listeners of gateways and their access rules, as curl and other users of the machine see them."""

import json
import socket
import ssl
import stat
import subprocess

import pytest

from certificates import authority, localhost
from connections import chat_request, whole_text
from gateways import KEY, KEYS, command, foreign_user, gateways, needs_root, wait_until
from patience import RUN_SECONDS
from upstreams import TEXT, local_upstream


@pytest.fixture
def rest(local_upstream):
    """The rest of a configuration that begins with its listeners; it requires a key from every client."""
    return (
        f'upstreams: {{up: {{kind: openai, base_url: "{local_upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        f'models: {{"*": {{upstream: up}}}}\n{KEYS}')


@pytest.fixture
def socket_path(gateways):
    return gateways.folder / "gateway.sock"


def curl(*arguments, key: str | None = None, user=lambda *command: list(command), method: str = "GET"):
    """Runs curl; returns the status and the body of the response."""
    options = ["--silent", "--show-error", "--max-time", "15", "--request", method, "--write-out", "\n%{http_code}"]
    if key:
        options += ["--header", f"Authorization: Bearer {key}"]
    result = subprocess.run(
        user("curl", "--disable", *options, *map(str, arguments)), capture_output=True, text=True, timeout=RUN_SECONDS)
    assert result.returncode == 0, result.stderr
    body, _, status = result.stdout.rpartition("\n")
    return int(status), body


def models(*arguments, **options) -> int:
    return curl(*arguments, **options)[0]


def streamed(*arguments, **options) -> str:
    """Returns the text of a chat that curl streams."""
    chat = ["--no-buffer", "--header", "Content-Type: application/json", "--data", json.dumps(chat_request("m", True))]
    status, body = curl(*arguments, *chat, method="POST", **options)
    assert status == 200 and body.endswith("data: [DONE]\n\n"), body
    deltas = [json.loads(line[6:])["choices"][0]["delta"] for line in body.splitlines() if line.startswith("data: {")]
    return "".join(delta.get("content") or "" for delta in deltas)


def test_two_gateways_serve_by_ipv6_tls_and_unix_sockets(gateways, rest, localhost, authority, socket_path):
    """Checks that each gateway responds on each of its listeners, to curl as people write it."""
    tls = f"{{cert: {localhost.chain}, key: {localhost.key}}}"
    paths = {"one": socket_path, "two": gateways.folder / "other.sock"}
    for name, path in paths.items():
        listen = f'listen: ["[::1]:0", {{address: "127.0.0.1:0", tls: {tls}}}, "unix:{path}"]\n'
        gateways.start(listen + rest, name)
    for gateway, path in zip(gateways.running, paths.values()):
        ipv6, secure, unix = gateway.urls
        assert ipv6.startswith("http://[::1]:") and secure.startswith("https://127.0.0.1:") and unix == f"unix:{path}"
        chat = "/v1/chat/completions"
        assert streamed("--globoff", ipv6 + chat, key=KEY) == TEXT
        for host in ("127.0.0.1", "localhost"):
            url = secure.replace("127.0.0.1", host)
            assert streamed("--cacert", authority.file, url + chat, key=KEY) == TEXT
        assert streamed("--unix-socket", path, "http://localhost" + chat) == TEXT
        # A key is required wherever the user is unknown.
        assert models("--globoff", ipv6 + "/v1/models") == 401
        assert models("--cacert", authority.file, secure + "/v1/models") == 401


def test_tls_listener_does_not_answer_in_the_clear(gateways, rest, localhost):
    gateway = gateways.start(
        f'listen: {{address: "127.0.0.1:0", tls: {{cert: {localhost.chain}, key: {localhost.key}}}}}\n' + rest)
    host, port = gateway.urls[0].removeprefix("https://").split(":")
    with socket.create_connection((host, int(port)), 15) as plain:
        plain.sendall(f"GET /livez HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        answer = b""
        try:
            while data := plain.recv(65536):
                answer += data
        except ConnectionResetError:
            pass
    assert b"HTTP/1.1" not in answer


def test_tls_listener_accepts_only_safe_versions(gateways, rest, localhost, authority):
    gateway = gateways.start(
        f'listen: {{address: "127.0.0.1:0", tls: {{cert: {localhost.chain}, key: {localhost.key}}}}}\n' + rest)
    trust = ssl.create_default_context(cafile=authority.file)
    for version in (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2):
        trust.maximum_version = version
        with gateway.connect(trust=trust) as client:
            assert whole_text(client.chat(stream=True)) == TEXT
    trust.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning):
        trust.minimum_version = trust.maximum_version = ssl.TLSVersion.TLSv1_1
    with gateway.connect(trust=trust) as client, pytest.raises((ssl.SSLError, ConnectionError)):
        client.ask("GET", "/livez")


def test_request_right_after_the_handshake_is_served_at_once(gateways, rest, localhost, authority):
    """Sends the request in one segment with the client's last handshake message, so that one read takes both."""
    gateway = gateways.start(
        f'listen: {{address: "127.0.0.1:0", tls: {{cert: {localhost.chain}, key: {localhost.key}}}}}\n' + rest)
    name = gateway.urls[0].removeprefix("https://")
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context(cafile=authority.file).wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with socket.create_connection(name.split(":"), 5) as connection:
        def until_done(step):
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    connection.sendall(outgoing.read())
                    incoming.write(connection.recv(65536))

        until_done(client.do_handshake)
        client.write(f"GET /livez HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
        assert until_done(client.read).startswith(b"HTTP/1.1 200 ")


# --- Unix sockets -----------------------------------------------------------------------------------------------------


def test_socket_admits_only_its_own_user_without_a_key(gateways, rest, socket_path):
    gateways.start(f"listen: unix:{socket_path}\n{rest}")
    assert stat.S_IMODE(socket_path.stat().st_mode) == 0o600
    assert models("--unix-socket", socket_path, "http://localhost/v1/models") == 200


@needs_root
def test_socket_open_to_others_still_requires_keys(gateways, rest, socket_path):
    gateways.folder.chmod(0o755)
    gateways.start(f'listen: {{address: "unix:{socket_path}", mode: "0666"}}\n{rest}')
    assert models("--unix-socket", socket_path, "http://localhost/v1/models") == 200
    foreign = {"user": foreign_user, "key": KEY}
    status, body = curl("--unix-socket", socket_path, "http://localhost/v1/models", **foreign)
    assert (status, json.loads(body)["error"]["code"]) == (403, "peer_not_allowed")
    assert "65534" in body and "uids" in body


@needs_root
def test_listed_user_is_admitted(gateways, rest, socket_path):
    gateways.folder.chmod(0o755)
    gateways.start(f'listen: {{address: "unix:{socket_path}", mode: "0666", uids: [65534]}}\n{rest}')
    for user in (foreign_user, lambda *command: list(command)):
        assert models("--unix-socket", socket_path, "http://localhost/v1/models", user=user) == 200


@needs_root
def test_socket_with_keys_admits_any_user_with_a_key(gateways, rest, socket_path):
    gateways.folder.chmod(0o755)
    gateways.start(f'listen: {{address: "unix:{socket_path}", mode: "0666", auth: key}}\n{rest}')
    for key, status in ((KEY, 200), (None, 401)):
        assert models("--unix-socket", socket_path, "http://localhost/v1/models", key=key, user=foreign_user) == status


def test_socket_of_a_killed_gateway_is_replaced(gateways, rest, socket_path):
    text = f"listen: unix:{socket_path}\n{rest}"
    gateways.start(text).kill()
    assert socket_path.is_socket()
    gateway = gateways.start(text, "next")
    with gateway.connect(key=None) as client:
        assert client.ask("GET", "/v1/models").status == 200
    assert gateway.stop() == 0
    assert not socket_path.exists()


def test_socket_of_a_running_gateway_is_not_taken(gateways, rest, socket_path):
    gateway = gateways.start(f"listen: unix:{socket_path}\n{rest}")
    inode = socket_path.stat().st_ino
    result = command(gateways.folder, "serve", "--config", gateway.path)
    assert result.returncode == 1
    assert f"cannot listen on unix:{socket_path}" in result.stderr and f"pid {gateway.pid}" in result.stderr
    assert socket_path.stat().st_ino == inode
    with gateway.connect(key=None) as client:
        assert whole_text(client.chat(stream=True)) == TEXT


def test_file_in_place_of_a_socket_is_not_touched(gateways, rest, socket_path):
    socket_path.write_text("precious")
    path = gateways.folder / "headgate.yaml"
    path.write_text(f"listen: unix:{socket_path}\n{rest}")
    result = command(gateways.folder, "serve", "--config", path)
    assert result.returncode == 1 and str(socket_path) in result.stderr
    assert socket_path.read_text() == "precious"


# --- Hosts and origins ------------------------------------------------------------------------------------------------


@pytest.fixture
def guarded(gateways, rest):
    names = 'allowed_hosts: [gateway.lan, "dev.lan:*", "fixed.lan:444"]\nallowed_origins: [https://chat.example]\n'
    gateway = gateways.start(f"listen: 127.0.0.1:0\npublic_url: https://llm.example\n{names}{rest}")
    with gateway.connect() as client:
        client.port = gateway.urls[0].rpartition(":")[2]
        yield client


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:PORT", 200), ("localhost:PORT", 200), ("127.0.0.1", 421), ("localhost:1", 421),
        ("gateway.lan", 200), ("gateway.lan:PORT", 200), ("GATEWAY.lan", 200), ("gateway.lan:1", 421),
        ("dev.lan", 200), ("dev.lan:1", 200), ("fixed.lan:444", 200), ("fixed.lan", 421),
        ("llm.example", 200), ("evil.example", 421), ("evil.example:PORT", 421), ("gateway.lan.evil.example", 421),
    ])
def test_host_is_answered_only_if_it_is_the_gateways(guarded, host, status):
    answer = guarded.ask("GET", "/v1/models", Host=host.replace("PORT", guarded.port))
    assert answer.status == status
    if status != 200:
        assert answer.code == "host_not_allowed" and "allowed_hosts" in answer.message


def test_page_of_an_allowed_origin_can_request_and_read(guarded):
    origin = "https://chat.example"
    preflight = guarded.ask(
        "OPTIONS", "/v1/chat/completions", Origin=origin, Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="authorization,content-type")
    assert (preflight.status, preflight.body) == (204, b"")
    assert preflight.headers["Access-Control-Allow-Origin"] == origin
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    allowed = preflight.headers["Access-Control-Allow-Headers"].lower()
    assert "authorization" in allowed and "content-type" in allowed
    for answer in (guarded.ask("GET", "/v1/models", Origin=origin), guarded.chat(stream=True, Origin=origin)):
        assert answer.status == 200
        assert answer.headers["Access-Control-Allow-Origin"] == origin
        assert answer.headers["Vary"] == "Origin"
        assert answer.headers["Access-Control-Allow-Credentials"] is None


@pytest.mark.parametrize("origin", ["https://evil.example", "http://chat.example", "https://chat.example:444", "null"])
def test_page_of_another_origin_is_refused(guarded, origin):
    asked = {"Access_Control_Request_Method": "POST"}
    for method, path, fields in (("GET", "/v1/models", {}), ("GET", "/livez", {}), ("OPTIONS", "/v1/models", asked)):
        answer = guarded.ask(method, path, Origin=origin, **fields)
        assert answer.status == 403
        assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


def test_page_of_the_public_url_is_same_origin(guarded):
    assert guarded.ask("GET", "/v1/models", Host="llm.example", Origin="https://llm.example").status == 200
    # An attacker on the path between a browser and http://llm.example can serve a page from that origin.
    assert guarded.ask("GET", "/v1/models", Host="llm.example", Origin="http://llm.example").status == 403


# --- Everywhere -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0"])
def test_other_machines_are_not_served_without_a_key(gateways, local_upstream, address):
    path = gateways.folder / "headgate.yaml"
    path.write_text(f'listen: "{address}"\nupstreams: {{up: {{kind: openai, base_url: "{local_upstream.url}"}}}}\n')
    result = command(gateways.folder, "serve", "--config", path)
    assert result.returncode == 78
    assert address in result.stderr and "headgate key new" in result.stderr
    path.write_text(path.read_text() + KEYS)
    gateway = gateways.start(path.read_text())
    gateway.wait_for_log("travel in the clear")
    with gateway.connect() as client:
        assert whole_text(client.chat(stream=True)) == TEXT


# --- headgate health --------------------------------------------------------------------------------------------------


def test_health_checks_the_configured_listener(gateways, rest, socket_path):
    for address in ("127.0.0.1", f"unix:{socket_path}"):
        if not address.startswith("unix"):
            with socket.create_server((address, 0)) as probe:
                address = f"{address}:{probe.getsockname()[1]}"
        gateway = gateways.start(f"listen: {address}\n{rest}")
        result = command(gateways.folder, "health", "--config", gateway.path)
        assert (result.returncode, result.stdout) == (0, "ready\n"), result.stderr
        assert gateway.stop() == 0
        result = command(gateways.folder, "health", "--config", gateway.path)
        assert result.returncode == 1
        assert "the gateway does not answer" in result.stderr


def test_health_by_url_reaches_a_tls_listener_whose_authority_is_trusted(gateways, rest, localhost, authority):
    gateway = gateways.start(
        f'listen: {{address: "127.0.0.1:0", tls: {{cert: {localhost.chain}, key: {localhost.key}}}}}\n' + rest)
    url = gateway.urls[0].replace("127.0.0.1", "localhost")
    assert command(gateways.folder, "health", "--url", url, SSL_CERT_FILE=str(authority.file)).returncode == 0
    assert command(gateways.folder, "health", "--url", url).returncode == 1


def test_stopping_gateway_is_not_ready(gateways, rest, local_upstream, socket_path):
    gateway = gateways.start(f"listen: unix:{socket_path}\n{rest}")
    with gateway.connect() as client:
        stream = client.stream("gated")
        assert stream.next_text()
        gateway.terminate()
        wait_until(lambda: not socket_path.exists(), "the socket's end")
        assert command(gateways.folder, "health", "--config", gateway.path).returncode == 1
        local_upstream.release.set()
        assert stream.rest()[-1] == "[DONE]"
    assert gateway.wait() == 0
