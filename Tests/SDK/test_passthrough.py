"""Requests passed through to an upstream, including those of hostile clients."""

import http.client
import http.server
import json
import re
import secrets
import socket
import threading

import pytest

from gateways import KEY, UPSTREAM_KEY, gateways, key_line, wait_until  # noqa: F401
from patience import PATIENCE_SECONDS

NAMED = "hg-" + secrets.token_hex(16)
OTHER = "hg-" + secrets.token_hex(16)
PAID = "hg-" + secrets.token_hex(16)


class Upstream(http.server.BaseHTTPRequestHandler):
    """Records each request, and responds according to its path."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.body()
        self.server.seen.append((self.command, self.path, dict(self.headers.items()), body))
        kind = self.path.split("?")[0].rsplit("/", 1)[-1]
        if kind == "echo":
            return self.send(200, json.dumps({"sent": self.headers["Authorization"]}).encode(), "application/json")
        if kind == "fail":
            return self.send(503, b"<p>away</p>", "text/html")
        if kind == "hold":
            self.server.held.set()
            self.connection.settimeout(PATIENCE_SECONDS)
            self.close_connection = True
            if not self.connection.recv(1):
                self.server.left.set()
            return
        if kind == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"half")
            self.close_connection = True
            return
        if kind == "stream":
            return self.stream()
        if kind == "empty":
            self.send_response(204)
            self.end_headers()
            return
        self.send(200, bytes(range(256)) * 1000, "application/x-binary")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def do_HEAD(self):
        self.server.seen.append((self.command, self.path, dict(self.headers.items()), b""))
        self.send_response(200)
        self.send_header("Content-Length", "77")
        self.send_header("ETag", "e")
        self.end_headers()

    def body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.server.arrived.set()
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def send(self, status: int, body: bytes, kind: str):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "a=b")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("ETag", "e")
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"8\r\ndata: a\n\r\n")
                self.wfile.flush()
                self.server.turn.acquire(timeout=PATIENCE_SECONDS)
        except OSError:
            self.server.left.set()
        self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture
def upstream():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    server.daemon_threads = True
    server.seen, server.turn = [], threading.Semaphore(0)
    server.held, server.left, server.arrived = threading.Event(), threading.Event(), threading.Event()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def configuration(upstream, passthrough: bool = True) -> str:
    admin = key_line().replace("}", ", admin: true}")
    named = key_line(NAMED, "named").replace("}", ", passthrough: [up]}") if passthrough else key_line(NAMED, "named")
    paid = key_line(PAID, "paid").replace("}", ", admin: true, budget: {usd: 1, every: day}}")
    return (
        "listen: 127.0.0.1:0\nledger: none\n"
        f"upstreams:\n  up:\n    kind: openai\n    base_url: http://127.0.0.1:{upstream.server_port}/base/v1\n"
        "    api_key: ${UPSTREAM_KEY}\n" + ("    passthrough: true\n" if passthrough else "") +
        f"  closed: {{kind: openai, base_url: 'http://127.0.0.1:{upstream.server_port}/v1'}}\n"
        "models: {any: {upstream: up}, other: {upstream: closed}}\n"
        f"keys: [{admin}, {named}, {key_line(OTHER, 'other')}, {paid}]\n")


class Case:
    def __init__(self, gateways, upstream, passthrough=True, text=None, **variables):
        self.upstream = upstream
        self.gateway = gateways.start(text or configuration(upstream, passthrough), **variables)
        self.port = int(self.gateway.urls[0].rsplit(":", 1)[1])

    def ask(self, method: str, path: str, body=None, key: str = KEY, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        headers = {"Authorization": f"Bearer {key}"} | {k.replace("_", "-"): v for k, v in headers.items()}
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def raw(self, text: str) -> bytes:
        """Sends bytes that no library would send; returns everything up to the end of the connection."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_SECONDS) as sock:
            sock.sendall(text.encode())
            return b"".join(iter(lambda: sock.recv(65536), b""))

    def head(self, line: str, *fields: str) -> str:
        lines = [line + " HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Authorization: Bearer {KEY}", *fields]
        return "\r\n".join([*lines, "Connection: close", "", ""])

    def open(self, text: str):
        sock = socket.create_connection(("127.0.0.1", self.port), PATIENCE_SECONDS)
        sock.sendall(text.encode())
        return sock

    def outcomes(self) -> list:
        return re.findall(r'outcome"?[=:]"?(\w+)', self.gateway.output())


@pytest.fixture
def case(gateways, upstream):  # noqa: F811
    return Case(gateways, upstream)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("key", [KEY, NAMED], ids=["admin", "named"])
def test_any_method_and_type_passes_with_the_upstreams_key(case, method, key):
    body = None if method == "GET" else b"\x00\xff" * 5
    status, headers, answer = case.ask(
        method, "/upstream/up/files/f%20x/content?limit=2&api_key=mine", body, key, Content_Type="a/b", Cookie="c=d",
        X_API_Key=key, OpenAI_Beta="assistants=v2")
    assert (status, answer) == (200, bytes(range(256)) * 1000)
    assert headers["Content-Type"] == "application/x-binary" and headers["ETag"] == "e"
    assert headers["Set-Cookie"] is None and headers["Access-Control-Allow-Origin"] is None
    assert headers["Content-Security-Policy"] == "sandbox" and headers["x-headgate-upstream"] is not None
    (command, path, sent, received), = case.upstream.seen
    assert (command, path, received) == (method, "/base/v1/files/f%20x/content?limit=2", body or b"")
    assert sent["Authorization"] == f"Bearer {UPSTREAM_KEY}" and sent["OpenAI-Beta"] == "assistants=v2"
    assert sent["Host"] == f"127.0.0.1:{case.upstream.server_port}" and sent["Content-Type"] == "a/b"
    assert key not in json.dumps(sent) and "Cookie" not in sent and "X-API-Key" not in sent


def test_head_and_empty_responses_have_no_body(case):
    assert case.ask("HEAD", "/upstream/up/files")[0] == 200
    status, _, body = case.ask("DELETE", "/upstream/up/empty")
    assert (status, body) == (204, b"")
    # Libraries that append /v1 to the base URL reach the same path.
    case.ask("GET", "/upstream/up/v1/files")
    assert [(method, path) for method, path, _, _ in case.upstream.seen] == [
        ("HEAD", "/base/v1/files"), ("DELETE", "/base/v1/empty"), ("GET", "/base/v1/files")]


@pytest.mark.parametrize("target", [
    "/upstream/up/../v2", "/upstream/up/%2e%2e/v2", "/upstream/up/.%2E/v2", "/upstream/up/a%2fb", "/upstream/up/a%5Cb",
    "/upstream/up//127.0.0.1/x", "/upstream/up/..;/x", "/upstream/up/%252e%252e/x", "/upstream/up", "/upstream/up/a%00",
])
def test_path_never_leaves_the_base(case, target):
    answer = case.raw(case.head(f"GET {target}"))
    assert b" 400 " in answer.split(b"\r\n")[0] and b"invalid_path" in answer
    assert case.upstream.seen == []


def test_other_hosts_are_not_reached(case):
    for line, status in [
        ("GET http://169.254.169.254/upstream/up/files", b" 400 "), ("GET //evil/upstream/up/files", b" 404 "),
        ("GET /upstream/http://evil/files", b" 40"), ("CONNECT /upstream/up/files", b" 501 "),
        ("TRACE /upstream/up/files", b" 405 "), ("OPTIONS /upstream/up/files", b" 204 "),
        ("QUERY /upstream/up/files", b" 405 "),
    ]:
        assert status in case.raw(case.head(line)).split(b"\r\n")[0], line
    assert case.upstream.seen == []
    answer = case.raw(case.head(f"GET http://127.0.0.1:{case.port}/upstream/up/files", "X-Forwarded-Host: evil"))
    assert b" 200 " in answer.split(b"\r\n")[0]
    assert case.upstream.seen[0][2]["Host"] == f"127.0.0.1:{case.upstream.server_port}"
    assert "X-Forwarded-Host" not in case.upstream.seen[0][2]


def test_upgrades_and_hop_by_hop_headers_are_not_forwarded(case):
    answer = case.raw(case.head("GET /upstream/up/files", "Upgrade: h2c", "TE: trailers", "Keep-Alive: 1"))
    assert b" 200 " in answer.split(b"\r\n")[0]
    sent = case.upstream.seen[0][2]
    assert not {"Upgrade", "TE", "Keep-Alive", "Connection"} & set(sent)
    answer = case.raw(case.head("GET /upstream/up/files", "Upgrade: websocket"))
    assert b" 426 " in answer.split(b"\r\n")[0] or b"websocket" in answer.lower()
    assert len(case.upstream.seen) == 1


def test_only_admin_and_named_keys_without_a_budget_pass(case):
    for key, path, status, code in [
        (OTHER, "up", 403, "passthrough_not_allowed"), (OTHER, "nowhere", 403, "passthrough_not_allowed"),
        (NAMED, "closed", 403, "passthrough_not_allowed"), (PAID, "up", 403, "passthrough_not_allowed"),
        (KEY, "closed", 404, "unknown_upstream"), (KEY, "nowhere", 404, "unknown_upstream"),
        ("wrong", "up", 401, "invalid_api_key"),
    ]:
        got, _, body = case.ask("GET", f"/upstream/{path}/files", key=key)
        assert (got, json.loads(body)["error"]["code"]) == (status, code), (key, path)
    assert case.upstream.seen == []


def test_off_by_default(gateways, upstream):  # noqa: F811
    case = Case(gateways, upstream, passthrough=False)
    assert case.ask("GET", "/upstream/up/files")[0] == 404
    assert upstream.seen == []


def test_upload_of_any_size_arrives_while_it_is_sent(case):
    sock = case.open(case.head("POST /upstream/up/files", "Transfer-Encoding: chunked").replace("close", "keep-alive"))
    with sock:
        sock.sendall(b"5\r\nfirst\r\n")
        assert case.upstream.arrived.wait(PATIENCE_SECONDS)
        piece = secrets.token_bytes(1 << 20)
        for _ in range(8):
            sock.sendall(b"100000\r\n" + piece + b"\r\n")
        sock.sendall(b"0\r\n\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 ")
    assert case.upstream.seen[0][3] == b"first" + piece * 8


def test_body_over_the_cap_is_refused_at_once(case):
    answer = case.raw(case.head("POST /upstream/up/files", f"Content-Length: {(512 << 20) + 1}"))
    assert b" 413 " in answer.split(b"\r\n")[0]
    assert case.upstream.seen == []


def test_broken_upload_does_not_become_a_request(case):
    answer = case.raw(case.head("POST /upstream/up/files", "Transfer-Encoding: chunked") + "5\r\nfirst\r\nnonsense\r\n")
    assert b" 400 " in answer.split(b"\r\n")[0]
    assert case.upstream.seen == []


def test_disconnect_while_sending_ends_the_upload(case):
    with case.open(case.head("POST /upstream/up/files", "Transfer-Encoding: chunked")) as sock:
        sock.sendall(b"5\r\nfirst\r\n")
        assert case.upstream.arrived.wait(PATIENCE_SECONDS)
    wait_until(lambda: case.outcomes() == ["client_gone"], "the end of the request")
    assert case.upstream.seen == []


def test_disconnect_while_waiting_ends_the_request(case):
    with case.open(case.head("GET /upstream/up/hold")):
        assert case.upstream.held.wait(PATIENCE_SECONDS)
    assert case.upstream.left.wait(PATIENCE_SECONDS)
    wait_until(lambda: case.outcomes() == ["client_gone"], "the end of the request")


def test_stream_passes_as_sent_and_ends_with_its_client(case):
    with case.open(case.head("GET /upstream/up/stream")) as sock:
        text = b""
        while b"data: a" not in text:
            text += sock.recv(65536)
        case.upstream.turn.release()
        while text.count(b"data: a") < 2:
            text += sock.recv(65536)
    wait_until(lambda: case.outcomes() == ["client_gone"], "the end of the request")
    # The upstream's next writes fail, because the connection is closed.
    wait_until(lambda: case.upstream.turn.release() or case.upstream.left.is_set(), "the end at the upstream")


def test_upstream_errors_pass_unchanged_and_truncations_are_visible(case):
    status, headers, body = case.ask("GET", "/upstream/up/fail")
    assert (status, headers["Content-Type"], body) == (503, "text/html", b"<p>away</p>")
    with pytest.raises(http.client.IncompleteRead):
        case.ask("GET", "/upstream/up/cut")
    wait_until(lambda: case.outcomes() == ["upstream_failed"] * 2, "both outcomes")


def test_key_echoed_by_an_upstream_is_masked(case):
    _, _, body = case.ask("GET", "/upstream/up/echo")
    assert json.loads(body) == {"sent": "Bearer " + "*" * len(UPSTREAM_KEY)}


def test_no_range_is_requested_from_an_upstream_that_could_repeat_its_key(case):
    # The client requests two halves of a key, each of which looks harmless.
    for part in ("bytes=0-28", "bytes=29-"):
        _, _, body = case.ask("GET", "/upstream/up/echo", Range=part, If_Range='"e"')
        assert json.loads(body) == {"sent": "Bearer " + "*" * len(UPSTREAM_KEY)}
    assert all("Range" not in fields and "If-Range" not in fields for _, _, fields, _ in case.upstream.seen)


def test_unreachable_upstream_is_a_gateway_error(case):
    case.upstream.shutdown()
    case.upstream.server_close()
    status, _, body = case.ask("GET", "/upstream/up/files")
    assert status == 502 and json.loads(body)["error"]["code"].startswith("upstream_")


def test_keys_take_turns_and_the_ledger_counts_requests_without_a_cost(gateways, upstream):  # noqa: F811
    text = configuration(upstream).replace(
        "api_key: ${UPSTREAM_KEY}", 'api_keys: ["${UPSTREAM_KEY}", second-key-0123456789]')
    case = Case(gateways, upstream, text=text, HEADGATE_LEDGER="memory")
    for _ in range(4):
        assert case.ask("GET", "/upstream/up/echo")[0] == 200
    sent = [fields["Authorization"] for _, _, fields, _ in upstream.seen]
    assert sorted(sent.count(one) for one in set(sent)) == [2, 2]
    rows = wait_until(
        lambda: [row for row in json.loads(case.ask("GET", "/v1/usage?by=upstream&since=1d")[2])["rows"]
                 if row["requests"] == 4], "four requests in the ledger")
    assert rows[0]["cost_usd"] is None and rows[0]["prompt_tokens"] == 0, rows
