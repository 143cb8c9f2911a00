"""An upgrade under load: requests at a steady pace, a fifth of them on new connections, and streams that stay open.

    upgrade.py [shared] [REQUESTS_A_SECOND [STREAMS]]

With `shared`, the ledger is in PostgreSQL, and limits are counted in Redis; else a file and the gateway have them.
Exits with 1 if a request or a stream fails, if one is not in the ledger once, or if the budget differs from the ledger.
"""

import asyncio
import contextlib
import multiprocessing
import os
import re
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "SDK"))

from connections import Connection
from crowd import Client
from gateways import KEY, Gateway, command, key_line
from replicas import Stores
from test_local_servers import wait_for_end
from upstreams import STREAM_END, completion, event

# Seconds of load before the upgrade, and again after it.
SECONDS = 5
KEPT_CONNECTIONS = 64
LIMITS = "admin: true, limits: {in_flight: 10000, requests: 1M/s}, budget: {tokens: 1000M, every: month}"
FINISHED = (
    "SELECT request_id, coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0) FROM requests "
    "WHERE outcome = 'finished'")


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


class Upstream(multiprocessing.Process):
    """Responds at once, but streams of the model `held` wait for their release after the first event."""

    def __init__(self):
        super().__init__(daemon=True)
        self.port, self.held = multiprocessing.Value("i", 0), multiprocessing.Value("i", 0)
        self.released = multiprocessing.Event()

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        self._end = asyncio.Event()
        server = await asyncio.start_server(self._respond, "127.0.0.1", 0, backlog=4096)
        self.port.value = server.sockets[0].getsockname()[1]
        await asyncio.to_thread(self.released.wait)
        self._end.set()
        await server.serve_forever()

    async def _respond(self, reader, writer):
        answer = completion()
        opening = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        whole = opening % len(answer) + answer
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                body = await reader.readexactly(int(head.partition("content-length:")[2].partition("\r\n")[0]))
                if b'"held"' in body:
                    await self._stream(writer)
                else:
                    writer.write(whole)
        writer.close()

    async def _stream(self, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        writer.write(chunk(event("begun ")))
        with self.held.get_lock():
            self.held.value += 1
        await self._end.wait()
        writer.write(chunk(event("ended")) + chunk(STREAM_END) + b"0\r\n\r\n")


class Files:
    """A ledger in SQLite. The gateway itself counts limits."""

    variables = {}

    def __init__(self, folder: Path):
        self._ledger = folder / "usage.db"
        self.configuration = f"ledger: \"sqlite:{self._ledger}\"\n"

    def finished(self) -> list:
        """Returns the id and the tokens of each request that has finished."""
        with contextlib.closing(sqlite3.connect(self._ledger)) as ledger:
            return ledger.execute(FINISHED).fetchall()

    def end(self):
        pass


class Shared(Stores):
    """A ledger in PostgreSQL, and limits in Redis."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self.start()

    def finished(self) -> list:
        rows = self.postgres.ask(FINISHED.replace("requests", "headgate.requests"))
        return [(name, int(tokens)) for name, tokens in rows]


class Load:
    """Sends requests at a steady pace, however long the responses take."""

    def __init__(self, address: str, pace: int):
        self._address, self._pace = address, pace
        self._kept = asyncio.Queue()
        for _ in range(KEPT_CONNECTIONS):
            self._kept.put_nowait(Client(address, KEY))
        self.seconds, self.failures = [], Counter()

    async def run(self, over: asyncio.Event):
        began, tasks = time.monotonic(), set()
        while not over.is_set():
            number = len(self.seconds) + sum(self.failures.values()) + len(tasks)
            if number < (time.monotonic() - began) * self._pace:
                task = asyncio.create_task(self.request(number % 5 == 0))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                await asyncio.sleep(0)
            else:
                await asyncio.sleep(0.001)
        await asyncio.gather(*tasks)

    async def request(self, is_new: bool):
        began = time.monotonic()
        client = Client(self._address, KEY) if is_new else await self._kept.get()
        try:
            answer = await client.ask("chat")
            assert answer.status == 200, answer.status
            self.seconds.append(time.monotonic() - began)
        except (OSError, EOFError, asyncio.TimeoutError, AssertionError) as error:
            self.failures[repr(error)] += 1
        finally:
            client.close() if is_new else self._kept.put_nowait(client)


async def streamed(address: str) -> bool:
    client = Client(address, KEY)
    with contextlib.closing(client), contextlib.suppress(OSError, EOFError, asyncio.TimeoutError):
        answer = await client.ask("held", stream=True)
        return answer.is_whole_stream and answer.body.count(b"begun ") == answer.body.count(b"ended") == 1
    return False


async def measure(gateway: Gateway, stores, upstream: Upstream, pace: int, count: int) -> bool:
    address, over = gateway.urls[0], asyncio.Event()
    streams = [asyncio.create_task(streamed(address)) for _ in range(count)]
    while upstream.held.value < count:
        assert not any(stream.done() for stream in streams), "a stream has ended before the upgrade"
        await asyncio.sleep(0.01)
    load = Load(address, pace)
    running = asyncio.create_task(load.run(over))
    await asyncio.sleep(SECONDS)
    before = len(load.seconds)
    result = await asyncio.to_thread(command, gateway.folder, "upgrade", "--pid", gateway.pid)
    print((result.stdout or result.stderr).strip())
    successor = int(re.search(r"to process (\d+)", result.stdout)[1])
    try:
        return await finish(gateway, stores, upstream, load, before, running, over, streams)
    finally:
        os.kill(successor, signal.SIGTERM)
        wait_for_end(successor)


async def finish(gateway, stores, upstream, load, before, running, over, streams) -> bool:
    await asyncio.sleep(SECONDS)
    assert gateway.is_running, "its streams are open"
    over.set()
    await running
    upstream.released.set()
    whole = sum(await asyncio.gather(*streams))
    code = await asyncio.to_thread(gateway.wait)
    # With counts in Redis, the new process knows what the streams have used once another request has asked there.
    await load.request(True)
    aim, rows = len(load.seconds) + len(streams), []
    deadline = time.monotonic() + 10
    used, counted = 0, None
    while (len(rows) < aim or used != counted) and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
        rows = await asyncio.to_thread(stores.finished)
        counted = sum(tokens for _, tokens in rows)
        with Connection(gateway.urls[0], KEY) as admin:
            used = admin.ask("GET", "/status/data").document["budgets"][0]["used"]
    seconds = sorted(load.seconds)
    print(f"{before} requests before the upgrade and {len(seconds) - before} since; failed: {dict(load.failures) or 0}")
    print(f"median {seconds[len(seconds) // 2] * 1000:.1f} ms, p99 {seconds[len(seconds) * 99 // 100] * 1000:.1f} ms, "
          f"slowest {seconds[-1] * 1000:.1f} ms; {whole} of {len(streams)} streams whole; "
          f"old process exited with {code}")
    names = {name for name, _ in rows}
    print(f"{len(rows)} rows of {aim} requests in the ledger, {len(rows) - len(names)} of them twice; "
          f"{counted} tokens in the ledger, {used} in the budget")
    is_whole = not load.failures and whole == len(streams) and code == 0
    return is_whole and len(names) == len(rows) == aim and used == counted


def main(kind, pace: int = 1000, count: int = 500) -> int:
    upstream = Upstream()
    upstream.start()
    while not upstream.port.value:
        time.sleep(0.01)
    with tempfile.TemporaryDirectory(prefix="headgate-", dir="/tmp") as folder, contextlib.ExitStack() as ends:
        ends.callback(upstream.kill)
        stores = kind(Path(folder))
        ends.callback(stores.end)
        gateway = Gateway(
            Path(folder),
            f"listen: 127.0.0.1:0\n{stores.configuration}log: {{file: {folder}/access.log}}\n"
            f"upstreams: {{up: {{kind: openai, base_url: \"http://127.0.0.1:{upstream.port.value}/v1\"}}}}\n"
            f"models: {{\"*\": {{upstream: up}}}}\nkeys: [{key_line()[:-1]}, {LIMITS}}}]\n",
            HEADGATE_LEDGER="", **stores.variables)
        try:
            return 0 if asyncio.run(measure(gateway, stores, upstream, pace, count)) else 1
        finally:
            if gateway.is_running:
                gateway.kill()


if __name__ == "__main__":
    is_shared = sys.argv[1:2] == ["shared"]
    sys.exit(main(Shared if is_shared else Files, *map(int, sys.argv[1 + is_shared:])))
