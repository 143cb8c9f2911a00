"""Upstreams that list their models, in OpenAI's format or Anthropic's."""

import http.server
import json
import threading
import urllib.parse

import pytest

from gateways import key_line
from patience import PATIENCE_SECONDS


class ListingUpstream:
    """Lists `names` to callers with the key, in Anthropic's format in pages of `page_size`. `body` and `status`
    override that.

    No request is answered while `gate` is not set. The response to a POST is `answer`, a stream of events.
    """

    def __init__(self, names=(), key: str | None = None, is_anthropic: bool = False, page_size: int = 2):
        self.names = list(names)
        self.key = key
        self.is_anthropic = is_anthropic
        self.page_size = page_size
        self.body = None
        self.status = 200
        self.gate = threading.Event()
        self.gate.set()
        self.asked = []
        self.posted = []
        self.answer = b""
        # Further models that the upstream knows but does not list.
        self.single = set()
        # Status of a request for a single model, instead of the usual one.
        self.single_status = None
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"upstream": self}))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def close(self):
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def document(self, query: dict) -> dict:
        if not self.is_anthropic:
            return {"object": "list", "data": [{"id": name, "object": "model", "created": 1} for name in self.names]}
        start = self.names.index(query["after_id"][0]) + 1 if "after_id" in query else 0
        page = self.names[start:start + self.page_size]
        data = [{"type": "model", "id": name, "display_name": name} for name in page]
        return {"data": data, "has_more": start + len(page) < len(self.names), "first_id": page[0], "last_id": page[-1]}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    upstream: ListingUpstream

    def do_GET(self):
        upstream = self.upstream
        upstream.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        upstream.gate.wait(PATIENCE_SECONDS)
        shown = self.headers.get("x-api-key") if upstream.is_anthropic else self.headers.get("authorization")
        wanted = upstream.key if upstream.is_anthropic else f"Bearer {upstream.key}"
        if upstream.key and shown != wanted:
            return self._send(401, json.dumps({"error": {"message": f"Bad key {shown}", "type": "invalid"}}).encode())
        _, found, name = urllib.parse.urlsplit(self.path).path.partition("/models/")
        if found:
            known = urllib.parse.unquote(name) in {*upstream.names, *upstream.single}
            return self._send(upstream.single_status or (200 if known else 404), b"{}")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        body = upstream.body if upstream.body is not None else json.dumps(upstream.document(query)).encode()
        self._send(upstream.status, body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.upstream.posted.append((self.path, json.loads(body)))
        self._send(200, self.upstream.answer, "text/event-stream")

    def _send(self, status: int, body: bytes, kind: str = "application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def discovering(upstream: ListingUpstream) -> str:
    """Returns a configuration with one model of the upstream, and a pattern for the models that it lists."""
    return (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        f'models: {{gpt-fast: {{upstream: up, model: gpt-y}}, "gpt-*": {{upstream: up}}}}\nkeys: [{key_line()}]\n')


@pytest.fixture
def listing():
    """Starts upstreams that list models."""
    started = []

    def start(*names, **options) -> ListingUpstream:
        started.append(ListingUpstream(names, **options))
        return started[-1]

    yield start
    for upstream in started:
        upstream.close()
