"""Many concurrent clients in one thread, which write and read bytes directly, without an SDK."""

import asyncio
import json
import time
from collections import Counter
from dataclasses import dataclass, field

from exchanges import MESSAGES
from patience import PATIENCE_SECONDS

END = b"data: [DONE]\n\n"


@dataclass
class Answer:
    status: int
    fields: dict
    body: bytes
    seconds: float = 0

    @property
    def is_whole_stream(self) -> bool:
        return self.status == 200 and self.body.endswith(END) and b'"error"' not in self.body


@dataclass
class Client:
    """A connection that stays open as long as the other side allows."""

    address: str
    key: str
    _streams: tuple | None = None

    async def ask(self, model: str, stream: bool = False, request_id: str | None = None) -> Answer:
        """Sends a chat; raises an error if the response is missing or incomplete."""
        if self._streams is None:
            host, _, port = self.address.removeprefix("http://").rpartition(":")
            self._streams = await asyncio.open_connection(host, int(port))
        reader, writer = self._streams
        began = time.monotonic()
        try:
            writer.write(self._request(model, stream, request_id))
            answer = await asyncio.wait_for(self._read(reader), PATIENCE_SECONDS * 4)
        except BaseException:
            self.close()
            raise
        answer.seconds = time.monotonic() - began
        if answer.fields.get("connection") == "close":
            self.close()
        return answer

    def close(self):
        if self._streams:
            self._streams[1].close()
        self._streams = None

    def _request(self, model: str, stream: bool, request_id: str | None) -> bytes:
        body = json.dumps({"model": model, "messages": MESSAGES, "stream": stream})
        name = f"X-Request-Id: {request_id}\r\n" if request_id else ""
        return (
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: {self.address.removeprefix('http://')}\r\n{name}"
            f"Authorization: Bearer {self.key}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()

    @staticmethod
    async def _read(reader: asyncio.StreamReader) -> Answer:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:-2])
        body = b""
        if fields.get("transfer-encoding") == "chunked":
            while size := int(await reader.readuntil(b"\r\n"), 16):
                body += (await reader.readexactly(size + 2))[:-2]
            await reader.readexactly(2)
        else:
            body = await reader.readexactly(int(fields["content-length"]))
        return Answer(int(lines[0].split(" ")[1]), fields, body)


@dataclass
class Tally:
    """The outcomes of many requests; `failures` lists the requests without a complete response."""

    statuses: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)
    ids: list = field(default_factory=list)
    slowest: float = 0
    seconds: float = 0


async def flood(addresses: list, key: str, count: int, model: str = "m", clients: int = 64) -> Tally:
    """Sends `count` requests as fast as they are answered, over connections to each of these addresses in turn."""
    tally, numbers = Tally(), iter(range(count))

    async def run(client: Client):
        for _ in numbers:
            try:
                answer = await client.ask(model)
                tally.statuses[answer.status] += 1
                tally.slowest = max(tally.slowest, answer.seconds)
            except (OSError, EOFError, asyncio.TimeoutError) as error:
                tally.failures.append(repr(error))
        client.close()

    began = time.monotonic()
    await asyncio.gather(*(run(Client(addresses[number % len(addresses)], key)) for number in range(clients)))
    tally.seconds = time.monotonic() - began
    return tally


class Crowd:
    """Streams that are open during an incident, and requests that arrive meanwhile."""

    def __init__(self, address: str, key: str, name: str):
        self._address, self._key, self._name = address, key, name
        self.tally = Tally()
        self._over = asyncio.Event()
        self._answered = 0

    async def run(self, streams: int, happening, clients: int = 4) -> Tally:
        """Runs streams and requests during `happening`, the coroutine of the incident, and until all of them are
        complete."""
        began = time.monotonic()
        tasks = [asyncio.create_task(self._one("m-slow", True, f"{self._name}-stream-{number}")) for number in range(streams)]
        tasks += [asyncio.create_task(self._others(number)) for number in range(clients)]
        try:
            await happening
        finally:
            self._over.set()
            await asyncio.gather(*tasks)
        self.tally.seconds = time.monotonic() - began
        return self.tally

    async def requests(self, count: int):
        """Returns once `count` further requests have been answered."""
        aim = self._answered + count
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._answered < aim:
            assert time.monotonic() < deadline, f"{self._answered} of {aim} requests were answered"
            await asyncio.sleep(0.01)

    async def _others(self, client: int):
        number = 0
        while not self._over.is_set():
            await self._one("m", False, f"{self._name}-{client}-{number}")
            number += 1
            self._answered += 1
            # Paced, so that the streams get processor time too.
            await asyncio.sleep(0.02)

    async def _one(self, model: str, stream: bool, name: str):
        client = Client(self._address, self._key)
        self.tally.ids.append(name)
        try:
            answer = await client.ask(model, stream, name)
            self.tally.statuses[answer.status] += 1
            self.tally.slowest = max(self.tally.slowest, 0 if stream else answer.seconds)
            if answer.status != 200 or stream and not answer.is_whole_stream:
                self.tally.failures.append(f"{name}: {answer.status} {answer.body[-200:]!r}")
        except (OSError, EOFError, asyncio.TimeoutError) as error:
            self.tally.failures.append(f"{name}: {error!r}")
        finally:
            client.close()
