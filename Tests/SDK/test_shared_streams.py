"""Streams and breaker states that two gateways share through one Redis server."""

import re

import pytest

from conftest import REPOSITORY
from gateways import KEY, gateways, key_line, wait_until  # noqa: F401  (one is a fixture)
from redis_servers import redis_server  # noqa: F401  (a fixture)
from upstreams import WORDS, Upstream, free_port

OTHER_KEY = "hg-" + "5" * 32
CHAT = {"model": "fallback", "messages": [{"role": "user", "content": "Hi"}]}


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


@pytest.fixture
def pair(gateways, upstream, redis_server):  # noqa: F811
    """Two gateways with the same models. The upstream `away` has no listener."""
    text = f"""
listen: 127.0.0.1:0
loops: 2
counters: {redis_server.url}
upstreams:
  up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}
  away: {{kind: openai, base_url: "http://127.0.0.1:{free_port()}/v1", breaker: {{failures: 2, cooldown: 1m}}}}
models:
  fallback: {{targets: [{{upstream: away, model: m}}, {{upstream: up, model: m}}]}}
  "*": {{upstream: up, on_disconnect: detach}}
keys: [{key_line()[:-1]}, admin: true}}, {key_line(OTHER_KEY, "other")}]
"""
    return [gateways.start(text, name, HEADGATE_LEDGER="memory") for name in ("first", "second")]


def begin(gateway, model: str = "gated"):
    """Begins a stream whose client disconnects after the first word; returns the stream's path."""
    with gateway.connect() as client:
        stream = client.stream(model)
        assert stream.next_text()
        return f"/v1/streams/{stream.response.getheader('x-request-id')}"


def read(gateway, path: str, after: int = 0, key: str = KEY):
    with gateway.connect(key=key) as client:
        return client.ask("GET", path, last_event_id=str(after))


def opened(gateway, path: str, after: int = 0):
    """Opens a resumed stream on a connection that stays open; returns both."""
    client = gateway.connect()
    client.http.request("GET", path, headers={"Authorization": f"Bearer {KEY}", "Last-Event-ID": str(after)})
    response = client.http.getresponse()
    return client, response


def known(gateway, path: str):
    """Waits until the gateway has the stream: the other one shares it a moment after sending it to its client."""
    wait_until(lambda: read(gateway, path, 10**6).status != 404, "the stream to be shared")


def test_stream_is_resumed_at_the_other_gateway(pair, upstream, redis_server):  # noqa: F811
    first, second = pair
    # The server grants only the rights that the documentation names.
    document = " ".join((REPOSITORY / "docs" / "limits.md").read_text().split())
    rights = re.search(r"The user needs `([^`]+)` and the keys `([^`]+)`", document)
    redis_server.ask("ACL", "SETUSER", "default", "resetkeys", "-@all", f"~{rights[2]}", *rights[1].split())
    path = begin(first)
    known(second, path)
    client, response = opened(second, path, 1)
    assert response.status == 200 and response.getheader("content-type") == "text/event-stream; charset=utf-8"
    upstream.release.set()
    rest = response.read()
    whole = read(first, path)
    # The rest has exactly the missing bytes, however they were split.
    assert whole.body.endswith(b"data: [DONE]\n\n") and whole.body.split(b"id: 2\n", 1)[1] == rest.removeprefix(b"id: 2\n")
    assert read(second, path).body == whole.body
    events = whole.body.count(b"id: ")
    assert events > len(WORDS) and read(second, path, events).status == 204
    # Another key learns nothing from either gateway.
    refusals = [read(gateway, path, key=OTHER_KEY) for gateway in pair]
    assert [(refusal.status, refusal.code) for refusal in refusals] == [(404, "stream_not_found")] * 2
    assert refusals[0].message == refusals[1].message
    # The stream outlives its gateway.
    first.kill()
    assert read(second, path).body == whole.body


def test_killed_gateways_streams_end_with_an_error(pair, upstream):
    first, second = pair
    path = begin(first, "dripping")
    known(second, path)
    client, response = opened(second, path)
    assert response.readline() == b"id: 1\n"
    first.kill()
    rest = response.read()
    assert b'"code":"stream_lost"' in rest.splitlines()[-2] and b"[DONE]" not in rest
    last = int(re.findall(rb"^id: (\d+)$", rest, re.M)[-1])
    assert (read(second, path, last).status, read(second, path, last).code) == (410, "stream_lost")
    # The earlier events are still available.
    assert b"id: 1\n" in read(second, path).body


def test_stream_continues_without_the_server_and_is_shared_again(pair, upstream, redis_server):  # noqa: F811
    first, second = pair
    path = begin(first)
    known(second, path)
    redis_server.kill()
    away = read(second, path)
    assert (away.status, away.code) == (503, "stream_store_unavailable")
    client, response = opened(first, path, 1)
    upstream.release.set()
    assert response.read().endswith(b"data: [DONE]\n\n")
    # The server has lost everything, and receives it again.
    redis_server.start()
    wait_until(lambda: read(second, path).status == 200, "the stream to be shared")
    assert read(second, path).body == read(first, path).body


def test_stopped_gateway_is_reported_at_the_other(pair, upstream):
    first, second = pair
    path = begin(first)
    known(second, path)
    client, response = opened(second, path, 1)
    assert first.stop() == 0
    assert b"shutting down" in response.read()
    assert read(second, path, 1).body.count(b"id: ") == 1


def target(gateway) -> dict:
    """The gateway's status of the first target of the model `fallback`."""
    with gateway.connect() as admin:
        models = admin.ask("GET", "/status/data").document["models"]
    return next(model for model in models if model["name"] == "fallback")["targets"][0]


def test_open_breaker_is_a_hint_for_the_other_gateway(pair, upstream):
    first, second = pair
    with first.connect() as client:
        tries = [client.ask("POST", "/v1/chat/completions", CHAT) for _ in range(3)]
    assert [answer.headers["x-headgate-attempts"] for answer in tries] == ["2", "2", None]
    wait_until(lambda: not target(second)["usable"], "the hint")
    # Its own breaker has counted nothing.
    assert target(second)["breaker"] == "closed"
    with second.connect() as client:
        answer = client.ask("POST", "/v1/chat/completions", CHAT)
    assert answer.status == 200 and answer.headers["x-headgate-attempts"] is None
