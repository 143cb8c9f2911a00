"""Limits and budgets of two gateways with counters in one Redis server, which fails in some tests."""

import re
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from child import wait_for_any_log
from conftest import REPOSITORY
from gateways import command, gateways, key_line, wait_until  # noqa: F401  (one is a fixture)
from redis_servers import redis_server  # noqa: F401  (a fixture)
from upstreams import Upstream

CHAT = {"model": "whole", "messages": [{"role": "user", "content": "Hi"}]}
# Seconds after a gateway's last sign of life until its requests in flight no longer count.
LIFE_SECONDS = 10


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


@pytest.fixture
def pair(gateways, upstream, redis_server):  # noqa: F811
    """Starts two gateways with the same limits for the key."""

    def start(limits: str, more: str = "", url: str = redis_server.url):
        text = f"""
listen: 127.0.0.1:0
loops: 2
metrics: true
counters: {url}
upstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}
models: {{"*": {{upstream: up}}}}
keys: [{key_line()[:-1]}, admin: true, {limits}}}]
{more}
"""
        return [gateways.start(text, name, HEADGATE_LEDGER="memory") for name in ("first", "second")]

    return start


def metric(gateway, name: str) -> float:
    with gateway.connect() as admin:
        text = admin.ask("GET", "/metrics").body.decode()
    return float(re.search(rf"^{name} (\S+)$", text, re.M).group(1))


def statuses(gateway, count: int) -> Counter:
    """Sends `count` requests in sequence; returns their statuses."""
    seen = Counter()
    with gateway.connect() as client:
        for _ in range(count):
            seen[client.ask("POST", "/v1/chat/completions", CHAT).status] += 1
    return seen


def test_no_request_fails_while_the_server_is_killed_stopped_and_restarted(pair, redis_server):  # noqa: F811
    both = pair("limits: {requests: 1M/s}")
    ended = threading.Event()

    def load(gateway) -> Counter:
        seen = Counter()
        while not ended.is_set():
            seen += statuses(gateway, 20)
        return seen

    with ThreadPoolExecutor(4) as threads:
        running = [threads.submit(load, both[number % 2]) for number in range(4)]
        try:
            for _ in range(2):
                redis_server.kill()
                wait_until(lambda: metric(both[0], "headgate_counters_up") == 0, "the gateway to notice")
                redis_server.start()
                wait_until(lambda: metric(both[0], "headgate_counters_up") == 1, "the gateway to come back")
                redis_server.pause()
                wait_until(lambda: metric(both[1], "headgate_counters_up") == 0, "the gateway to notice")
                redis_server.go_on()
                for gateway in both:
                    wait_until(lambda: metric(gateway, "headgate_counters_up") == 1, "the gateway to come back")
        finally:
            ended.set()
        seen = sum((each.result() for each in running), Counter())
    assert set(seen) == {200} and seen[200] > 50
    assert metric(both[0], "headgate_counters_alone_total") > 0
    # The log has one line per outage, not one per request.
    log = both[0].log_after_exit()
    assert 2 <= log.count("cannot be used") == log.count("is used again") < 10


def test_killed_gateways_requests_in_flight_no_longer_count(pair, upstream):
    first, second = pair("limits: {in_flight: 2}")
    streams = [first.connect().stream("gated") for _ in range(2)]
    assert all(stream.next_text() for stream in streams)
    assert statuses(second, 1) == {429: 1}
    killed = time.monotonic()
    first.kill()
    wait_until(lambda: statuses(second, 1) == {200: 1}, "the flights to be left out")
    assert time.monotonic() - killed < LIFE_SECONDS + 5
    upstream.release.set()


def test_strict_budget_is_refused_while_the_server_is_away(pair, redis_server):  # noqa: F811
    first, _ = pair("budget: {tokens: 1M, every: month, strict: true}")
    wait_until(lambda: statuses(first, 1) == {200: 1}, "the past of the budget")
    redis_server.kill()
    wait_until(lambda: statuses(first, 1) == {503: 1}, "the gateway to notice")
    with first.connect() as client:
        assert client.ask("POST", "/v1/chat/completions", CHAT).code == "budget_unavailable"
        assert client.ask("GET", "/readyz?verbose").document["counters"] == {"working": False}
    redis_server.start()
    wait_until(lambda: statuses(first, 1) == {200: 1}, "the gateway to come back")


def test_documented_redis_permissions_suffice(pair, redis_server):  # noqa: F811
    document = " ".join((REPOSITORY / "docs" / "limits.md").read_text().split())
    rights = re.search(r"The user needs `([^`]+)` and the keys `([^`]+)`", document)
    assert redis_server.ask("ACL", "SETUSER", "hg", "on", ">s3cr3t", f"~{rights[2]}", *rights[1].split()) == "OK"
    first, second = pair("limits: {requests: 2/d}", url=f"redis+unix://hg:s3cr3t@{redis_server.socket}")
    assert statuses(first, 1) + statuses(second, 2) == {200: 2, 429: 1}
    assert metric(second, "headgate_counters_up") == 1
    # A missing permission is reported, and delays no one.
    redis_server.ask("ACL", "SETUSER", "hg", "-evalsha")
    assert statuses(second, 1) == {429: 1}
    wait_for_any_log([first, second], "cannot be used")
    assert "s3cr3t" not in first.log_after_exit() + second.log_after_exit()


def test_server_of_a_configuration_is_checked(gateways, redis_server):  # noqa: F811
    path = gateways.folder / "headgate.yaml"

    def check(url: str, *arguments):
        path.write_text(f"upstreams: {{}}\nmodels: {{}}\ncounters: '{url}'\n")
        return command(gateways.folder, "check", "--config", path, *arguments)

    works = check(redis_server.url, "--live")
    assert works.returncode == 0, works.stderr
    assert f"counters: {redis_server.url} counts limits\n" in works.stdout
    wrong = check("redis://:s3cr3t@127.0.0.1:x")
    assert wrong.returncode == 78 and ":3:11: error: counters: " in wrong.stderr
    assert "s3cr3t" not in wrong.stdout + wrong.stderr
    redis_server.ask("CONFIG", "SET", "requirepass", "another")
    refused = check(f"redis+unix://:s3cr3t@{redis_server.socket}", "--live")
    assert refused.returncode == 1 and "counters: FAILED: " in refused.stdout
    assert "it refuses the user or the password" in refused.stdout
    assert "s3cr3t" not in refused.stdout + refused.stderr
