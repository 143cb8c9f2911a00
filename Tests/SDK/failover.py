"""Streams at a steady rate over three upstreams, one of which is killed while another refuses requests."""

import asyncio
import http.client
import json
import re
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from child import Child
from connections import chat_request
from failing_upstream import EVENTS
from gateways import KEY, KEYS, Gateway, surroundings

UPSTREAMS = 3
COOLDOWN_SECONDS = 1
# Share of requests that can be repeated, and the number of retries that is always allowed.
BUDGET, LEAST_RETRIES = 0.1, 3
PATIENCE_SECONDS = 15
CONTENT = b'"content": "'
FIRST = CONTENT + b'0 "'


@dataclass
class Result:
    """Result of one run. Each stream was whole, broken (reported after some content), or one of `failures`."""

    whole: int = 0
    broken: int = 0
    failures: list = field(default_factory=list)
    slowest: float = 0
    # Numbers of chats sent to each upstream, including the refused ones.
    sent: list = field(default_factory=list)
    sent_after_return: int = 0
    sent_while_refusing: int = 0

    @property
    def requests(self) -> int:
        return self.whole + self.broken + len(self.failures)

    @property
    def repeated(self) -> int:
        """Number of attempts beyond the first one of each request."""
        return sum(self.sent) - self.requests

    def __str__(self):
        return (
            f"{self.requests} requests: {self.whole} whole, {self.broken} broken after content and told so, "
            f"{len(self.failures)} failed; {sum(self.sent)} sends, {self.repeated} of them repeated; "
            f"slowest first content {self.slowest * 1000:.0f} ms; the limited upstream was asked "
            f"{self.sent_while_refusing} times while it refused, the killed one {self.sent_after_return} times after its return")


class Pool:
    """The upstreams, each a process."""

    def __init__(self, folder: Path, stack: ExitStack):
        self._folder, self._stack = folder, stack
        self._children = [None] * UPSTREAMS
        self.ports = [0] * UPSTREAMS
        for index in range(UPSTREAMS):
            self.start(index)

    def start(self, index: int):
        """Starts an upstream on its previous port."""
        program = Path(__file__).with_name("failing_upstream.py")
        child = Child(
            [sys.executable, program, self.ports[index]], self._folder / f"upstream-{index}.log",
            surroundings(self._folder, PYTHONPATH=str(program.parent), PYTHONDONTWRITEBYTECODE="1"))
        self._stack.callback(child.kill)
        self._children[index] = child
        self.ports[index] = int(child.wait_for_line(r"(\d+)")[1])

    def kill(self, index: int) -> int:
        """Kills an upstream; returns the number of chats that it had received."""
        self._children[index].kill()
        return self._children[index].output().count("chat\n")

    def tell(self, index: int, path: str, document=None) -> int:
        """Sends a command to an upstream; returns the number of chats that it has received."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[index], timeout=PATIENCE_SECONDS)
        connection.request("POST", path, json.dumps(document))
        count = int(connection.getresponse().read())
        connection.close()
        return count


def configuration(ports: list) -> str:
    breaker = f"breaker: {{failures: 5, cooldown: {COOLDOWN_SECONDS}s}}"
    upstreams = "".join(
        f'  up{index}: {{kind: openai, base_url: "http://127.0.0.1:{port}/v1", {breaker}}}\n'
        for index, port in enumerate(ports))
    targets = ", ".join(f"{{upstream: up{index}, weight: {UPSTREAMS - index}}}" for index in range(len(ports)))
    return (
        f"listen: 127.0.0.1:0\nupstreams:\n{upstreams}"
        f"models: {{chat: {{targets: [{targets}], choose: weighted, retry: {{attempts: 3}}}}}}\n{KEYS}")


async def stream(address: str, result: Result, has_begun=lambda: None):
    """Sends one request on a new connection; calls `has_begun` at its first content."""
    host, port = address.split(":")
    body = json.dumps(chat_request("chat", True)).encode()
    started = asyncio.get_running_loop().time()
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {KEY}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    received = b""
    try:
        while piece := await reader.read(65536):
            if FIRST not in received and FIRST in received + piece:
                result.slowest = max(result.slowest, asyncio.get_running_loop().time() - started)
                has_begun()
            received += piece
    finally:
        writer.close()
    count_answer(received, result)


def count_answer(received: bytes, result: Result):
    """Counts a response. Whole: each event once, in order, then the end marker. Broken: the first of these events, then
    an error event."""
    texts = [int(text) for text in re.findall(CONTENT + b'(\\d+) "', received)]
    in_order = texts == list(range(len(texts)))
    is_done, is_error = b"data: [DONE]" in received, b'data: {"error"' in received
    if in_order and len(texts) == EVENTS and is_done and not is_error:
        result.whole += 1
    elif in_order and texts and is_error and not is_done:
        result.broken += 1
    else:
        result.failures.append(received.decode(errors="replace"))


async def run(gateway: Gateway, pool: Pool, rate: int, warm: float, away: float, after: float, retry_after) -> Result:
    result, tasks = Result(), []
    address = urlsplit(gateway.urls[0]).netloc
    loop = asyncio.get_running_loop()

    async def load(seconds: float):
        started = loop.time()
        for number in range(int(seconds * rate)):
            await asyncio.sleep(started + number / rate - loop.time())
            tasks.append(asyncio.create_task(stream(address, result)))

    await load(warm)
    before = await asyncio.to_thread(pool.tell, 1, "/refuse", {"retry_after": retry_after})
    killed = await asyncio.to_thread(pool.kill, 0)
    await load(away)
    result.sent_while_refusing = await asyncio.to_thread(pool.tell, 1, "/serve") - before
    await asyncio.to_thread(pool.start, 0)
    await load(after)
    await asyncio.gather(*tasks)
    counts = [pool.tell(index, "/count") for index in range(UPSTREAMS)]
    result.sent_after_return = counts[0]
    result.sent = [counts[0] + killed, *counts[1:]]
    return result


def fail_over(folder: Path, rate: int, warm: float, away: float, after: float, retry_after: int | None) -> Result:
    """Streams `rate` requests a second: for `warm` seconds, for `away` with one upstream dead and one refusing, and
    `after` more."""
    with ExitStack() as stack:
        pool = Pool(folder, stack)
        gateway = Gateway(folder, configuration(pool.ports))
        try:
            return asyncio.run(run(gateway, pool, rate, warm, away, after, retry_after))
        finally:
            code = gateway.stop()
            assert code == 0, gateway.output()
