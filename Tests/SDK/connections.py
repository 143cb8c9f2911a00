"""Connections to a gateway at any kind of address, and chats over them, without an SDK."""

import http.client
import json
import socket
import ssl
from dataclasses import dataclass

from exchanges import MESSAGES
from patience import PATIENCE_SECONDS


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str):
        super().__init__("localhost", timeout=PATIENCE_SECONDS)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def document(self) -> dict:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of an error response."""
        return self.document["error"]["code"]

    @property
    def message(self) -> str:
        return self.document["error"]["message"]


class Stream:
    """The events of a response, as they arrive."""

    def __init__(self, response: http.client.HTTPResponse):
        self.response = response

    def next(self) -> str | None:
        """Returns the data of the next event, or None at the end."""
        while line := self.response.readline():
            if line.startswith(b"data: "):
                return line[6:].decode().rstrip("\n")
        return None

    def next_text(self) -> str:
        """Returns the text of the next event that has one."""
        while (data := self.next()) is not None:
            if data != "[DONE]" and (text := text_of(data)):
                return text
        raise AssertionError("the stream ended without another text")

    def rest(self) -> list:
        return list(iter(self.next, None))


class Connection:
    """One connection, open as long as the gateway allows."""

    def __init__(self, url: str, key: str | None = None, trust: ssl.SSLContext | None = None):
        """Takes `url` as the gateway prints it: http://IP:PORT, https://IP:PORT or unix:/path."""
        scheme, _, rest = url.partition(":")
        authority = rest.removeprefix("//")
        if scheme == "unix":
            self.http = UnixConnection(rest)
        elif scheme == "https":
            self.http = http.client.HTTPSConnection(authority, timeout=PATIENCE_SECONDS, context=trust)
        else:
            self.http = http.client.HTTPConnection(authority, timeout=PATIENCE_SECONDS)
        self._key = key

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()

    def ask(self, method: str, path: str, document=None, **fields) -> Answer:
        """Sends a request. Header names in `fields` are written with _ instead of -."""
        response = self._send(method, path, document, fields)
        return Answer(response.status, response.headers, response.read())

    def chat(self, model: str = "chat", stream: bool = False, **fields) -> Answer:
        return self.ask("POST", "/v1/chat/completions", chat_request(model, stream), **fields)

    def stream(self, model: str = "chat") -> Stream:
        response = self._send("POST", "/v1/chat/completions", chat_request(model, True), {})
        if response.status != 200:
            raise AssertionError(f"no stream, but {response.status}: {response.read()!r}")
        return Stream(response)

    def resume(self, name: str, **fields) -> Stream | None:
        """Returns the resumed stream of that request, or None if there is none."""
        response = self._send("GET", f"/v1/streams/{name}", None, fields)
        if response.status == 404:
            response.read()
            return None
        if response.status != 200:
            raise AssertionError(f"no stream, but {response.status}: {response.read()!r}")
        return Stream(response)

    def _send(self, method, path, document, fields) -> http.client.HTTPResponse:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        body = None
        if document is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(document)
        self.http.request(method, path, body, headers)
        return self.http.getresponse()


def chat_request(model: str, stream: bool) -> dict:
    return {"model": model, "messages": MESSAGES, "stream": stream}


def text_of(data: str) -> str:
    """Returns the text of one chat event."""
    choices = json.loads(data).get("choices", [])
    return "".join(choice["delta"].get("content") or "" for choice in choices)


def whole_text(answer: Answer) -> str:
    """Returns the text of a complete response, streamed or not; checks everything from its status to its end."""
    assert answer.status == 200, answer.body
    if answer.headers.get_content_type() == "application/json":
        return answer.document["choices"][0]["message"]["content"]
    lines = answer.body.decode().split("\n\n")
    assert lines[-2:] == ["data: [DONE]", ""], answer.body
    return "".join(text_of(line.removeprefix("data: ")) for line in lines[:-2] if line.startswith("data: "))
