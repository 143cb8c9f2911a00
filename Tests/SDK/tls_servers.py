"""Three implementations of TLS servers, which serve as upstreams or as proxies in front of gateways."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path

from certificates import Certificate
from child import Child
from conftest import environment
from gateways import wait_until
from upstreams import STREAM_END, Upstream, WORDS, event, free_port

# Debian installs servers in root's PATH only.
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")

NGINX_CONFIGURATION = """\
daemon off;
# One process, as whoever runs the tests.
master_process off;
pid {folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port}{tls}
        {settings}
        location / {{ proxy_pass http://{upstream}; }}
    }}
}}
"""
NGINX_TLS = """\
 ssl;
        ssl_certificate {chain};
        ssl_certificate_key {key};
"""
STREAMING = 'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off;'


def python_server(certificate: Certificate, oldest=None, newest=None) -> Upstream:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.chain, certificate.key)
    if oldest:
        context.minimum_version = oldest
    if newest:
        context.maximum_version = newest
    return Upstream(context)


class Nginx(Child):
    """A proxy in front of another server; without a certificate it speaks plain HTTP."""

    def __init__(self, folder: Path, certificate: Certificate | None, upstream: str, settings: str = STREAMING):
        assert NGINX, "nginx is missing: run .ci/setup"
        self.port = free_port()
        path = folder / "nginx.conf"
        tls = NGINX_TLS.format(chain=certificate.chain, key=certificate.key) if certificate else ";"
        path.write_text(NGINX_CONFIGURATION.format(
            folder=folder, port=self.port, tls=tls, settings=settings, upstream=upstream))
        super().__init__([NGINX, "-c", path, "-p", folder, "-e", "stderr"], folder / "nginx.log", environment(folder))
        wait_until(self._answers, "nginx")

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0 or self._process.poll() is not None


class OpenSSLServer:
    """An `openssl s_server` backed by this process, which responds to each request with the same stream."""

    def __init__(self, folder: Path, certificate: Certificate, *options: str):
        command = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.chain]
        command += ["-key", certificate.key, *options]
        self._log = (folder / "s_server.log").open("wb")
        self._process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        self._written = bytearray()
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = int(self._wait_for(rb"ACCEPT 127\.0\.0\.1:(\d+)\n")[1])

    @property
    def decrypted(self) -> bytes:
        """Returns the decrypted bytes, mixed with the program's own output."""
        return bytes(self._written)

    def answer(self):
        """Waits for one request, and streams the response."""
        head = self._wait_for(rb"POST [^\n]*\r\n(?:[^\r\n]+\r\n)*\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head[0])[1])
        self._wait_for(re.escape(head[0]) + rb".{%d}" % length)
        pieces = [event(word) for word in WORDS] + [STREAM_END]
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {sum(map(len, pieces))}\r\n\r\n"
        for piece in [head.encode(), *pieces]:
            self._process.stdin.write(piece)
            self._process.stdin.flush()

    def close(self):
        self._process.terminate()
        self._process.wait()
        self._reader.join()
        self._process.stdin.close()
        self._process.stdout.close()
        self._log.close()

    def _wait_for(self, pattern: bytes) -> re.Match:
        def found():
            return re.search(pattern, self._written, re.S)

        with self._changed:
            assert self._changed.wait_for(found, 15), f"no {pattern!r} in {self.decrypted!r}"
            return found()

    def _read(self):
        while data := self._process.stdout.read1():
            with self._changed:
                self._written += data
                self._changed.notify_all()
