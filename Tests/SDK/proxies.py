"""A reverse proxy with a fault: it reads every response to its end, even after its client has disconnected."""

import http.client
import http.server
import socket
import threading


class ProxyThatReadsOn:
    """Forwards requests, and streams responses as they arrive."""

    def __init__(self, target: str):
        self._open = []
        handler = type("Handler", (_Handler,), {"target": target, "open": self._open})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
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


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    target: str
    open: list

    def do_GET(self):
        self._pass_on(None)

    def do_POST(self):
        self._pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def _pass_on(self, body: bytes | None):
        connection = http.client.HTTPConnection(self.target, timeout=15)
        self.open.append(connection)
        hop = ("host", "connection", "accept-encoding", "content-length")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in hop}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while piece := answer.read1(65536):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True
            answer.read()
        connection.close()

    def log_message(self, *_):
        pass
