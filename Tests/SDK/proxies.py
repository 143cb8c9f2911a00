"""A reverse proxy that spoils streams on purpose, each time in one way."""

import http.client
import http.server
import re
import socket
import threading


def dropping_the_end(event: bytes) -> bytes:
    return b"" if event.startswith(b"data: [DONE]") else event


def doubling_the_end(event: bytes) -> bytes:
    return event * 2 if event.startswith(b"data: [DONE]") else event


def tearing_characters(event: bytes) -> bytes:
    """Two events of one, cut inside the first character that takes more than one byte."""
    match = re.search(rb'"content": ?"([^"]*?[\xc3-\xf4])([\x80-\xbf][^"]*)"', event)
    if not match:
        return event
    before, after = event[: match.start(1)], event[match.end(2) :]
    return before + match[1] + after + before + match[2] + after


def decoding_as_latin_1(event: bytes) -> bytes:
    return event.decode().encode("latin-1", "replace")


def adding_a_page(event: bytes) -> bytes:
    return event + b"data: <script>track()</script>\n\n" if b'"role"' in event else event


class SpoilingProxy:
    """Passes everything on, and the events of streams through a function.

    `collects` sends streams whole, with their length; `reads_on` does not care whether its client is still there. `accounts`
    is the address of another gateway, which tells how requests ended.
    """

    def __init__(
        self, target: str, spoil=lambda event: event, collects: bool = False, reads_on: bool = False,
        type_of_streams: str | None = None, accounts: str | None = None,
    ):
        self._open = []
        members = {
            "target": target, "spoil": staticmethod(spoil), "collects": collects, "reads_on": reads_on,
            "type_of_streams": type_of_streams, "accounts": accounts or target, "open": self._open}
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), members))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        for connection in self._open:
            if connection.sock:
                connection.sock.shutdown(socket.SHUT_RDWR)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    target: str
    accounts: str
    collects: bool
    reads_on: bool
    type_of_streams: str | None

    def do_GET(self):
        self._pass_on(None)

    def do_POST(self):
        self._pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def _pass_on(self, body: bytes | None):
        target = self.accounts if self.path.startswith("/status") else self.target
        connection = http.client.HTTPConnection(target, timeout=15)
        self.open.append(connection)
        hop = ("host", "connection", "accept-encoding", "content-length")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in hop}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        is_stream = (answer.getheader("Content-Type") or "").startswith("text/event-stream")
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() == "content-type" and is_stream and self.type_of_streams:
                value = self.type_of_streams
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        try:
            if is_stream and not self.collects:
                self._stream(answer)
            else:
                whole = b"".join(map(self.spoil, events(answer))) if is_stream else answer.read()
                self.send_header("Content-Length", str(len(whole)))
                self.end_headers()
                self.wfile.write(whole)
        except OSError:
            self.close_connection = True
            if self.reads_on:
                answer.read()
        connection.close()

    def _stream(self, answer):
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events(answer):
            if spoilt := self.spoil(event):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(spoilt), spoilt))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


def events(answer):
    """Whole events as they come, each with its blank line."""
    kept = b""
    while piece := answer.read1(65536):
        kept += piece
        while (end := kept.find(b"\n\n")) >= 0:
            yield kept[: end + 2]
            kept = kept[end + 2 :]
    if kept:
        yield kept
