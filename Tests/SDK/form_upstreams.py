"""Upstreams that accept multipart forms with recordings or images."""

import email.parser
import http.server
import threading
from dataclasses import dataclass

import pytest

from patience import PATIENCE_SECONDS

PIECE = 65536


@dataclass
class Form:
    path: str
    headers: dict
    # Names, file names and contents, in the order of the form.
    parts: list

    def __getitem__(self, name: str) -> bytes:
        [content] = [content for found, _, content in self.parts if found == name]
        return content


class FormUpstream:
    """Responds to every form with `answer` of type `kind`, and records the form. `octets` grows as a body arrives."""

    def __init__(self):
        self.answer = b'{"text":"A gate."}'
        self.kind = "application/json"
        self.status = 200
        self.forms = []
        self.documents = []
        self.octets = 0
        # Number of bodies that ended too early.
        self.broken = 0
        self.changed = threading.Condition()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"upstream": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def wait_for_octets(self, count: int):
        with self.changed:
            assert self.changed.wait_for(lambda: self.octets >= count, PATIENCE_SECONDS), f"only {self.octets} came"

    def wait_for_broken(self):
        with self.changed:
            assert self.changed.wait_for(lambda: self.broken, PATIENCE_SECONDS), "no body broke off"

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    upstream: FormUpstream

    def do_POST(self):
        try:
            body = b"".join(self._body())
        except (EOFError, OSError):
            with self.upstream.changed:
                self.upstream.broken += 1
                self.upstream.changed.notify_all()
            self.close_connection = True
            return
        kind = self.headers["Content-Type"]
        if kind.startswith("multipart/form-data"):
            message = email.parser.BytesParser().parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
            parts = [
                (part.get_param("name", header="content-disposition"), part.get_filename(), part.get_payload(decode=True))
                for part in message.get_payload()]
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.upstream.forms.append(Form(self.path, headers, parts))
        else:
            self.upstream.documents.append((self.path, body))
        self.send_response(self.upstream.status)
        self.send_header("Content-Type", self.upstream.kind)
        self.send_header("Content-Length", str(len(self.upstream.answer)))
        self.end_headers()
        self.wfile.write(self.upstream.answer)

    def _body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                yield from self._read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            yield from self._read(int(self.headers["Content-Length"]))

    def _read(self, size: int):
        while size:
            piece = self.rfile.read1(min(size, PIECE))
            if not piece:
                raise EOFError
            size -= len(piece)
            with self.upstream.changed:
                self.upstream.octets += len(piece)
                self.upstream.changed.notify_all()
            yield piece

    def log_message(self, *_):
        pass


@pytest.fixture
def form_upstream():
    upstream = FormUpstream()
    yield upstream
    upstream.close()
