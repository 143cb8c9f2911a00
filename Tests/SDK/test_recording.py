"""Recordings on disk: they contain no secret, and replay without an upstream, keys or a network."""

import base64
import http.server
import json
import re
import secrets
import stat
import threading
import urllib.parse

import anthropic
import openai
import pytest

from conftest import binary
from child import Child
from gateways import KEY, KEYS, command, gateways, surroundings, wait_until
from upstreams import STREAM_END, event

# Secrets with characters that other encodings escape.
SECRETS = {name: f"{name}-{secrets.token_hex(12)}/+=x" for name in (
    "chat", "messages", "azure", "gemini", "tenant", "bearer", "cookie")}
ORGANISATION = "org-" + secrets.token_hex(8)


def spellings(secret: str) -> set:
    """Returns a secret unchanged, in base64 at each alignment, percent-encoded, and escaped as in JSON."""
    forms = {secret, urllib.parse.quote(secret, safe=""), "".join(f"%{byte:02x}" for byte in secret.encode()),
             secret.replace("/", "\\/"), "".join(f"\\u{ord(letter):04x}" for letter in secret)}
    for before in range(3):
        whole = base64.b64encode(b"x" * before + secret.encode()).decode()
        forms |= {whole, whole.replace("+", "-").replace("/", "_")}
    return forms


def message_stream(text: str) -> bytes:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
               "usage": {"input_tokens": 1, "output_tokens": 1}}
    events = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"}]
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


class Echo(http.server.BaseHTTPRequestHandler):
    """Echoes its request, secrets included; the last message selects the form."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.count += 1
        told = " ".join([self.path, *self.headers.values()])
        told = " ".join([told, *(form for secret in SECRETS.values() if secret in told for form in sorted(spellings(secret)))])
        if "wrong" in body:
            return self.answer(401, "application/json", json.dumps({"error": {"message": told, "type": "x"}}).encode())
        if json.loads(body).get("stream"):
            stream = message_stream(told) if self.path.endswith("/messages") else event(told) + STREAM_END
            return self.answer(200, "text/event-stream", stream)
        if self.path.endswith("/messages"):
            document = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
                        "content": [{"type": "text", "text": told}], "usage": {"input_tokens": 1, "output_tokens": 1}}
        elif self.path.split("?")[0].endswith("/responses"):
            document = {"id": "resp_1", "object": "response", "status": "completed", "model": "m", "output": [
                {"type": "message", "id": "i", "role": "assistant", "status": "completed",
                 "content": [{"type": "output_text", "text": told, "annotations": []}]}]}
        else:
            document = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": told}}]}
        self.answer(200, "application/json", json.dumps(document).encode())

    def answer(self, status: int, kind: str, body: bytes):
        self.send_response(status)
        for name, value in {
            "Content-Type": kind, "Content-Length": str(len(body)), "Set-Cookie": f"session={SECRETS['cookie']}",
            "OpenAI-Organization": ORGANISATION, "X-Echo": self.headers.get("Authorization", "none"),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def echo():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    server.count = 0
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def configuration(echo, record: str) -> str:
    url = f"http://127.0.0.1:{echo.server_port}"
    return (
        "listen: 127.0.0.1:0\n"
        "upstreams:\n"
        f'  chat: {{kind: openai, base_url: "{url}/v1", api_key: "{SECRETS["chat"]}", '
        f'headers: {{X-Tenant: "{SECRETS["tenant"]}", X-Token: "Bearer {SECRETS["bearer"]}"}}}}\n'
        f'  messages: {{kind: anthropic, base_url: "{url}/v1", api_key: "{SECRETS["messages"]}"}}\n'
        f'  azure: {{kind: azure, base_url: "{url}/openai", api_version: "2024-10-21", api_key: "{SECRETS["azure"]}"}}\n'
        f'  gemini: {{kind: openai, base_url: "{url}/v1beta/openai", headers: {{x-goog-api-key: "{SECRETS["gemini"]}"}}}}\n'
        "models:\n"
        + "".join(f"  {name}: {{upstream: {name}}}\n" for name in ("chat", "messages", "azure", "gemini"))
        + f"{KEYS}record: {record}\n")


def ask_everything(url: str, text: str, **more) -> list:
    """Sends requests of every dialect and kind; returns the texts, or the errors."""
    said = []
    with openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0, timeout=30) as client:
        for model in ("chat", "azure", "gemini", "messages"):
            messages = [{"role": "user", "content": text}]
            for stream in (False, True):
                said.append(attempt(lambda: list(client.chat.completions.create(
                    model=model, messages=messages, stream=stream, **more)) if stream else
                    client.chat.completions.create(model=model, messages=messages, **more).to_dict()))
        said.append(attempt(lambda: client.responses.create(model="chat", input=text).to_dict()))
    with anthropic.Anthropic(base_url=url, api_key=KEY, max_retries=0, timeout=30) as client:
        said.append(attempt(lambda: client.messages.create(
            model="messages", max_tokens=9, messages=[{"role": "user", "content": text}]).to_dict()))
    return said


def attempt(call):
    try:
        return call()
    except (openai.APIError, anthropic.APIError) as error:
        return type(error).__name__


def lasting(value):
    """Returns the value without the members that the gateway generates for each translated response."""
    if isinstance(value, list):
        return [lasting(item) for item in value]
    if not isinstance(value, (dict, str, int, float, type(None))):
        value = value.to_dict()
    if isinstance(value, dict):
        return {name: lasting(item) for name, item in value.items() if name not in ("id", "created")}
    return value


def texts(folder) -> dict:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def test_no_secret_is_on_the_disk(echo, gateways):
    folder = gateways.folder / "cassettes"
    gateway = gateways.start(configuration(echo, "{folder: cassettes}"))
    ask_everything(gateway.urls[0], "hello")
    ask_everything(gateway.urls[0], "wrong")
    wait_until(lambda: len(list(folder.glob("*.cassette"))) == echo.count, "as many recordings as requests")
    assert echo.count >= 18
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    written = "\n".join(texts(folder).values())
    decoded = written + "".join(
        base64.b64decode(line).decode("latin-1") for line in re.findall(r"^= (.*)$", written, re.M))
    for name, secret in (SECRETS | {"client": KEY, "organisation": ORGANISATION}).items():
        for form in spellings(secret):
            # The last characters of a base64 encoding can depend on the text that follows.
            assert form[:-3] not in decoded, f"{name} as {form!r}"
    assert "****" in written and "hello" in written
    assert "set-cookie" not in written.lower() and "authorization" not in written.lower()


@pytest.mark.parametrize("pace", ["at_once", "recorded"])
def test_recordings_replay_without_an_upstream(echo, gateways, pace):
    recording = gateways.start(configuration(echo, "{folder: cassettes, mode: record_on_miss}"))
    folder = gateways.folder / "cassettes"
    first = ask_everything(recording.urls[0], "hello")
    wait_until(lambda: len(list(folder.glob("*.cassette"))) == echo.count, "as many recordings as requests")
    asked = echo.count
    second = ask_everything(recording.urls[0], "hello")
    replaying = gateways.start(
        configuration(echo, f"{{folder: cassettes, mode: replay, pace: {pace}, ignore: [user]}}"), "replaying")
    third = ask_everything(replaying.urls[0], "hello")
    assert echo.count == asked and lasting(second) == lasting(third) and len(first) == len(third)
    with openai.OpenAI(base_url=f"{replaying.urls[0]}/v1", api_key=KEY, max_retries=0) as client:
        client.chat.completions.create(model="chat", messages=[{"role": "user", "content": "hello"}], user="x")
        with pytest.raises(openai.NotFoundError) as error:
            client.chat.completions.create(model="chat", messages=[{"role": "user", "content": "other"}])
    assert error.value.code == "not_recorded"
    assert re.search(r"nearest is \S+\.cassette, which differs in messages", error.value.message)
    with anthropic.Anthropic(base_url=replaying.urls[0], api_key=KEY, max_retries=0) as client:
        with pytest.raises(anthropic.NotFoundError) as error:
            client.messages.create(model="messages", max_tokens=7, messages=[{"role": "user", "content": "other"}])
    assert error.value.body["type"] == "error" and "messages" in error.value.body["error"]["message"]


def test_recordings_are_written_before_the_end(echo, gateways):
    gateway = gateways.start(configuration(echo, "{folder: cassettes}"))
    ask_everything(gateway.urls[0], "hello")
    assert gateway.stop() == 0
    assert len(list((gateways.folder / "cassettes").glob("*.cassette"))) == echo.count


class Server(Child):
    """A test server, started as its documentation shows."""

    def __init__(self, folder, cassettes, *arguments):
        super().__init__(
            [binary("headgate"), "serve", "--replay", cassettes, *arguments], folder / "server.log",
            surroundings(folder, HEADGATE_CONFIG="/nonexistent", OPENAI_API_KEY="sk-not-used"))
        self.url = self.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1]


def test_folder_is_a_server_for_tests(echo, gateways):
    recording = gateways.start(configuration(echo, "{folder: cassettes}"))
    folder = gateways.folder / "cassettes"
    ask_everything(recording.urls[0], "hello")
    wait_until(lambda: len(list(folder.glob("*.cassette"))) == echo.count, "as many recordings as requests")
    asked = echo.count
    server = Server(gateways.folder, folder)
    try:
        with openai.OpenAI(base_url=f"{server.url}/v1", api_key="any", max_retries=0) as client:
            assert {model.id for model in client.models.list()} == {"chat", "messages", "azure", "gemini"}
        said = ask_everything(server.url, "hello")
        assert "NotFoundError" not in said, said
        assert "nothing is sent" in (gateways.folder / "server.log").read_text()
    finally:
        assert server.stop() == 0
    assert echo.count == asked


def test_recording_is_a_script_for_the_scripted_upstream(gateways):
    """Replays a stream that broke off, as in a user's report."""
    path = gateways.folder / "broken.cassette"
    words = "".join(f"| {line}\n" for line in event("Hel").decode().splitlines())
    path.write_text(
        "headgate-cassette 1\n\nPOST /v1/chat/completions\n\n200 chunked +0\ncontent-type: text/event-stream\n"
        f"+0\n{words}+5\n> data: {{\"choi\n\nend: truncated_body +7 Connection reset by peer\n")
    upstream = Child(
        [binary("headgate-upstream"), "--listen", "127.0.0.1:0", "--cassette", path], gateways.folder / "upstream.log",
        surroundings(gateways.folder))
    try:
        address = upstream.wait_for_line(r"listening on (\S+)")[1]
        gateway = gateways.start(
            f'listen: 127.0.0.1:0\nupstreams: {{u: {{kind: openai, base_url: "http://{address}/v1"}}}}\n'
            f'models: {{m: {{upstream: u}}}}\n{KEYS}')
        with openai.OpenAI(base_url=f"{gateway.urls[0]}/v1", api_key=KEY, max_retries=0) as client:
            stream = client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hi"}], stream=True)
            assert next(stream).choices[0].delta.content == "Hel"
            with pytest.raises(openai.APIError) as error:
                list(stream)
        assert error.value.code == "upstream_incomplete"
    finally:
        upstream.stop()


def check(folder, record: str):
    path = folder / "check.yaml"
    path.write_text(
        f'upstreams: {{u: {{kind: openai, base_url: "http://127.0.0.1:9/v1"}}}}\nmodels: {{m: {{upstream: u}}}}\nrecord: {record}\n')
    return command(folder, "check", "--quiet", "--config", path)


def test_unusable_folder_is_reported_before_the_start(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.cassette").write_text("headgate-cassette 1\n\nPOST /v1\n\nend: what +1\n")
    for record, problem in {
        "{folder: file}": "file is no folder",
        "{folder: file/sub}": "cannot be",
        "{folder: none, mode: replay}": "cannot be read",
        "{folder: empty, mode: replay}": "holds no recording",
        "{folder: broken, mode: replay}": "a.cassette:5: error: 'what' is no end",
        "{folder: x, mode: replay, bodies: false}": "cannot be replayed",
        "{folder: x, mode: play}": "expected record, replay or record_on_miss",
        "{mode: replay}": "'folder' is missing",
    }.items():
        result = check(tmp_path, record)
        assert result.returncode == 78 and problem in result.stderr, (record, result)
    result = command(tmp_path, "serve", "--replay", tmp_path / "empty")
    assert result.returncode == 78 and "holds no recording" in result.stderr, result
    result = check(tmp_path, "{folder: new/er}")
    assert result.returncode == 0 and not (tmp_path / "new").exists(), result


def test_full_recording_disk_fails_no_request(echo, gateways):
    folder = gateways.folder / "cassettes"
    gateway = gateways.start(configuration(echo, "{folder: cassettes}"))
    folder.rmdir()
    with openai.OpenAI(base_url=f"{gateway.urls[0]}/v1", api_key=KEY, max_retries=0) as client:
        for _ in range(3):
            client.chat.completions.create(model="chat", messages=[{"role": "user", "content": "hi"}])
        gateway.wait_for_log("a recording is lost")
        folder.mkdir(mode=0o700)
        client.chat.completions.create(model="chat", messages=[{"role": "user", "content": "hi"}])
    gateway.wait_for_log("recordings are written again")
    assert gateway.log_after_exit().count("a recording is lost") == 1
