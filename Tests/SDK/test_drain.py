"""Shutdown of a gateway: the end of each kind of request, and the duration with every feature on."""

import contextlib
import json
import sqlite3
import threading
import time

import pytest

from collectors import Collector
from gateways import gateways, key_line, wait_until  # noqa: F401  (a fixture)
from patience import SLOWDOWN
from upstreams import Upstream

DRAIN_SECONDS = 1
# Seconds beyond the drain timeout, for clients to read their last event, and for pending writes.
REST_SECONDS = 1 * SLOWDOWN


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


@pytest.fixture
def collector():
    with contextlib.closing(Collector()) as collector:
        yield collector


def configuration(folder, upstream, collector, drain: str) -> str:
    return f"""
listen: 127.0.0.1:0
metrics: true
log: {{file: {folder}/access.log}}
ledger: "sqlite:{folder}/usage.db"
tracing: {{otlp: "{collector.url}"}}
cache: {{folder: {folder}/cache}}
responses: {{store: 1h, file: {folder}/responses.db}}
limits: {{drain: {drain}}}
upstreams:
  up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}
  narrow: {{kind: openai, base_url: "{upstream.url}", max_in_flight: 1, queue_timeout: 1m}}
models:
  held: {{upstream: narrow, model: gated}}
  queued: {{upstream: narrow, model: chat}}
  left: {{upstream: up, model: gated, on_disconnect: detach}}
  cached: {{upstream: up, model: chat, cache: {{ttl: 1h}}}}
  "*": {{upstream: up, retry: {{attempts: 3, backoff: 1ms}}}}
keys: [{key_line()[:-1]}, admin: true}}]
"""


@pytest.fixture
def start(gateways, upstream, collector):  # noqa: F811
    def start(drain: str):
        (gateways.folder / "cache").mkdir(mode=0o700)
        return gateways.start(
            configuration(gateways.folder, upstream, collector, drain), HEADGATE_LEDGER="",
            OTEL_BSP_SCHEDULE_DELAY="60000")

    start.folder = gateways.folder
    return start


def queued_at(gateway) -> bool:
    with gateway.connect() as client:
        return b'headgate_queue_depth{upstream="narrow"} 1' in client.ask("GET", "/metrics").body


def test_shutdown_with_every_feature_on_keeps_its_promises(start, collector):
    """Expects an exit within the drain timeout and REST_SECONDS. Each request has its end, its line, its row and its
    span."""
    gateway = start(f"{DRAIN_SECONDS}s")
    with gateway.connect() as client:
        assert client.chat("cached").status == 200
    with gateway.connect() as leaving:
        stream = leaving.stream("left")
        assert stream.next_text()
    with gateway.connect() as one, gateway.connect() as two, gateway.connect() as three:
        streams = [one.stream("gated"), two.stream("held")]
        assert all(stream.next_text() for stream in streams)
        answers = []
        waiting = threading.Thread(target=lambda: answers.append((three.chat("queued"), time.monotonic())))
        waiting.start()
        wait_until(lambda: queued_at(gateway), "a request that waits for its upstream")
        began = time.monotonic()
        gateway.terminate()
        waiting.join()
        answer, instant = answers[0]
        assert (answer.status, answer.code) == (503, "gateway_shutdown")
        assert answer.headers["Retry-After"] == "1"
        assert instant - began < DRAIN_SECONDS, "it does not wait for the end of the drain"
        for stream in streams:
            assert json.loads(stream.rest()[-1])["error"]["code"] == "gateway_shutdown"
    assert gateway.wait() == 0
    assert time.monotonic() - began < DRAIN_SECONDS + REST_SECONDS

    lines = [json.loads(line) for line in (start.folder / "access.log").read_text().splitlines()]
    # Health, metrics and similar requests have no model operation.
    ended = [line for line in lines if line.get("operation") == "createChatCompletion"]
    outcomes = ["client_gone", "drained", "drained", "finished", "refused"]
    assert sorted(line["outcome"] for line in ended) == outcomes
    with contextlib.closing(sqlite3.connect(start.folder / "usage.db")) as ledger:
        rows = ledger.execute("SELECT request_id, outcome FROM requests").fetchall()
    assert sorted(rows) == sorted((line["request_id"], line["outcome"]) for line in ended)
    traces = [span.trace for span in collector.spans() if span.is_server]
    assert {line["trace_id"] for line in ended} <= set(traces)


def test_second_signal_ends_requests_in_flight_at_once(start):
    gateway = start("1m")
    with gateway.connect() as client:
        stream = client.stream("gated")
        assert stream.next_text()
        gateway.terminate()
        gateway.wait_for_log("finishing what is in flight")
        began = time.monotonic()
        gateway.terminate()
        assert json.loads(stream.rest()[-1])["error"]["code"] == "gateway_shutdown"
    assert gateway.wait() == 0
    assert time.monotonic() - began < REST_SECONDS
