"""An upstream program that streams at a pace, and refuses requests on demand.

    failing_upstream.py PORT     listens on 127.0.0.1; prints the port, and a line for each chat

`POST /refuse` with {"retry_after": SECONDS or null} makes it respond with 429 until `POST /serve`; `GET /count`
returns the number of chats it has received.
"""

import asyncio
import json
import sys

from upstreams import STREAM_END, event

EVENTS = 10
PACE_SECONDS = 0.02
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


class Upstream:
    def __init__(self):
        self.count = 0
        self.refusal = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        try:
            while True:
                await self._exchange(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _exchange(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = head.partition("content-length:")[2].partition("\r\n")[0]
        body = await reader.readexactly(int(length or 0))
        path = head.split(" ")[1]
        if path.endswith("/chat/completions"):
            self.count += 1
            print("chat", flush=True)
            return await self._chat(writer)
        if path == "/refuse":
            self.refusal = json.loads(body)
        elif path == "/serve":
            self.refusal = None
        await self._answer(writer, "200 OK", "", str(self.count).encode())

    async def _chat(self, writer):
        if self.refusal is not None:
            seconds = self.refusal["retry_after"]
            field = "" if seconds is None else f"Retry-After: {seconds}\r\n"
            return await self._answer(writer, "429 Too Many Requests", field, b'{"error":{"message":"slow down"}}')
        writer.write(HEAD)
        for number in range(EVENTS):
            await asyncio.sleep(PACE_SECONDS)
            self._chunk(writer, event(f"{number} "))
            await writer.drain()
        self._chunk(writer, STREAM_END)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    @staticmethod
    def _chunk(writer, data: bytes):
        writer.write(b"%x\r\n%b\r\n" % (len(data), data))

    @staticmethod
    async def _answer(writer, status: str, field: str, body: bytes):
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{field}Content-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()


async def main(port: int):
    server = await asyncio.start_server(Upstream().serve, "127.0.0.1", port, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
