"""The shared state of two gateways behind a balancer, and the clients' view of it."""

import asyncio
import json
import re
import time

import pytest

from child import wait_for_any_log
from connections import Connection, text_of
from crowd import flood
from gateways import KEY, wait_until
from paced_upstream import USAGE, PacedUpstream
from patience import SLOWDOWN
from replicas import replicas, stores  # noqa: F401  (fixtures)
from upstreams import WORDS, Upstream

REQUESTS = 6_000
# The promised delay of a revocation.
REVOCATION_SECONDS = 1 * SLOWDOWN


@pytest.fixture
def gated():
    upstream = Upstream()
    yield upstream
    upstream.close()


@pytest.fixture(scope="module")
def paced():
    upstream = PacedUpstream()
    yield upstream
    upstream.close()


def chat(connection: Connection, model: str = "m", stream: bool = False, **fields):
    messages = [{"role": "user", "content": "a line"}]
    return connection.ask("POST", "/v1/chat/completions", {"model": model, "stream": stream, "messages": messages}, **fields)


def metric(url: str, name: str) -> float:
    text = Connection(url, KEY).ask("GET", "/metrics").body.decode()
    return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)[1])


def test_streams_pass_event_by_event_and_end_with_their_client(replicas, gated):  # noqa: F811
    pair = replicas(gated.url)
    with pair.balancer.connect() as client:
        stream = client.stream("gated")
        # The upstream sends the rest only after the release.
        assert stream.next_text() == WORDS[0]
        gated.release.set()
        assert stream.rest()[-1] == "[DONE]"
    gated.release.clear()
    with pair.balancer.connect() as client:
        assert client.stream("dripping").next_text()
        assert not gated.problems
    wait_until(lambda: gated.problems, "the end of what its client has left")


# The load occupies every processor, and Redis must reply in time.
@pytest.mark.serial
def test_limit_of_a_key_is_one_for_both(replicas, paced):  # noqa: F811
    pair = replicas(paced.url, {"limited": "limits: {requests: 1000/m}"})
    tally = asyncio.run(flood([pair.balancer.url], pair.keys["limited"], REQUESTS))
    assert not tally.failures, tally.failures[:3]
    assert set(tally.statuses) == {200, 429} and tally.statuses.total() == REQUESTS
    assert all(metric(url, "headgate_limit_refusals_total{limit=\"requests\"}") > REQUESTS / 10 for url in pair.urls)
    # On a busy machine, the reply of Redis can be too late for some requests, which the gateway then counts alone.
    alone = sum(metric(url, "headgate_counters_alone_total") for url in pair.urls)
    print(f"{tally.statuses[200]} of {REQUESTS} passed in {tally.seconds:.1f} s, {alone:.0f} were counted alone")
    assert alone < REQUESTS / 100
    # The lower bound is the burst; the upper bound adds the refill in the meantime.
    assert 1000 <= tally.statuses[200] <= 1000 + tally.seconds * 1000 / 60 + 1 + alone
    # The limit is used up on both gateways.
    for url in pair.urls:
        statuses = asyncio.run(flood([url], pair.keys["limited"], 100, clients=8)).statuses
        assert statuses[429] >= 90, statuses


def test_requests_in_flight_are_counted_over_both(replicas, paced):  # noqa: F811
    pair = replicas(paced.url, {"few": "limits: {in_flight: 3}"})
    connections = [Connection(pair.urls[number % 2], pair.keys["few"]) for number in range(3)]
    streams = [connection.stream("m") for connection in connections]
    for url in pair.urls:
        assert chat(Connection(url, pair.keys["few"])).status == 429
    for stream in streams:
        assert stream.rest()[-1] == "[DONE]"
    for url in pair.urls:
        wait_until(lambda: chat(Connection(url, pair.keys["few"])).status == 200, "room")


def test_budget_ends_within_one_reserve_of_it(replicas, paced):  # noqa: F811
    pair = replicas(paced.url, {"frugal": "budget: {usd: 1, every: month}"})
    cost = USAGE["total_tokens"] * 100 / 1e6
    # A reservation covers a quarter of the request's bytes, and 4,096 output tokens.
    reserve = (4096 + 100) * 100 / 1e6
    tally = asyncio.run(flood(pair.urls, pair.keys["frugal"], 2000, clients=32))
    assert not tally.failures and set(tally.statuses) == {200, 429}, tally
    passed = tally.statuses[200]
    # All reservations have been returned, so single requests exhaust the budget on both gateways.
    for url in pair.urls:
        with Connection(url, pair.keys["frugal"]) as client:
            while chat(client).status == 200:
                passed += 1
    assert 1 <= passed * cost <= 1 + reserve, passed
    for url in pair.urls:
        assert chat(Connection(url, pair.keys["frugal"])).code == "budget_exceeded"


# The test measures the delay until a key is refused.
@pytest.mark.serial
def test_revoked_key_ends_on_both(replicas, paced):  # noqa: F811
    pair = replicas(paced.url)
    admin = pair.balancer.connect()
    for number in range(4):
        made = admin.ask("POST", "/v1/admin/keys", {"name": f"guest-{number}"})
        assert made.status == 201, made.body
        key = made.document["key"]
        clients = [Connection(url, key) for url in pair.urls]
        for client in clients:
            wait_until(lambda: chat(client).status == 200, "the key is let in")
        asked = Connection(pair.urls[number % 2], KEY).ask("DELETE", f"/v1/admin/keys/guest-{number}")
        revoked = time.monotonic()
        assert asked.status == 200, asked.body
        for client in clients:
            wait_until(lambda: chat(client).status == 401, "the key is refused")
        assert time.monotonic() - revoked < REVOCATION_SECONDS


def test_usage_of_both_is_in_one_ledger(replicas, paced):  # noqa: F811
    pair = replicas(paced.url, {"counted": ""})
    for number in range(10):
        assert chat(Connection(pair.urls[number % 2], pair.keys["counted"])).status == 200
    for url in pair.urls:
        def rows():
            answer = Connection(url, pair.keys["counted"]).ask("GET", "/v1/usage?by=key&since=1d")
            return [(row["name"], row["requests"], row["prompt_tokens"]) for row in answer.document["rows"]]
        wait_until(lambda: rows() == [("counted", 10, 10 * USAGE["prompt_tokens"])], "the requests of both")


def who_logged(pair, request: str):
    """Returns the gateway that served the request, and its log line."""
    gateway, line = wait_for_any_log(pair.gateways, rf'^\{{.*"request_id":"{request}".*\}}\n')
    return gateway, json.loads(line[0])


def test_stream_is_resumed_at_the_other_gateway_through_the_balancer(replicas, gated):  # noqa: F811
    pair = replicas(gated.url)
    with pair.balancer.connect() as client, pair.balancer.connect() as back:
        begun = client.stream("detached")
        name = begun.response.getheader("x-request-id")
        assert begun.next_text() == WORDS[0]
        # The gateway that reads the upstream still has this client, so the balancer chooses the other one, which has
        # fewer connections.
        resumed = wait_until(lambda: back.resume(name, x_request_id="resumed"), "the stream to be shared")
        assert resumed.next_text() == WORDS[0]
        begun.response.close()
        client.http.close()
        # The remaining connections are this query on each gateway, and the resumed client.
        wait_until(lambda: sum(metric(url, "headgate_connections") for url in pair.urls) <= 3, "the client to be gone")
        gated.release.set()
        assert resumed.rest()[-1] == "[DONE]"
    (owner, line), (other, resumption) = who_logged(pair, name), who_logged(pair, "resumed")
    assert line["outcome"] == "client_gone" and line["after_leaving"] == "detached", line
    assert resumption["operation"] == "resumeStream" and resumption["outcome"] == "finished", resumption
    assert owner is not other
    # The stream outlives its gateway.
    owner.kill()
    with pair.balancer.connect() as client:
        whole = client.ask("GET", f"/v1/streams/{name}")
    assert whole.status == 200 and whole.body.endswith(b"data: [DONE]\n\n")
    assert "".join(text_of(line[6:]) for line in whole.body.decode().splitlines()
                   if line.startswith("data: {")) == "".join(WORDS)
