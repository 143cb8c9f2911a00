"""A provider inside the test: it refuses what the real one would, records requests, and sends planned responses."""

import collections
import http.server
import json
import threading
from dataclasses import dataclass

import dialects.chat.rules
import dialects.chat.wire
import dialects.messages.rules
import dialects.messages.wire
import dialects.responses.rules
import dialects.responses.wire
from dialects.answers import Broken, Failure, Held
from dialects.faults import Refused
from patience import PATIENCE_SECONDS

DIALECTS = {
    "chat": (dialects.chat.rules, dialects.chat.wire),
    "messages": (dialects.messages.rules, dialects.messages.wire),
    "responses": (dialects.responses.rules, dialects.responses.wire),
}


@dataclass(frozen=True)
class Received:
    """A request with `refused`, its fault, or None if it was accepted; header names are in lower case."""

    body: dict
    headers: dict
    refused: str | None


class StrictUpstream:
    """Speaks one dialect on 127.0.0.1. Its responses are planned in advance, in order."""

    def __init__(self, dialect: str):
        self.dialect = dialect
        self.rules, self.wire = DIALECTS[dialect]
        self.received = []
        self._answers = collections.deque()
        handler = type("Handler", (_Handler,), {"upstream": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The base URL as the dialect's SDK expects it."""
        return f"http://127.0.0.1:{self.port}" + ("" if self.dialect == "messages" else "/v1")

    def will(self, *answers):
        """Plans responses. Discards earlier requests and plans, so that a failed test does not affect the next one."""
        self.received.clear()
        self._answers = collections.deque(answers)

    @property
    def asked(self) -> dict:
        """The body of the last request; fails if the provider refused it."""
        assert self.received, f"the {self.dialect} upstream was not asked"
        last = self.received[-1]
        assert last.refused is None, f"the {self.dialect} upstream refused: {last.refused}\n{json.dumps(last.body)}"
        return last.body

    def next_answer(self):
        return self._answers.popleft() if self._answers else Failure(500, "nothing is left of the script")

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # With Nagle's algorithm, the end of a response would wait for an acknowledgement.
    disable_nagle_algorithm = True
    upstream: StrictUpstream

    def do_POST(self):
        upstream = self.upstream
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.partition("?")[0] != upstream.wire.PATH:
            return self._fail(404, f"Invalid URL (POST {self.path})")
        body = json.loads(data)
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            upstream.rules.validate(body, headers)
        except Refused as refused:
            upstream.received.append(Received(body, headers, refused.message))
            return self._fail(400, refused.message, refused=refused)
        upstream.received.append(Received(body, headers, None))
        answer = upstream.next_answer()
        if isinstance(answer, Failure):
            self._fail(answer.status, answer.message, answer.retry_after)
        elif body.get("stream"):
            self._stream(answer, body)
        else:
            self._whole(answer, body)

    def _fail(self, status: int, message: str, retry_after: str | None = None, refused=None):
        fields = {"Retry-After": retry_after} if retry_after else {}
        self._send(status, self.upstream.wire.error_body(status, message, refused), fields)

    def _whole(self, answer, request: dict):
        is_broken = isinstance(answer, Broken)
        document = self.upstream.wire.whole(answer.answer if is_broken else answer, request)
        self._send(200, document, {}, is_broken)

    def _send(self, status: int, document: dict, fields: dict, is_broken: bool = False):
        data = json.dumps(document, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header(self.upstream.wire.REQUEST_ID, "req_scripted")
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[:len(data) // 2] if is_broken else data)
        self.close_connection = is_broken

    def _stream(self, answer, request: dict):
        wire = self.upstream.wire
        is_broken = isinstance(answer, Broken)
        events = wire.events(answer.answer if isinstance(answer, Broken | Held) else answer, request)
        if is_broken:
            events = events[:answer.events]
            if answer.error:
                events.append(wire.error_event(len(events)))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header(wire.REQUEST_ID, "req_scripted")
        self.end_headers()
        for index, event in enumerate(events):
            if isinstance(answer, Held) and index == answer.events:
                answer.released.wait(PATIENCE_SECONDS)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        if is_broken and not answer.error:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass
