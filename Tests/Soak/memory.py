"""The most memory: 5,000 clients at once, of the five kinds for which the gateway holds most.

    memory.py [CLIENTS]

A fifth of the clients each read a fast stream slowly, read nothing of a large response, hold an idle stream, send a
large body for an upstream that does not read it, and leave a stream that continues without them. Exits with 1 if the
process takes more memory than docs/scaling.md says, or does not serve another client meanwhile.
"""

import asyncio
import json
import multiprocessing
import re
import resource
import socket
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "SDK"))

from gateways import KEY, KEYS, Gateway, wait_until
from patience import PATIENCE_SECONDS
from upstreams import TEXT, completion, event

KIB, MIB = 1 << 10, 1 << 20
# Seconds for which the memory is watched after the last client. Clients that read nothing are cut after thirty.
SECONDS = 20
# The limits of the configuration, and what a process without clients takes at most.
BODIES, STREAMS, REST = 512 * MIB, 64 * MIB, 20 * MIB
# As many bodies of this size as there is memory for.
BODY = 12 * MIB
WORDS = event("word ") * 1000
# Larger than what the kernel takes for a client that does not read.
ANSWER = completion().replace(TEXT.encode(), b"word " * (8 * MIB // 5))


class Upstream(multiprocessing.Process):
    """Responds as the request's path says."""

    def __init__(self):
        super().__init__(daemon=True)
        self.port = multiprocessing.Value("i", 0)

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        server = await asyncio.start_server(self._respond, "127.0.0.1", 0, backlog=4096)
        self.port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    async def _respond(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            kind = head.split(b"/")[1].decode()
            if kind != "deaf":
                await getattr(self, f"_{kind}")(writer)
            await asyncio.sleep(3600)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _held(self, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + event("word "))

    async def _endless(self, writer):
        await self._held(writer)
        while True:
            writer.write(WORDS)
            await writer.drain()
            await asyncio.sleep(0)

    async def _whole(self, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ANSWER))
        for start in range(0, len(ANSWER), MIB // 4):
            writer.write(ANSWER[start:start + MIB // 4])
            await writer.drain()


def request(host: str, model: str, stream: bool, text: str = "hi") -> bytes:
    body = json.dumps({"model": model, "stream": stream, "messages": [{"role": "user", "content": text}]}).encode()
    return (b"POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            % (host.encode(), KEY.encode(), len(body), body))


class Clients:
    """Connections that stay open, and the gateway's peak of memory meanwhile."""

    def __init__(self, gateway: Gateway):
        self._host = gateway.urls[0].removeprefix("http://")
        host, _, port = self._host.rpartition(":")
        self._address = (host, int(port))
        self._gateway = gateway
        self.sockets = []
        self.peak = 0

    def memory(self) -> int:
        """Returns the resident memory that has no file, and notes the peak."""
        status = Path(f"/proc/{self._gateway.pid}/status").read_text()
        self.peak = max(self.peak, now := int(re.search(r"^RssAnon:\s+(\d+) kB$", status, re.M)[1]) * KIB)
        return now

    def connect(self, sent: bytes) -> socket.socket:
        client = socket.socket()
        # The kernel's own buffer must not take what the gateway has to hold.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * KIB)
        client.connect(self._address)
        client.settimeout(2)
        try:
            client.sendall(sent)
        except OSError:
            pass  # Refused in the middle of its body.
        self.sockets.append(client)
        return client

    def open(self, count: int) -> list:
        """Opens as many clients of each kind; returns the slow readers."""
        for client in [self.connect(request(self._host, "detached", True)) for _ in range(count)]:
            client.settimeout(PATIENCE_SECONDS)
            client.recv(KIB)
            client.close()
        body = request(self._host, "deaf", False, "x" * BODY)
        for number in range(count):
            # The other half of the memory for bodies is for responses. Without it, a client is refused at once, and its
            # connection remains.
            self.connect(body if number < BODIES // BODY // 2 else body[:16 * KIB])
        for model in ("held", "whole"):
            for _ in range(count):
                self.connect(request(self._host, model, model == "held"))
            self.memory()
        return [self.connect(request(self._host, "endless", True)) for _ in range(count)]

    def watch(self, slow: list):
        """Reads a little from the slow readers, and notes the peak."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for client in slow:
                client.setblocking(False)
                try:
                    client.recv(KIB)
                except OSError:
                    pass
            self.memory()
            time.sleep(0.05)


def configuration(port: int) -> str:
    kinds = ["endless", "whole", "held", "deaf"]
    url = f"http://127.0.0.1:{port}"
    upstreams = "".join(f"  {kind}: {{kind: openai, base_url: \"{url}/{kind}/v1\"}}\n" for kind in kinds)
    models = "".join(f"  {kind}: {{upstream: {kind}, model: inner}}\n" for kind in kinds)
    return (
        f"listen: 127.0.0.1:0\nupstreams:\n{upstreams}models:\n{models}"
        f"  detached: {{upstream: endless, on_disconnect: detach}}\n{KEYS}")


def main(clients: int = 5000) -> int:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    upstream = Upstream()
    upstream.start()
    wait_until(lambda: upstream.port.value, "the upstream")
    with tempfile.TemporaryDirectory(prefix="headgate-", dir="/tmp") as folder:
        gateway = Gateway(Path(folder), configuration(upstream.port.value))
        crowd = Clients(gateway)
        try:
            before = crowd.memory()
            began = time.monotonic()
            slow = crowd.open(clients // 5)
            opened = time.monotonic() - began
            crowd.watch(slow)
            with gateway.connect() as client:
                began = time.monotonic()
                answer = client.ask("GET", "/v1/models").status
                seconds = time.monotonic() - began
        finally:
            for client in crowd.sockets:
                client.close()
            gateway.kill()
            upstream.kill()
    bound = REST + clients * 592 * KIB + 2 * BODIES + STREAMS
    print(f"{clients} clients in {opened:.1f} s: {before / MIB:.1f} MiB before them, "
          f"at most {crowd.peak / MIB:.0f} MiB with them, of {bound / MIB:.0f}; "
          f"another client's response: {answer} after {seconds * 1000:.0f} ms")
    return 0 if answer == 200 and crowd.peak <= bound else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
