"""An upstream with planned responses that records its requests, behind a gateway that serves both dialects."""

import hashlib
import http.client
import http.server
import json
import secrets
import threading
from dataclasses import dataclass, field

import anthropic
import openai

from child import Child
from conftest import binary, environment

PATIENCE_SECONDS = 30
# One model for each dialect, and one with a different name upstream.
OPENAI_MODEL = "open-model"
ANTHROPIC_MODEL = "claude-model"
RENAMED_MODEL = "public-name"
HIDDEN_MODEL = "vendor/hidden-name"
JSON = "application/json"
EVENTS = "text/event-stream"
ASK = [{"role": "user", "content": "Say hello."}]

# Every route with a JSON body, and its minimal valid body.
ROUTES = {
    "/v1/chat/completions": {"model": OPENAI_MODEL, "messages": ASK},
    "/v1/completions": {"model": OPENAI_MODEL, "prompt": "Say"},
    "/v1/embeddings": {"model": OPENAI_MODEL, "input": "Hello"},
    "/v1/moderations": {"model": OPENAI_MODEL, "input": "Hello"},
    "/v1/images/generations": {"model": OPENAI_MODEL, "prompt": "A gate"},
    "/v1/audio/speech": {"model": OPENAI_MODEL, "voice": "alloy", "input": "Hello"},
    "/v1/rerank": {"model": OPENAI_MODEL, "query": "A gate", "documents": ["Hello"]},
    "/v1/responses": {"model": OPENAI_MODEL, "input": "Say hello."},
    "/v1/responses/compact": {"model": OPENAI_MODEL, "input": "Say hello."},
    "/v1/responses/input_tokens": {"model": OPENAI_MODEL, "input": "Say hello."},
    "/v1/messages": {"model": ANTHROPIC_MODEL, "max_tokens": 64, "messages": ASK},
    "/v1/messages/count_tokens": {"model": ANTHROPIC_MODEL, "messages": ASK},
}


@dataclass
class Reply:
    body: bytes = b"{}"
    status: int = 200
    type: str = JSON
    headers: dict = field(default_factory=dict)
    # The part that is sent only after the test has seen the rest and calls ToldUpstream.go_on().
    late: bytes = b""
    # Whether the connection is closed before the response's end.
    is_cut: bool = False

    @classmethod
    def document(cls, document, **more):
        return cls(json.dumps(document, ensure_ascii=False).encode(), **more)

    @classmethod
    def events(cls, *events, late=(), end: str = "", **more):
        """Returns events named by their type, if they have one; `end` is text after the last event."""
        early, late = ("".join(map(event_text, some)) for some in (events, late))
        early, late = (early, late + end) if late else (early + end, "")
        return cls(early.encode(), type=EVENTS, late=late.encode(), **more)


def event_text(event) -> str:
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n"


@dataclass
class Received:
    path: str
    headers: http.client.HTTPMessage
    body: bytes = b""


class ToldUpstream:
    """Listens on 127.0.0.1. Every request gets `reply`; `requests` grows with every request head."""

    def __init__(self):
        self.reply = Reply()
        self.requests: list[Received] = []
        self.may_go_on = threading.Event()
        handler = type("Handler", (_Handler,), {"upstream": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def answers(self, reply: Reply):
        """Sets the reply, and discards earlier requests."""
        self.reply = reply
        self.requests.clear()
        self.may_go_on.clear()

    def go_on(self):
        self.may_go_on.set()

    def close(self):
        self.go_on()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    upstream: ToldUpstream

    def do_POST(self):
        received = Received(self.path, self.headers)
        self.upstream.requests.append(received)
        received.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        reply = self.upstream.reply
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.type)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._send(reply.body)
        if reply.late:
            self.upstream.may_go_on.wait(PATIENCE_SECONDS)
            self._send(reply.late)
        if reply.is_cut:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _send(self, data: bytes):
        # The chunks never end at the end of an event.
        for start in range(0, len(data), 4099):
            piece = data[start : start + 4099]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

    do_GET = do_DELETE = do_POST

    def log_message(self, *_):
        pass


class Front:
    """A gateway in front of a ToldUpstream, and its clients."""

    def __init__(self, folder, upstream: ToldUpstream):
        self.upstream = upstream
        self.key, self.narrow_key = ("hg-" + secrets.token_hex(16) for _ in range(2))
        self.upstream_key = "real-" + secrets.token_hex(16)
        path = folder / "headgate.yaml"
        path.write_text(self._configuration())
        surroundings = environment(folder, TOLD_UPSTREAM_KEY=self.upstream_key)
        self._child = Child([binary("headgate"), "serve", "--config", path], folder / "errors.log", surroundings)
        self.address = self._child.wait_for_line(r"listening on http://(127\.0\.0\.1:\d+)")[1]

    def openai(self, kind=openai.OpenAI, **more):
        options = {"api_key": self.key, "max_retries": 0, "timeout": PATIENCE_SECONDS, **more}
        return kind(base_url=f"http://{self.address}/v1", **options)

    def anthropic(self, kind=anthropic.Anthropic, **more):
        options = {"api_key": self.key, "max_retries": 0, "timeout": PATIENCE_SECONDS, **more}
        return kind(base_url=f"http://{self.address}", **options)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.address, timeout=PATIENCE_SECONDS)

    def stop(self):
        code = self._child.stop()
        written = self._child.output()
        assert code == 0, f"the gateway ended with {code} after SIGTERM; it wrote:\n{written}"
        assert self.upstream_key not in written and self.key not in written

    def _configuration(self) -> str:
        digest, narrow = (hashlib.sha256(key.encode()).hexdigest() for key in (self.key, self.narrow_key))
        secret = 'api_key: "${TOLD_UPSTREAM_KEY}"'
        return (
            "listen: 127.0.0.1:0\n"
            "upstreams:\n"
            f'  openai: {{kind: openai, base_url: "http://{self.upstream.address}/v1", {secret}}}\n'
            # Without repair, the gateway passes a 404 on instead of concluding that the upstream counts no tokens.
            f'  anthropic: {{kind: anthropic, base_url: "http://{self.upstream.address}", {secret}, repair: false}}\n'
            "models:\n"
            f"  {OPENAI_MODEL}: {{upstream: openai}}\n"
            f"  {ANTHROPIC_MODEL}: {{upstream: anthropic}}\n"
            f'  {RENAMED_MODEL}: {{upstream: openai, model: "{HIDDEN_MODEL}"}}\n'
            f'  claude-{RENAMED_MODEL}: {{upstream: anthropic, model: "{HIDDEN_MODEL}"}}\n'
            "keys:\n"
            f'  - {{name: wide, sha256: "{digest}", models: ["*"]}}\n'
            f'  - {{name: narrow, sha256: "{narrow}", models: ["{RENAMED_MODEL}"]}}\n'
        )
