"""Costs that grow with size: memory of a large body, and the start time with many models."""

import contextlib
import json
import os
import re
import time
from pathlib import Path

import pytest

from child import Child
from conftest import binary, environment
from gateways import KEYS, gateways
from patience import SLOWDOWN
from upstreams import Upstream, event

# The tests measure memory and time.
pytestmark = pytest.mark.serial

MEBIBYTE = 1 << 20
# AddressSanitizer retains freed memory for a while to detect its use, and ThreadSanitizer adds shadow memory.
needs_allocator = pytest.mark.skipif(
    "HEADGATE_TEST_SANITIZER" in os.environ, reason="a sanitizer keeps memory that was freed, or adds its own")


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


def peak_bytes(gateway, name: str = "VmHWM") -> int:
    status = Path(f"/proc/{gateway.pid}/status").read_text()
    return int(re.search(rf"^{name}:\s+(\d+) kB$", status, re.M)[1]) * 1024


def resident_bytes(gateway) -> int:
    return peak_bytes(gateway, "VmRSS")


@needs_allocator
def test_large_body_costs_at_most_one_copy_more_than_its_size(gateways, upstream):
    gateway = gateways.start(
        "listen: 127.0.0.1:0\nloops: 1\n"
        f'upstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        # The upstream's name for the model differs, so that the gateway must rewrite the body.
        "models: {public: {upstream: up, model: inner}}\n" + KEYS)
    with gateway.connect() as connection:
        assert connection.chat("public").status == 200
        before = peak_bytes(gateway)
        size = 31 * MEBIBYTE
        large = {"model": "public", "messages": [{"role": "user", "content": "x" * size}]}
        assert connection.ask("POST", "/v1/chat/completions", large).status == 200
        grown = peak_bytes(gateway) - before
    assert len(upstream.requests[-1][2]) > size
    print(f"a body of {size / MEBIBYTE:.0f} MiB took {grown / MEBIBYTE:.1f} MiB")
    assert grown < 2 * size + 4 * MEBIBYTE


@needs_allocator
def test_streams_with_large_events_cost_little_more_than_the_events(gateways, upstream):
    streams = 64
    size = upstream.image_bytes = 4 * MEBIBYTE
    gateway = gateways.start(
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        'models: {"*": {upstream: up}}\n' + KEYS)
    with contextlib.ExitStack() as connections:
        before = peak_bytes(gateway)
        opened = [connections.enter_context(gateway.connect()).stream("image").response for _ in range(streams)]
        # The gateway first has each line except its end; then each line is complete and unread.
        upstream.begun.wait_for(streams, 60)
        held = peak_bytes(gateway) - before
        upstream.release.set()
        upstream.ended.wait_for(streams, 60)
        sizes = [sum(len(piece) for piece in iter(lambda: response.read(MEBIBYTE), b"")) for response in opened]
    assert all(size < received < size + 2048 for received in sizes), sizes
    grown = peak_bytes(gateway) - before
    print(f"{streams} events of {size / MEBIBYTE:.0f} MiB took {held / MEBIBYTE:.0f} MiB while they came, "
          f"{grown / MEBIBYTE:.0f} MiB in all")
    assert grown < 1.5 * streams * size + 64 * MEBIBYTE


def test_event_above_the_configured_limit_ends_its_stream(gateways, upstream):
    upstream.image_bytes = MEBIBYTE
    upstream.release.set()
    gateway = gateways.start(
        "listen: 127.0.0.1:0\nlimits: {event: 512KiB}\n"
        f'upstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        'models: {"*": {upstream: up}}\n' + KEYS)
    gateway.wait_for_log("512 KiB per event")
    with gateway.connect() as connection:
        events = connection.stream("image").rest()
        assert len(events) == 2
        assert json.loads(events[1])["error"]["code"] == "upstream_oversize_event"
        assert "limits: {event: ...}" in events[1]


def test_start_with_a_thousand_models_takes_no_time(gateways, upstream):
    models = "".join(f"  model-{number}: {{upstream: up-{number % 20}}}\n" for number in range(1000))
    ups = "".join(
        f'  up-{number}: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
        for number in range(20))
    text = f"listen: 127.0.0.1:0\nupstreams:\n{ups}models:\n{models}{KEYS}"
    started = time.monotonic()
    gateway = gateways.start(text)
    taken = time.monotonic() - started
    with gateway.connect() as connection:
        assert len(connection.ask("GET", "/v1/models").document["data"]) == 1000
    # The promise is 50 ms for the release build; this build can be a debug build on a busy machine.
    print(f"ready after {taken * 1000:.0f} ms")
    assert taken < 5 * SLOWDOWN


@needs_allocator
def test_held_stream_costs_two_descriptors_and_little_memory(gateways, tmp_path):
    """Checks the assumptions of docs/scaling.md."""
    words = event("word ").decode()
    script = {"exchanges": [{"response": {
        "headers": {"Content-Type": "text/event-stream"}, "chunks": [{"text": words}], "end": "stall"}}], "repeat": True}
    (tmp_path / "script.json").write_text(json.dumps(script))
    child = Child(
        [binary("headgate-upstream"), "--listen", "127.0.0.1:0", "--script", tmp_path / "script.json"], tmp_path / "log",
        environment(tmp_path))
    try:
        address = child.wait_for_line(r"listening on (127\.0\.0\.1:\d+)")[1]
        gateway = gateways.start(
            "listen: 127.0.0.1:0\n"
            f'upstreams: {{up: {{kind: openai, base_url: "http://{address}/v1"}}}}\nmodels: {{"*": {{upstream: up}}}}\n' + KEYS)
        with contextlib.ExitStack() as connections:
            def hold(count: int) -> tuple:
                for _ in range(count):
                    connections.enter_context(gateway.connect()).stream("m").next_text()
                return len(os.listdir(f"/proc/{gateway.pid}/fd")), resident_bytes(gateway)

            # The first streams include one-time allocations.
            before, after = hold(200), hold(400)
        assert after[0] - before[0] == 2 * 400
        each = (after[1] - before[1]) / 400
        print(f"a held stream takes {each / 1024:.1f} KiB")
        assert each < 10 * 1024
    finally:
        child.stop()
