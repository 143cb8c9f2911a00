"""An upgrade of a gateway with its ledger and keys in PostgreSQL, and its limits, cache and streams in Redis."""

import asyncio
import contextlib
import json
import os
import re
import secrets
import signal
from pathlib import Path

import pytest

from connections import Connection
from crowd import Crowd
from gateways import KEY, Gateway, command, short_folder, wait_until
from paced_upstream import USAGE, PacedUpstream
from replicas import key_entry, new_key, stores  # noqa: F401  (one is a fixture)
from test_local_servers import wait_for_end
from test_replicas_faults import wait_for_ledger

STREAMS = 40
BUDGET = 6000
# A request reserves a quarter of its bytes, and 4,096 tokens of output.
RESERVE = 4096 + 100


class Shared:
    """A gateway with shared stores, which is upgraded once."""

    def __init__(self, folder: Path, stores, upstream: str, drain: str):  # noqa: F811
        self._folder = folder
        self.keys = {"admin": KEY, "few": new_key(), "frugal": new_key()}
        self.gateway = Gateway(folder, f"""
listen: 127.0.0.1:0
limits: {{drain: {drain}}}
{stores.configuration}
cache: {{redis: counters}}
upstreams: {{up: {{kind: openai, base_url: "{upstream}", api_key: "${{UPSTREAM_KEY}}"}}}}
models:
  cached: {{upstream: up, cache: {{ttl: 1h}}}}
  detached: {{upstream: up, on_disconnect: detach}}
  "*": {{upstream: up}}
keys:
- {key_entry("admin", KEY, "admin: true")}
- {key_entry("few", self.keys["few"], "limits: {in_flight: 3, requests: 20/d}")}
- {key_entry("frugal", self.keys["frugal"], f"budget: {{tokens: {BUDGET}, every: month}}")}
""", HEADGATE_LEDGER="", **stores.variables)
        self._successor = None

    def upgrade(self):
        result = command(self._folder, "upgrade", "--pid", self.gateway.pid)
        assert result.returncode == 0, result.stderr
        self._successor = int(re.search(r"to process (\d+)", result.stdout)[1])

    def connect(self, key: str = "admin") -> Connection:
        return self.gateway.connect(key=self.keys[key])

    def statuses(self, key: str, count: int) -> list:
        """Sends requests over one connection: the use of each is settled before the next is counted. Between two
        connections, the settlement of one event loop can reach Redis after the next claim of another."""
        with self.connect(key) as client:
            return [client.chat("m").status for _ in range(count)]

    def end(self):
        # This comes first, because the former process's output ends with the last process that has it open.
        if self._successor:
            os.kill(self._successor, signal.SIGTERM)
            wait_for_end(self._successor)
        if self.gateway.is_running:
            self.gateway.stop()


@pytest.fixture
def shared(stores):  # noqa: F811
    # Its streams take three seconds.
    with contextlib.closing(PacedUpstream(pace=0.12)) as upstream, short_folder() as path:
        started = []

        def start(drain: str = "30s") -> Shared:
            started.append(Shared(Path(path), stores, upstream.url, drain))
            return started[0]

        yield start
        for each in started:
            each.end()


@pytest.mark.serial
def test_upgrade_continues_shared_limits_and_loses_no_request(shared, stores):  # noqa: F811
    shared = shared()
    crowd, held = Crowd(shared.gateway.urls[0], KEY, f"crowd-{secrets.token_hex(4)}"), []

    def before():
        with shared.connect() as admin:
            shared.keys["guest"] = admin.ask("POST", "/v1/admin/keys", {"name": "guest"}).document["key"]
        with shared.connect("guest") as guest:
            assert guest.chat("cached").status == 200
        # Their streams end in the former process.
        held.extend(shared.connect("few") for _ in range(3))
        streams.extend(client.stream("m-slow") for client in held)
        assert shared.statuses("few", 1) == [429], "three are in flight"
        assert shared.statuses("frugal", 40) == [200] * 40
        shared.upgrade()
        assert shared.gateway.is_running, "its streams have not ended"

    def after():
        assert shared.statuses("few", 1) == [429], "three are in flight in the former process"
        with shared.connect("guest") as guest:
            assert guest.chat("cached").headers["x-headgate-cache"].startswith("hit")

    async def happening():
        await crowd.requests(10)
        await asyncio.to_thread(before)
        await crowd.requests(20)
        await asyncio.to_thread(after)

    streams = []
    tally = asyncio.run(crowd.run(STREAMS, happening()))
    assert not tally.failures, tally.failures[:3]
    for client, stream in zip(held, streams):
        assert stream.rest()[-1] == "[DONE]"
        client.http.close()
    assert shared.gateway.wait() == 0
    wait_for_ledger(stores, tally.ids)
    # Nothing of the former process is in flight. Three of the day's requests were its streams.
    assert shared.statuses("few", 20) == [200] * 17 + [429] * 3
    passed = 40 + shared.statuses("frugal", BUDGET // USAGE["total_tokens"]).count(200)
    with shared.connect() as admin:
        used = admin.ask("GET", "/status/data").document["budgets"][0]["used"]
    assert used == passed * USAGE["total_tokens"], "nothing is reserved"
    assert BUDGET <= used <= BUDGET + RESERVE


@pytest.mark.parametrize("drain, end", [("30s", "[DONE]"), ("1s", "gateway_shutdown")])
def test_stream_whose_client_has_left_has_until_the_drain(shared, drain, end):
    shared = shared(drain)
    with shared.connect() as client:
        stream = client.stream("detached")
        assert stream.next_text()
        name = stream.response.getheader("x-request-id")
    shared.upgrade()
    with shared.connect() as client:
        events = client.resume(name).rest()
        assert end == events[-1] or end == json.loads(events[-1])["error"]["code"]
    assert shared.gateway.wait() == 0
    # The new process has it from Redis, after the end of the former one too.
    with shared.connect() as client:
        assert client.resume(name).rest() == events
