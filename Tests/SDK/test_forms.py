"""Recordings and images in multipart forms, which are forwarded as they arrive, and documents ranked by a query."""

import json
import socket

import openai
import pytest

from form_upstreams import form_upstream  # noqa: F401  (a fixture)
from gateways import KEY, UPSTREAM_KEY, gateways, key_line  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS
from test_growth import needs_allocator, peak_bytes

SOUND = bytes(range(256)) * 64
BOUNDARY = "frontier"


@pytest.fixture
def gateway(gateways, form_upstream):  # noqa: F811
    return gateways.start(
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{up: {{kind: openai, base_url: "{form_upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        "models: {whisper: {upstream: up, model: whisper-1}, other: {upstream: up}}\n"
        f'keys: [{key_line()}, {{{key_line("hg-narrow", "narrow")[1:-1]}, models: ["other"]}}]\n')


@pytest.fixture
def client(gateway):
    with openai.OpenAI(base_url=f"{gateway.urls[0]}/v1", api_key=KEY, max_retries=0, timeout=PATIENCE_SECONDS) as client:
        yield client


def file(octets: bytes = SOUND) -> tuple:
    return ("gate.mp3", octets, "audio/mpeg")


def part(name: str, content: bytes = b"", more: str = "") -> bytes:
    return f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + content


def recording(model: str, octets: bytes, is_model_first: bool = True) -> bytes:
    parts = [part("model", model.encode()), part("file", octets, '; filename="a.mp3"')]
    return b"\r\n".join([*(parts if is_model_first else reversed(parts)), f"--{BOUNDARY}--\r\n".encode()])


def post(gateway, body, key: str = KEY, path: str = "/v1/audio/transcriptions", boundary: str = BOUNDARY):
    with gateway.connect() as connection:
        fields = {"Authorization": f"Bearer {key}", "Content-Type": f"multipart/form-data; boundary={boundary}"}
        connection.http.request("POST", path, body, fields)
        response = connection.http.getresponse()
        return response.status, response.read()


def begun(gateway, body: bytes, sent: bytes) -> socket.socket:
    """Returns a connection on which only part of a form has been sent."""
    host, _, port = gateway.urls[0].removeprefix("http://").partition(":")
    connection = socket.create_connection((host, int(port)), PATIENCE_SECONDS)
    head = (
        f"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {KEY}\r\n"
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {len(body)}\r\n\r\n")
    connection.sendall(head.encode() + sent)
    return connection


def test_recording_is_transcribed(client, form_upstream):  # noqa: F811
    answer = client.audio.transcriptions.create(model="whisper", file=file(), language="en", temperature=0.5)
    assert answer.text == "A gate."
    [form] = form_upstream.forms
    assert form.path == "/v1/audio/transcriptions" and form.headers["authorization"] == f"Bearer {UPSTREAM_KEY}"
    assert form["model"] == b"whisper-1" and form["file"] == SOUND and form["language"] == b"en"
    # The gateway can reorder parts that this SDK sends before the file.
    assert [name for name, _, _ in form.parts][-1] == "file"


@pytest.mark.parametrize("kind, form, text", [
    ("text/plain; charset=utf-8", "text", "A gate.\n"), ("text/vtt", "vtt", "WEBVTT\n\n"), ("application/x-subrip", "srt", "1\n")])
def test_text_is_text(client, form_upstream, kind, form, text):  # noqa: F811
    form_upstream.answer, form_upstream.kind = text.encode(), kind
    assert client.audio.transcriptions.create(model="whisper", file=file(), response_format=form) == text
    assert form_upstream.forms[0]["response_format"] == form.encode()


def test_transcription_is_streamed(client, form_upstream):  # noqa: F811
    events = [
        {"type": "transcript.text.delta", "delta": "A "}, {"type": "transcript.text.delta", "delta": "gate."},
        {"type": "transcript.text.done", "text": "A gate."}]
    form_upstream.answer = b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)
    form_upstream.kind = "text/event-stream"
    stream = client.audio.transcriptions.create(model="whisper", file=file(), stream=True)
    assert [event.type for event in stream] == [event["type"] for event in events]
    form_upstream.answer = form_upstream.answer[:40]
    with pytest.raises(openai.APIError):
        list(client.audio.transcriptions.create(model="whisper", file=file(), stream=True))


def test_other_routes_take_forms(client, form_upstream):  # noqa: F811
    assert client.audio.translations.create(model="whisper", file=file()).text == "A gate."
    form_upstream.answer = b'{"created":1,"data":[{"b64_json":"AAAA"}]}'
    image = ("gate.png", SOUND, "image/png")
    edited = client.images.edit(model="whisper", image=[image, image], mask=image, prompt="Open it.")
    assert edited.data[0].b64_json == "AAAA"
    assert client.images.create_variation(model="whisper", image=image).created == 1
    paths = ["/v1/audio/translations", "/v1/images/edits", "/v1/images/variations"]
    assert [form.path for form in form_upstream.forms] == paths
    assert all(form["model"] == b"whisper-1" for form in form_upstream.forms)


def test_documents_are_ranked(gateway, form_upstream):  # noqa: F811
    form_upstream.answer = b'{"model":"whisper-1","results":[{"index":1,"relevance_score":0.9}]}'
    with gateway.connect() as connection:
        request = {"model": "whisper", "query": "gate", "documents": ["a", "b"]}
        answer = connection.ask("POST", "/v1/rerank", request)
    assert answer.status == 200 and answer.document["model"] == "whisper"
    [(path, body)] = form_upstream.documents
    assert path == "/v1/rerank" and json.loads(body) == {**request, "model": "whisper-1"}


def test_form_is_forwarded_before_it_is_complete(gateway, form_upstream):  # noqa: F811
    body = recording("whisper", SOUND * 8)
    with begun(gateway, body, body[:-1000]) as connection:
        form_upstream.wait_for_octets(len(body) - 1000)
        assert not form_upstream.forms
        connection.sendall(body[-1000:])
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
    assert form_upstream.forms[0]["file"] == SOUND * 8


def test_disconnect_ends_the_form_at_the_upstream(gateway, form_upstream):  # noqa: F811
    body = recording("whisper", SOUND * 8)
    with begun(gateway, body, body[:-1000]):
        form_upstream.wait_for_octets(len(body) - 1000)
    form_upstream.wait_for_broken()
    assert not form_upstream.forms
    assert "client_gone" in gateway.wait_for_log(r".*createTranscription.*")[0]


# The test measures memory.
@pytest.mark.serial
@needs_allocator
def test_form_is_never_buffered_whole(gateway, form_upstream):  # noqa: F811
    assert post(gateway, recording("whisper", SOUND))[0] == 200
    before = peak_bytes(gateway)
    octets = bytes(30 << 20)
    form = recording("whisper", octets)
    # The body is chunked, so its length is not announced.
    assert post(gateway, (form[start:start + 100_000] for start in range(0, len(form), 100_000)))[0] == 200
    assert form_upstream.forms[1]["file"] == octets and form_upstream.forms[1]["model"] == b"whisper-1"
    assert peak_bytes(gateway) - before < 10 << 20


def test_model_must_be_allowed_for_the_key(gateway, client, form_upstream):  # noqa: F811
    with pytest.raises(openai.NotFoundError) as caught:
        # The file is large, so that it is still being sent when the gateway reads the model.
        client.audio.transcriptions.create(model="whispr", file=file(bytes(8 << 20)))
    assert caught.value.code == "model_not_found" and "whisper" in caught.value.message
    with client.with_options(api_key="hg-narrow") as narrow, pytest.raises(openai.PermissionDeniedError):
        narrow.audio.transcriptions.create(model="whisper", file=file())
    # The model is named twice, in the hope that the upstream uses the other name.
    twice = b"\r\n".join([part("model", b"other"), part("model", b"whisper"), f"--{BOUNDARY}--\r\n".encode()])
    status, body = post(gateway, twice, key="hg-narrow")
    assert status == 400 and json.loads(body)["error"]["code"] == "duplicate_member"
    late = recording("other", bytes(1 << 20)).removesuffix(f"--{BOUNDARY}--\r\n".encode()) + part("model", b"whisper")
    status, body = post(gateway, late + f"\r\n--{BOUNDARY}--\r\n".encode(), key="hg-narrow")
    assert status == 400 and json.loads(body)["error"]["code"] == "duplicate_member"
    assert not form_upstream.forms


def test_invalid_form_is_refused(gateway, form_upstream):  # noqa: F811
    whole = recording("whisper", SOUND)
    for body in [b"", b"{}", whole[:-4], b"\r\n" + whole, whole + b"x", part("file", SOUND) + f"\r\n--{BOUNDARY}--".encode()]:
        status, answer = post(gateway, body)
        assert status == 400, answer
        assert json.loads(answer)["error"]["type"] == "invalid_request_error"
    assert post(gateway, whole, boundary="")[0] == 415
    with gateway.connect() as connection:
        assert connection.ask("POST", "/v1/audio/transcriptions", {"model": "whisper"}).status == 415
    # First, more than a form can have; then, more before the model than the gateway buffers.
    with gateway.connect() as connection:
        fields = {
            "Authorization": f"Bearer {KEY}", "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
            "Content-Length": str((64 << 20) + 1)}
        connection.http.request("POST", "/v1/audio/transcriptions", b"", fields)
        assert connection.http.getresponse().status == 413
    status, answer = post(gateway, recording("whisper", bytes(33 << 20), is_model_first=False))
    assert status == 413 and "put the part 'model' before the file" in json.loads(answer)["error"]["message"]
    assert not form_upstream.forms
