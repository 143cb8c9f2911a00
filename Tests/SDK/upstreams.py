"""Upstreams inside the test. The model's name selects the response, the test controls its timing, and requests are
recorded."""

import contextlib
import http.server
import itertools
import json
import os
import random
import socket
import ssl
import threading

import pytest

from patience import PATIENCE_SECONDS

# Seconds between the events of a stream that continues until its release.
DRIP_SECONDS = 0.02
WORDS = ["Hel", "lo, ", "wörld"]
TEXT = "".join(WORDS)
# A piece of an image in base64.
PIECE = b"A" * 65536


def event(content: str = "", finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": finish_reason}
    document = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n".encode()


STREAM_END = event(finish_reason="stop") + b"data: [DONE]\n\n"


def completion() -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}
    document = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return json.dumps(document, ensure_ascii=False).encode()


class Upstream:
    """Responds to chats on 127.0.0.1; with a context, over TLS.

    The model `gated` sends one word, and waits for `release` with the rest; `dripping` sends words until then. `image`
    waits before the end of a line of `image_bytes` bytes.
    """

    image_bytes = 0

    def __init__(self, tls: ssl.SSLContext | None = None):
        self.requests = []
        # Numbers of image lines that were sent up to their end, and of complete ones.
        self.begun = Counter()
        self.ended = Counter()
        self.release = threading.Event()
        self.problems = []
        upstream = self

        class Server(http.server.ThreadingHTTPServer):
            # Many clients connect at once.
            request_queue_size = 128

            def handle_error(self, request, client_address):
                # Some tests expect a refused handshake.
                upstream.problems.append(client_address)

        self._server = Server(("127.0.0.1", 0), type("Handler", (Handler,), {"upstream": upstream}))
        if tls:
            # The handshake runs on the connection's own thread.
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def close(self):
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # With Nagle's algorithm, the end of a response would wait for an acknowledgement.
    disable_nagle_algorithm = True
    upstream: Upstream

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.upstream.requests.append((self.path, dict(self.headers), body))
        request = json.loads(body)
        self.send_response(200)
        if request.get("stream"):
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self._stream(request["model"])
        else:
            self._whole()

    def do_GET(self):
        self.upstream.requests.append((self.path, dict(self.headers), b""))
        self.send_response(200)
        self._whole()

    def _whole(self):
        answer = completion()
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def _stream(self, model: str):
        release = self.upstream.release
        if model == "dripping":
            while not release.wait(DRIP_SECONDS):
                self._chunk(event("drop "))
        elif model == "image":
            self._image()
        else:
            self._chunk(event(WORDS[0]))
            if model == "gated":
                release.wait(PATIENCE_SECONDS)
            for word in WORDS[1:]:
                self._chunk(event(word))
        self._chunk(STREAM_END)
        self.wfile.write(b"0\r\n\r\n")

    def _image(self):
        self._chunk(event(""))
        start, end = event("#").split(b"#")
        self._chunk(start)
        for _ in range(self.upstream.image_bytes // len(PIECE)):
            self._chunk(PIECE)
        self.upstream.begun.add()
        self.upstream.release.wait(60)
        self._chunk(end)
        self.upstream.ended.add()

    def _chunk(self, data: bytes):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def log_message(self, *_):
        pass


class Counter:
    """A counter for several threads; other threads can wait for a count."""

    def __init__(self):
        self._changed = threading.Condition()
        self._count = 0

    def add(self):
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait_for(self, count: int, seconds: float):
        with self._changed:
            assert self._changed.wait_for(lambda: self._count >= count, seconds), f"{self._count} of {count}"


class Recorder:
    """Forwards connections to a port, and records every byte of the connecting side."""

    def __init__(self, port: int):
        self._target = port
        self._kept = bytearray()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def sent(self) -> bytes:
        return bytes(self._kept)

    def close(self):
        # Shutting down wakes the accepting thread, which closing alone does not.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._target), PATIENCE_SECONDS)
            except OSError:
                client.close()
                continue
            for source, sink, kept in ((client, server, self._kept), (server, client, None)):
                threading.Thread(target=self._pass_on, args=(source, sink, kept), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, kept: bytearray | None):
        try:
            while data := source.recv(65536):
                if kept is not None:
                    kept += data
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            # One side has disconnected, so the other side must disconnect, too.
            for end in (source, sink):
                end.close()


@pytest.fixture
def local_upstream():
    """Starts a plain HTTP upstream; its streams are released when the test ends, if not before."""
    upstream = Upstream()
    yield upstream
    upstream.close()


# The ports are below the ephemeral ones, so that no connection takes one between its choice here and its use by a
# program. Each process of a parallel run has its own thousand, and starts at a random one.
_FIRST_PORT = 12_000 + 1_000 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_ports = itertools.cycle(range(_FIRST_PORT, _FIRST_PORT + 1_000))
next(itertools.islice(_ports, random.randrange(1_000), None))


def free_port() -> int:
    """Returns a free port of 127.0.0.1, for a program that needs a port number."""
    for port in itertools.islice(_ports, 1_000):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError(f"no port from {_FIRST_PORT} on is free")
