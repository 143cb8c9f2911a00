"""Storms of clients: 2,000 that send almost nothing for a minute, and 100,000 streams that are aborted in every phase.

    storms.py [SECONDS [STREAMS]]

Exits with 1 if a real client's p99 next to the slow clients is more than twice that next to as many idle ones, or if
memory or descriptors are not back within 5 % after the aborted streams.
"""

import asyncio
import multiprocessing
import os
import random
import resource
import socket
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "SDK"))

from gateways import KEY, KEYS, Gateway
from upstreams import STREAM_END, event

ATTACKERS = 2000
# Seconds between the bytes of a slow client. At this pace, a whole head takes longer than the gateway allows.
DRIP_SECONDS = 1
AT_ONCE = 100
# Permitted ratio to the earlier state, and the bytes of rounding that do not count as growth.
TOLERANCE, PAGE = 1.05, 1 << 20


async def upstream(reader, writer):
    """Streams slowly, so that clients disconnect in the middle of a stream."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            await reader.readexactly(int(head.partition("content-length:")[2].partition("\r\n")[0] or 0))
            await asyncio.sleep(0.002)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
            for piece in [event("a "), event("b "), event("c "), STREAM_END]:
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                await writer.drain()
                await asyncio.sleep(0.002)
            writer.write(b"0\r\n\r\n")
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        writer.close()


def request(address: str) -> bytes:
    body = b'{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}'
    return (b"POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            % (address.encode(), KEY.encode(), len(body), body))


async def latencies(address: str, seconds: float) -> list:
    """Returns the latencies of sequential requests on one connection."""
    host, port = address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        writer.write(request(address))
        await reader.readuntil(b"0\r\n\r\n")
        found.append(time.monotonic() - start)
    writer.close()
    return sorted(found)


async def attack(address: str, is_active: bool):
    """Runs attackers forever; they connect again when the gateway disconnects them."""
    host, port = address.split(":")
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"a" * 100

    async def attacker():
        await asyncio.sleep(random.random() * DRIP_SECONDS)
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection(host, int(port))
                for octet in head if is_active else b"":
                    writer.write(bytes([octet]))
                    await writer.drain()
                    await asyncio.sleep(DRIP_SECONDS)
                await reader.read()
            except OSError:
                # One that cannot connect must not end all others, nor try without a pause.
                if not writer:
                    await asyncio.sleep(DRIP_SECONDS)
            finally:
                if writer:
                    writer.close()

    await asyncio.gather(*(attacker() for _ in range(ATTACKERS)))


async def beside(address: str, is_active: bool, seconds: float) -> list:
    """Returns the latencies of a real client next to attackers, which run in a separate process."""
    attackers = multiprocessing.Process(target=lambda: asyncio.run(attack(address, is_active)))
    attackers.start()
    await asyncio.sleep(DRIP_SECONDS * 2)
    try:
        found = await latencies(address, seconds)
        assert attackers.is_alive(), "the attackers ended before the measurement did"
        return found
    finally:
        attackers.kill()
        attackers.join()


async def abort(address: str, phase: int):
    """Aborts a stream in the head, in the body, before the first event, in the middle, or at the end."""
    host, port = address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    whole = request(address)
    try:
        writer.write(whole[:40] if phase == 0 else whole[:-20] if phase == 1 else whole)
        await writer.drain()
        if phase == 3:
            await reader.readuntil(b"a ")
        elif phase == 4:
            await reader.readuntil(b"[DONE]")
        if random.random() < 0.5:
            # The client resets the connection instead of closing it in an orderly way.
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    writer.close()


async def aborts(address: str, count: int):
    async def some():
        for number in range(count // AT_ONCE):
            await abort(address, number % 5)

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))


def resident(process: int) -> int:
    return int(Path(f"/proc/{process}/status").read_text().partition("RssAnon:")[2].split()[0]) * 1024


def descriptors(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


async def settled(process: int, most: int) -> int:
    """Returns the number of descriptors once it is at most `most`; upstream connections stay open for 50 s."""
    for _ in range(700):
        if descriptors(process) <= most:
            break
        await asyncio.sleep(0.1)
    return descriptors(process)


async def run(folder: Path, seconds: float, streams: int) -> list:
    server = await asyncio.start_server(upstream, "127.0.0.1", 0, backlog=1000)
    port = server.sockets[0].getsockname()[1]
    gateway = Gateway(
        folder, f'listen: "127.0.0.1:0"\nupstreams: {{a: {{kind: openai, base_url: "http://127.0.0.1:{port}/v1"}}}}\n'
        f'models: {{"*": {{upstream: a}}}}\nlog: {{level: error}}\n{KEYS}')
    faults = []
    try:
        address = urlsplit(gateway.urls[0]).netloc
        open_before = descriptors(gateway.pid)
        idle = await beside(address, False, seconds / 4)
        slow = await beside(address, True, seconds)
        before, after = idle[len(idle) * 99 // 100], slow[len(slow) * 99 // 100]
        print(f"p99 beside {ATTACKERS} idle clients {before * 1000:.1f} ms ({len(idle)} requests), beside as many slow "
              f"ones {after * 1000:.1f} ms ({len(slow)})", flush=True)
        if after > 2 * before:
            faults.append("slow clients hold up a real one")
        # This first run lets buffers grow to the size that the load needs.
        await aborts(address, streams // 10)
        open_before = await settled(gateway.pid, open_before)
        memory_before = resident(gateway.pid)
        start = time.monotonic()
        await aborts(address, streams)
        took = time.monotonic() - start
        open_after = await settled(gateway.pid, int(open_before * TOLERANCE))
        memory_after = resident(gateway.pid)
        print(f"{streams} aborted streams in {took:.0f} s: {memory_before >> 10} to {memory_after >> 10} KiB, "
              f"{open_before} to {open_after} descriptors", flush=True)
        if memory_after > memory_before * TOLERANCE + PAGE:
            faults.append("memory is not back")
        if open_after > open_before * TOLERANCE:
            faults.append("descriptors are not back")
    finally:
        code = gateway.stop()
        server.close()
    return faults + ([f"the gateway ended with {code}"] if code else [])


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    duration = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory(prefix="headgate-storms-", dir="/tmp") as place:
        found = asyncio.run(run(Path(place), duration, count))
    for fault in found:
        print(f"  {fault}")
    sys.exit(1 if found else 0)
