"""Stores and gateways that fail while two gateways stream: no request fails, and the ledger is complete afterwards."""

import asyncio
import re
import secrets

import pytest

from connections import Connection
from crowd import Crowd, flood
from gateways import KEY, wait_until
from paced_upstream import PacedUpstream
from patience import PATIENCE_SECONDS
from replicas import replicas, stores  # noqa: F401  (fixtures)

STREAMS = 200


@pytest.fixture(scope="module")
def slow():
    """Starts an upstream whose streams take six seconds."""
    upstream = PacedUpstream(pace=0.25)
    yield upstream
    upstream.close()


def run(pair, happening, streams: int = STREAMS) -> list:
    """Runs streams and requests during the incident, and expects that none fails. Returns the ids of all."""
    crowd = Crowd(pair.balancer.url, KEY, f"crowd-{secrets.token_hex(4)}")

    async def main():
        return await crowd.run(streams, happening(crowd))

    tally = asyncio.run(main())
    assert not tally.failures, f"{len(tally.failures)} of {len(tally.ids)}: {tally.failures[:3]}"
    assert tally.slowest < PATIENCE_SECONDS
    return tally.ids


def written(stores, ids: list) -> list:
    """Returns the ids of these requests in the ledger, with repetitions."""
    # The tables exist only after the first gateway has reached the database.
    if stores.postgres.ask("SELECT to_regclass('headgate.requests') IS NOT NULL") != [["t"]]:
        return []
    prefix = ids[0].rsplit("-", 2)[0]
    rows = stores.postgres.ask(f"SELECT request_id FROM headgate.requests WHERE request_id LIKE '{prefix}-%'")
    return sorted(row[0] for row in rows)


def wait_for_ledger(stores, ids: list):
    """Waits until the ledger has each of these requests exactly once."""
    wait_until(lambda: len(written(stores, ids)) >= len(ids), "the ledger")
    assert written(stores, ids) == sorted(ids)


@pytest.mark.parametrize("name", ["redis", "postgres"])
def test_killed_or_stopped_store_fails_no_request(replicas, stores, slow, name):  # noqa: F811
    pair = replicas(slow.url)
    server = stores.servers[name]

    async def happening(crowd):
        await crowd.requests(10)
        await asyncio.to_thread(server.kill)
        await crowd.requests(20)
        await asyncio.to_thread(server.start)
        await crowd.requests(20)
        await asyncio.to_thread(server.pause)
        try:
            await crowd.requests(20)
        finally:
            await asyncio.to_thread(server.resume)
        await crowd.requests(10)

    ids = run(pair, happening)
    wait_for_ledger(stores, ids)


def test_limits_continue_locally_without_redis(replicas, stores, slow):  # noqa: F811
    pair = replicas(slow.url, {"limited": "limits: {requests: 20/d}"})
    stores.redis.kill()
    try:
        tally = asyncio.run(flood(pair.urls, pair.keys["limited"], 200, clients=8))
        assert not tally.failures and tally.statuses == {200: 40, 429: 160}
    finally:
        stores.redis.start()


@pytest.mark.parametrize("name", ["redis", "postgres"])
def test_only_a_strict_budget_refuses_without_a_store(replicas, stores, slow, name):  # noqa: F811
    pair = replicas(slow.url, {"strict": "budget: {usd: 5, every: month, strict: true}", "plain": "budget: {usd: 5, every: month}"})
    server = stores.servers[name]

    def statuses(key: str) -> list:
        return [Connection(url, pair.keys[key]).chat("m").status for url in pair.urls]

    wait_until(lambda: statuses("strict") == [200, 200], "the past is known")
    server.kill()
    try:
        wait_until(lambda: statuses("strict") == [503, 503], "the store is missed")
        assert statuses("plain") == [200, 200]
        assert Connection(pair.urls[0], pair.keys["strict"]).chat("m").code == "budget_unavailable"
    finally:
        server.start()
    wait_until(lambda: statuses("strict") == [200, 200], "the store is back")


def test_gateways_start_without_their_stores(replicas, stores, slow):  # noqa: F811
    stores.redis.kill()
    stores.postgres.kill()
    try:
        pair = replicas(slow.url)
        ids = run(pair, lambda crowd: crowd.requests(10), streams=2)
    finally:
        stores.redis.start()
        stores.postgres.start()
    wait_for_ledger(stores, ids)
    # The gateway tries the database again after five seconds at the latest.
    answers = []

    def is_made() -> bool:
        answers.append(pair.balancer.connect().ask("POST", "/v1/admin/keys", {"name": f"later-{secrets.token_hex(4)}"}))
        assert answers[-1].status in (201, 503), answers[-1].body
        return answers[-1].status == 201

    wait_until(is_made, "a new key")
    made = answers[-1]
    for url in pair.urls:
        wait_until(lambda: Connection(url, made.document["key"]).chat("m").status == 200, "the key is let in")


def test_gateway_that_stops_loses_nothing(replicas, stores, slow):  # noqa: F811
    pair = replicas(slow.url)

    async def happening(crowd):
        await crowd.requests(10)
        pair.gateways[0].terminate()
        assert await asyncio.to_thread(pair.gateways[0].wait) == 0
        await crowd.requests(20)
        await asyncio.to_thread(pair.start_again, 0)
        await crowd.requests(20)

    ids = run(pair, happening)
    wait_for_ledger(stores, ids)
    again = pair.gateways[0]

    def has_its_part() -> bool:
        assert pair.balancer.connect().chat("m").status == 200
        scraped = again.connect().ask("GET", "/metrics").body
        return re.search(rb'^headgate_requests_total\{operation="createChatCompletion",.* [1-9]', scraped, re.M) is not None

    wait_until(has_its_part, "the balancer to send to it again")


def test_killed_gateway_is_skipped_and_its_requests_recorded(replicas, stores, slow):  # noqa: F811
    pair = replicas(slow.url)
    prefix = f"killed-{secrets.token_hex(4)}"
    crowd = Crowd(pair.balancer.url, KEY, prefix)

    async def happening():
        await crowd.requests(10)
        pair.gateways[0].kill()
        await crowd.requests(40)

    async def main():
        return await crowd.run(40, happening())

    tally = asyncio.run(main())
    # Streams of the killed gateway broke off; streams of the other gateway were completed.
    broken = [failure for failure in tally.failures if "-stream-" in failure]
    assert 10 <= len(broken) <= 30 and len(tally.failures) - len(broken) <= 4, tally.failures
    # A gateway that restarts in the folder of the killed one records its open requests, once.
    pair.start_again(0)
    wait_for_ledger(stores, tally.ids)
    rows = stores.postgres.ask(
        f"SELECT outcome, count(*) FROM headgate.requests WHERE request_id LIKE '{prefix}-stream-%' GROUP BY 1")
    outcomes = {outcome: int(count) for outcome, count in rows}
    assert outcomes["unfinished"] > 0 and sum(outcomes.values()) == 40, outcomes


def test_balancer_that_stops_lets_streams_finish(replicas, stores, slow):  # noqa: F811
    pair = replicas(slow.url)
    with pair.balancer.connect() as client:
        stream = client.stream("m")
        assert stream.next_text()
        pair.balancer.ask_to_stop()
        with pytest.raises(OSError):
            wait_until(lambda: pair.balancer.connect().ask("GET", "/livez").status != 200, "the end of new connections")
        assert stream.rest()[-1] == "[DONE]"
    assert pair.balancer.wait() == 0
