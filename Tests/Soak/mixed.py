"""Mixed load: twelve models of three kinds of upstreams that refuse, fail, stall and break off. Clients of five
dialects use them and sometimes disconnect, while the configuration is reloaded every ten seconds, the clients' key is
rotated, and the wall clock steps by up to a day in both directions. Prints the gateway's resources each minute. Exits
with 1 if they grow, if a client received an unexpected response, if a request is in flight at the end, or if the
metrics, the log and the ledger do not each have every request once.

    mixed.py [10m]              or 24h, 90s
"""

import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import struct
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "SDK"))

import preloads
from child import Child
from conftest import binary, environment

CLIENTS = 24
RELOAD_SECONDS = 10
# Time from a rotation of the key to a step of the clock, and from there to the next rotation.
CHANGE_SECONDS = 4
# Steps of the clock, in seconds from the real time.
STEPS = (86_400, 0, -86_400, 3_600, -3_600)
# Longest pause between two requests of a client, in seconds.
PAUSE_SECONDS = 0.5
WORDS = "some words of an answer ".split(" ")
KINDS = {
    "chat": "kind: openai, speaks: [chat]", "messages": "kind: anthropic",
    "responses": "kind: openai, speaks: [responses]"}
# Members of a request besides its model, by path.
ROUTES = {
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "Hi"}]},
    "/v1/completions": {"prompt": "Hi"},
    "/v1/messages": {"max_tokens": 64, "messages": [{"role": "user", "content": "Hi"}]},
    "/v1/responses": {"input": "Hi", "store": False},
    "/api/chat": {"messages": [{"role": "user", "content": "Hi"}]},
}
ENDS = {
    "/v1/chat/completions": b"data: [DONE]\n\n", "/v1/completions": b"data: [DONE]\n\n",
    "/v1/messages": b'"message_stop"', "/v1/responses": b'"response.completed"', "/api/chat": b'"done":true'}
# Permitted statuses for a model with a single failing upstream.
FAILED = {429, 500, 502, 504}


def configuration(port: int, folder: Path, number: int = 0) -> str:
    """Returns the configuration of a reload, with or without a model that no client uses."""
    upstreams = "".join(
        f'  {kind}-{mood}: {{{setting}, base_url: "http://127.0.0.1:{port}/{mood}/v1", api_key: "${{SOAK_KEY}}", '
        "timeouts: {silence: 10s}, breaker: {failures: 1000}}\n"
        for kind, setting in KINDS.items() for mood in ("good", "flaky"))
    models = "".join(
        f"  {kind}-good: {{upstream: {kind}-good}}\n  {kind}-flaky: {{upstream: {kind}-flaky}}\n"
        f"  {kind}-pair: {{targets: [{{upstream: {kind}-flaky}}, {{upstream: {kind}-good}}], "
        "retry: {budget: 100%}}\n"
        for kind in KINDS)
    return (
        f"listen: 127.0.0.1:0\nupstreams:\n{upstreams}models:\n{models}"
        "  cached: {upstream: chat-good, cache: {ttl: 10s}}\n"
        "  hedged: {targets: [{upstream: chat-good}, {upstream: messages-good}], hedge: {after: 50ms}}\n"
        "  detached: {upstream: chat-good, on_disconnect: detach}\n"
        + number % 2 * "  other: {upstream: chat-good}\n"
        + f"ledger: sqlite:{folder}/usage.db\nlog: {{format: json}}\nmetrics: true\n"
        # Streams whose clients have left are held for ten minutes otherwise, and memory grows until then.
        "streams: {ttl: 30s}\n")


# MARK: The upstreams

def events(path: str, count: int) -> list:
    """Returns the events of a stream, and the complete response."""
    texts = random.choices(WORDS, k=count)
    text = " ".join(texts)
    if path.endswith("/completions") and not path.endswith("/chat/completions"):
        made = [{"choices": [{"index": 0, "text": word}]} for word in texts]
        made.append({"choices": [{"index": 0, "text": "", "finish_reason": "stop"}]})
        whole = {"choices": [{"index": 0, "text": text, "finish_reason": "stop"}]}
    elif path.endswith("/chat/completions"):
        made = [{"id": "c", "choices": [{"index": 0, "delta": {"content": word}}]} for word in texts]
        made.append({"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        whole = {"id": "c", "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
    elif path.endswith("/messages"):
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": None,
                   "usage": {"input_tokens": 1, "output_tokens": 1}, "content": []}
        made = [{"type": "message_start", "message": message},
                {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}]
        made += [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}
                 for word in texts]
        made += [{"type": "content_block_stop", "index": 0},
                 {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": count}},
                 {"type": "message_stop"}]
        whole = {**message, "stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}
    else:
        item = {"id": "i", "type": "message", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}]}
        whole = {"id": "r", "object": "response", "status": "completed", "model": "m", "output": [item],
                 "usage": {"input_tokens": 1, "output_tokens": count, "total_tokens": count + 1}}
        made = [{"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
                {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
                {"type": "response.content_part.added", "output_index": 0, "content_index": 0, "item_id": "i",
                 "part": {"type": "output_text", "text": "", "annotations": []}}]
        made += [{"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "i",
                  "delta": word} for word in texts]
        made += [{"type": "response.output_item.done", "output_index": 0, "item": item},
                 {"type": "response.completed", "response": whole}]
    lines = []
    for event in made:
        name = f"event: {event['type']}\n" if "type" in event else ""
        lines.append(f"{name}data: {json.dumps(event)}\n\n".encode())
    if path.endswith("completions"):
        lines.append(b"data: [DONE]\n\n")
    return lines, whole


async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = int(head.lower().partition("content-length:")[2].partition("\r\n")[0] or 0)
            body = json.loads(await reader.readexactly(length) or b"{}")
            path = head.split(" ")[1]
            if not await answer(path, body.get("stream") is True, writer):
                break
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        pass
    writer.close()


async def answer(path: str, is_stream: bool, writer) -> bool:
    """Sends a response; returns False if the connection must be closed."""
    fate = random.random() if path.startswith("/flaky/") else 1
    if fate < 0.15:
        return await plain(writer, "429 Too Many Requests", b'{"error":{"message":"slow down"}}', "retry-after: 1\r\n")
    if fate < 0.25:
        return await plain(writer, "500 Internal Server Error", b'{"error":{"message":"oh"}}')
    if fate < 0.30:
        return False
    lines, whole = events(path, random.randint(1, 40))
    if not is_stream:
        return await plain(writer, "200 OK", json.dumps(whole).encode())
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    for number, line in enumerate(lines):
        if fate < 0.35 and number == len(lines) // 2:
            return False
        if fate < 0.36 and number == len(lines) // 2:
            await asyncio.sleep(12)
        writer.write(b"%x\r\n%s\r\n" % (len(line), line))
        await writer.drain()
        await asyncio.sleep(0.005)
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


async def plain(writer, status: str, body: bytes, fields: str = "") -> bool:
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n{fields}\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    return True


# MARK: The clients

async def exchange(reader, writer, path: str, body: bytes, leaves: bool):
    """Returns the status, the body (None if the client disconnects), and whether the connection can be reused."""
    port = writer.get_extra_info("peername")[1]
    writer.write(
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {client_key}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split(" ")[1])
    if leaves:
        return status, None, False
    is_kept = "connection: close" not in head
    if "content-length:" in head:
        length = int(head.partition("content-length:")[2].partition("\r\n")[0])
        return status, await reader.readexactly(length), is_kept
    parts = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        parts.append((await reader.readexactly(size + 2))[:-2])
    await reader.readuntil(b"\r\n")
    return status, b"".join(parts), is_kept


async def client(port: int, models: list, end: float, told: Counter, wrong: list):
    connection = None
    while time.monotonic() < end:
        path, model = random.choice(list(ROUTES)), random.choice(models)
        if path == "/v1/completions" and not model.startswith("chat"):
            continue
        is_stream, leaves = random.random() < 0.7, random.random() < 0.05
        body = json.dumps({"model": model, "stream": is_stream, **ROUTES[path]}).encode()
        is_new = connection is None
        if is_new:
            connection = await asyncio.open_connection("127.0.0.1", port)
        try:
            status, content, is_kept = await asyncio.wait_for(exchange(*connection, path, body, leaves), 60)
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError) as error:
            # The gateway can have closed a reused connection, as after a stream that broke off.
            if is_new or getattr(error, "partial", b"") != b"":
                wrong.append(f"{path} {model}: {error!r}"[:300])
            status, content, is_kept = 0, None, False
        told[status] += 1
        await asyncio.sleep(random.random() * PAUSE_SECONDS)
        check(path, model, is_stream, status, content, wrong)
        if not is_kept or random.random() < 0.2:
            connection[1].close()
            connection = None


def check(path: str, model: str, is_stream: bool, status: int, content, wrong: list):
    if content is None:
        return
    if status != 200:
        if "flaky" not in model or status not in FAILED:
            wrong.append(f"{path} {model}: {status} {content[:200]!r}")
    elif is_stream and ENDS[path] not in content and b"error" not in content:
        wrong.append(f"{path} {model}: a stream without its end, {content[-200:]!r}")
    elif is_stream and ENDS[path] not in content and "flaky" not in model and "pair" not in model:
        wrong.append(f"{path} {model}: broke off, {content[-200:]!r}")


# MARK: The run

KEY = "hg-soak-of-all-models-0123456789"
# The clients' current key.
client_key = ""


async def run(minutes: float, folder: Path) -> list:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    path, figures, key, clock = (folder / name for name in ("headgate.yaml", "bytes", "key", "clock"))
    path.write_text(configuration(port, folder))
    key.write_text(KEY)
    clock.write_bytes(bytes(8))
    libraries = [preloads.preload(name, folder, Path(__file__).parent) for name in ("statistics", "clock")]
    surroundings = environment(
        folder, SOAK_KEY="sk-of-the-soak", HEADGATE_LEDGER=None, HEADGATE_KEY_FILE=str(key),
        HEADGATE_SOAK_BYTES=str(figures), HEADGATE_SOAK_CLOCK=str(clock),
        LD_PRELOAD=":".join(map(str, libraries)))
    child = Child([binary("headgate"), "serve", "--config", path], folder / "log", surroundings)
    address = child.wait_for_line(r"listening on http://127\.0\.0\.1:(\d+)")[1]
    budget = {"tokens": "900000M", "every": "day"}
    change_key(int(address), "", {"name": "soak", "limits": {"requests": "900000/m"}, "budget": budget})
    told, wrong, rows = Counter(), [], []
    begin = time.monotonic()
    end = begin + minutes * 60
    lines = path.read_text().partition("models:\n")[2].splitlines()
    models = [line.strip().split(":")[0] for line in lines if line.startswith("  ")]
    clients = [asyncio.create_task(client(int(address), models, end, told, wrong)) for _ in range(CLIENTS)]
    clients.append(asyncio.create_task(reload(child, path, port, end)))
    clients.append(asyncio.create_task(unsettle(int(address), clock, end)))
    process = child.pid
    print("minute requests live_bytes descriptors wrong statuses", flush=True)
    while time.monotonic() < end:
        await asyncio.sleep(min(60, max(0.1, end - time.monotonic())))
        live, descriptors = int(figures.read_text() or 0), len(os.listdir(f"/proc/{process}/fd"))
        minute = (time.monotonic() - begin) / 60
        rows.append((minute, live, descriptors))
        statuses = dict(sorted(told.items()))
        print(f"{minute:5.1f} {told.total():8} {live:10} {descriptors:4} {len(wrong):4} {statuses}", flush=True)
    await asyncio.gather(*clients)
    metrics = await asyncio.to_thread(settled, int(address))
    assert child.stop() == 0
    server.close()
    return wrong + grown(rows) + uncounted(folder, metrics)


async def reload(child: Child, path: Path, port: int, end: float):
    number = 0
    while time.monotonic() < end:
        await asyncio.sleep(RELOAD_SECONDS)
        number += 1
        new = path.with_suffix(".new")
        new.write_text(configuration(port, path.parent, number))
        new.rename(path)
        os.kill(child.pid, signal.SIGHUP)


async def unsettle(port: int, clock: Path, end: float):
    """Rotates the clients' key and steps the clock by turns. A step forward ends the grace of the former key."""
    number = 0
    while time.monotonic() < end:
        await asyncio.to_thread(change_key, port, "/soak/rotate", {"grace": "1m"})
        await asyncio.sleep(CHANGE_SECONDS)
        with clock.open("r+b") as file:
            file.write(struct.pack("q", STEPS[number % len(STEPS)]))
        number += 1
        await asyncio.sleep(CHANGE_SECONDS)


def change_key(port: int, path: str, wish: dict):
    global client_key
    client_key = json.loads(admin(port, f"/v1/admin/keys{path}", json.dumps(wish).encode()))["key"]


def admin(port: int, path: str, body: bytes = None) -> str:
    fields = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, fields)
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read().decode()


def settled(port: int) -> str:
    """Returns the metrics once no request is in flight, because a detached one continues for a while."""
    for _ in range(60):
        metrics = admin(port, "/metrics")
        if not re.search(r"^headgate_(requests_in_flight|queue_depth|ledger_pending)\S* [1-9]", metrics, re.M):
            break
        time.sleep(1)
    return metrics


# Operations that the ledger does not have.
OTHERS = r"get|list|\w+Key\b"


def uncounted(folder: Path, metrics: str) -> list:
    """Returns discrepancies: each request must have one outcome in the metrics, one log line and one row in the
    ledger."""
    found = re.findall(r"^(headgate_(?:requests_in_flight|queue_depth|ledger_pending)\S*) ([1-9]\S*)", metrics, re.M)
    left = [f"{name} is {value} at the end" for name, value in found]
    counted = sum(
        int(value) for value in
        re.findall(rf'^headgate_requests_total\{{[^}}]*operation="(?!{OTHERS})[^}}]*\}} (\d+)', metrics, re.M))
    lines = [json.loads(line) for line in (folder / "log").read_text().splitlines() if line.startswith("{")]
    lines = [line for line in lines if "outcome" in line and not re.match(OTHERS, str(line["operation"]))]
    logged, identities = len(lines), [line["request_id"] for line in lines]
    twice = len(identities) - len(set(identities))
    with sqlite3.connect(folder / "usage.db") as database:
        written = database.execute("SELECT count(*) FROM requests").fetchone()[0]
    print(f"requests: {counted} in the metrics, {logged} in the log ({twice} ids twice), {written} in the ledger")
    if not counted == logged == written or twice:
        left.append("a request was counted twice, or not at all")
    if len({line["time"][:10] for line in lines}) < 3:
        left.append("the clock did not step by days")
    return left


def grown(rows: list) -> list:
    """Returns the resources that grew in the last two thirds of the time; descriptors count only after two minutes."""
    late = [live for minute, live, _ in rows if minute >= rows[-1][0] / 3]
    open_files = [count for minute, _, count in rows if minute >= 2]
    found = []
    if len(late) > 3:
        half = len(late) // 2
        first, second = sorted(late[:half])[half // 2], sorted(late[half:])[(len(late) - half) // 2]
        print(f"live bytes, median of the earlier half {first}, of the later {second}")
        if second > first * 1.05 + 65_536:
            found.append(f"live bytes grow from {first} to {second}")
    if open_files and max(open_files) > min(open_files) + 2 * CLIENTS:
        found.append(f"descriptors between {min(open_files)} and {max(open_files)}")
    return found


if __name__ == "__main__":
    text = sys.argv[1] if len(sys.argv) > 1 else "10m"
    duration = float(text[:-1]) * {"s": 1 / 60, "m": 1, "h": 60}[text[-1]]
    # The path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="headgate-soak-", dir="/tmp") as place:
        faults = asyncio.run(run(duration, Path(place)))
    for fault in faults[:20]:
        print(f"  {fault}")
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)
