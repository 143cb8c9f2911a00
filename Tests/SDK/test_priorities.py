"""Requests that wait for a full upstream: requests of batch keys come after all others."""

import json
import secrets
import threading

import pytest

from connections import chat_request
from gateways import KEY, gateways, key_line, wait_until
from upstreams import local_upstream

BATCH_KEY = "hg-" + secrets.token_hex(16)


@pytest.fixture
def gateway(gateways, local_upstream):
    keys = [
        key_line().replace("}", ", admin: true}"),
        key_line(BATCH_KEY, "nightly").replace("}", ", priority: batch}"),
    ]
    return gateways.start(
        "listen: 127.0.0.1:0\n"
        f"upstreams:\n  up: {{kind: openai, base_url: '{local_upstream.url}', max_in_flight: 1, queue_timeout: 1m}}\n"
        f"models: {{'*': {{upstream: up}}}}\nkeys: [{', '.join(keys)}]\n")


@pytest.mark.parametrize(("key", "fields", "is_behind"), [
    (BATCH_KEY, {}, True), (BATCH_KEY, {"x_headgate_priority": "interactive"}, True),
    (KEY, {"x_headgate_priority": "batch"}, True), (KEY, {"x_headgate_priority": "interactive"}, False),
], ids=["batch key", "batch key asks for more", "batch request", "interactive"])
def test_batch_requests_wait_behind_all_others(gateway, local_upstream, key, fields, is_behind):
    def ask(model, key=KEY, **fields):
        def run():
            with gateway.connect(key=key) as client:
                assert client.chat(model, **fields).status == 200
        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def waiting(count):
        with gateway.connect() as client:
            status = client.ask("GET", "/status/data").document
        return status["upstreams"][0]["waiting"] == count

    with gateway.connect() as client:
        running = client.stream("gated")
        running.next_text()
        first = ask("first", key, **fields)
        wait_until(lambda: waiting(1), "the first request that waits")
        second = ask("second")
        wait_until(lambda: waiting(2), "the second request that waits")
        local_upstream.release.set()
        running.rest()
    first.join()
    second.join()
    order = [json.loads(body)["model"] for _, _, body in local_upstream.requests if body]
    assert order == ["gated"] + (["second", "first"] if is_behind else ["first", "second"])
