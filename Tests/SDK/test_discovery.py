"""Discovered models: /v1/models includes the models that upstreams list."""

import json
import time

import pytest

from gateways import KEY, UPSTREAM_KEY, command, gateways, key_line, wait_until  # noqa: F401  (a fixture)
from listing_upstreams import discovering, listing  # noqa: F401  (a fixture)

OPENAI = ["gpt-5", "gpt-5-mini", "o4"]
CLAUDE = ["claude-b", "claude-a", "claude-c"]


def configuration(upstream, models: str = '{"*": {upstream: up}}', kind: str = "openai", more: str = "") -> str:
    return (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{up: {{kind: {kind}, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"{more}}}}}\n'
        f'models: {models}\nkeys: [{key_line()}, {{{key_line("hg-narrow", "narrow")[1:-1]}, models: ["gpt-5*"]}}]\n')


def names(gateway, key: str = KEY, **headers) -> list:
    with gateway.connect(key=key) as client:
        answer = client.ask("GET", "/v1/models", **headers)
        assert answer.status == 200, answer.body
        assert UPSTREAM_KEY not in answer.body.decode()
        return [model["id"] for model in answer.document["data"]]


def test_an_openai_key_suffices_to_list_its_models(gateways, listing):  # noqa: F811
    upstream = listing(*OPENAI, key=UPSTREAM_KEY)
    gateway = gateways.start(
        None, OPENAI_API_KEY=UPSTREAM_KEY, OPENAI_BASE_URL=upstream.url, HEADGATE_LISTEN="127.0.0.1:0")
    key = command(gateways.folder, "key", "show").stdout.strip()
    with gateway.connect(key=key) as client:
        data = client.ask("GET", "/v1/models").document["data"]
        assert [model["id"] for model in data] == OPENAI
        assert all(model["owned_by"] == "openai" and model["speaks"] == ["chat", "responses"] for model in data)
    with gateway.connect(key="wrong") as stranger:
        assert stranger.ask("GET", "/v1/models").status == 401
    [(path, headers)] = upstream.asked
    assert path == "/v1/models" and "cookie" not in headers and headers["user-agent"] == "headgate"


def test_models_of_anthropic_are_listed_page_by_page(gateways, listing):  # noqa: F811
    upstream = listing(*CLAUDE, key=UPSTREAM_KEY, is_anthropic=True)
    gateway = gateways.start(configuration(upstream, kind="anthropic"))
    assert names(gateway) == CLAUDE
    assert [path for path, _ in upstream.asked] == ["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=claude-a"]
    assert all(headers["anthropic-version"] for _, headers in upstream.asked)
    with gateway.connect() as client:
        assert client.ask("GET", "/v1/models/claude-b").document["speaks"] == ["messages"]
        form = client.ask("GET", "/v1/models", **{"anthropic-version": "2023-06-01"}).document
    assert [model["id"] for model in form["data"]] == CLAUDE and form["last_id"] == "claude-c"


def test_list_is_cached_and_filtered_by_patterns_and_keys(gateways, listing):  # noqa: F811
    upstream = listing(*OPENAI, "fast", key=UPSTREAM_KEY)
    models = '{fast: {upstream: up, model: gpt-5-mini}, "gpt-*": {upstream: up}, "o*": {upstream: up, model: gpt-5}}'
    gateway = gateways.start(configuration(upstream, models))
    for _ in range(3):
        assert names(gateway) == ["fast", "gpt-5", "gpt-5-mini"]
    assert names(gateway, "hg-narrow") == ["gpt-5", "gpt-5-mini"]
    assert len(upstream.asked) == 1


def test_models_for_other_uses_come_last(gateways, listing):  # noqa: F811
    upstream = listing(
        "openai/text-embedding-3", "whisper-1", "gpt-5", "gpt-3.5-turbo-instruct", "llama:8b-instruct-q4", key=UPSTREAM_KEY)
    gateway = gateways.start(configuration(upstream))
    assert names(gateway) == [
        "gpt-5", "llama:8b-instruct-q4", "openai/text-embedding-3", "whisper-1", "gpt-3.5-turbo-instruct"]


def test_unresponsive_upstream_delays_the_list_only_briefly(gateways, listing):  # noqa: F811
    upstream = listing(*OPENAI, key=UPSTREAM_KEY)
    upstream.gate.clear()
    gateway = gateways.start(configuration(upstream, '{fast: {upstream: up, model: x}, "*": {upstream: up}}'))
    began = time.monotonic()
    assert names(gateway) == ["fast"]
    waited = time.monotonic() - began
    print(f"waited {waited:.2f} s")
    assert 0.9 < waited < 5
    upstream.gate.set()
    # The query for models was not cancelled with the request.
    wait_until(lambda: names(gateway) == ["fast", *OPENAI], "the list")
    assert len(upstream.asked) == 1


@pytest.mark.parametrize(
    "body", [b"{}", b"[]", b'{"data": {}}', b'{"data": [{"name": "x"}]}', b'{"data": [{"id": 7}]}', b"<html>", b'{"data": ['])
def test_invalid_list_counts_as_missing(gateways, listing, body):  # noqa: F811
    upstream = listing(key=UPSTREAM_KEY)
    upstream.body = body
    gateway = gateways.start(configuration(upstream, '{fast: {upstream: up, model: x}, "*": {upstream: up}}'))
    assert names(gateway) == names(gateway) == ["fast"]
    assert len(upstream.asked) == 1


def test_unprintable_names_are_omitted(gateways, listing):  # noqa: F811
    wild = ["a\x1b[31m", "b\n", "c\u202e", "", " d", "e\u2028", "x" * 257, "f\x7f", "good", "good", "gut-ä", "日本"]
    upstream = listing(*wild, key=UPSTREAM_KEY)
    gateway = gateways.start(configuration(upstream))
    assert names(gateway) == ["good", "gut-ä", "日本"]


def test_list_has_bounds(gateways, listing):  # noqa: F811
    for body in (
        {"data": [{"id": f"m{number}"} for number in range(10_001)]},
        {"data": [{"id": "m", "description": "x" * (1 << 20)}]},
    ):
        upstream = listing(key=UPSTREAM_KEY)
        upstream.body = json.dumps(body).encode()
        assert names(gateways.start(configuration(upstream), f"gateway{upstream.port}")) == []
    endless = listing("claude-a", is_anthropic=True, key=UPSTREAM_KEY)
    endless.body = b'{"data": [{"id": "claude-a"}], "has_more": true, "last_id": "claude-a"}'
    assert names(gateways.start(configuration(endless, kind="anthropic"), "endless")) == ["claude-a"]
    assert len(endless.asked) == 2


def test_refusal_does_not_leak_the_key(gateways, listing):  # noqa: F811
    upstream = listing(*OPENAI, key="another")
    gateway = gateways.start(configuration(upstream))
    assert names(gateway) == []
    assert UPSTREAM_KEY not in gateway.log_after_exit()


def test_discovered_models_survive_a_reload_and_a_failure(gateways, listing):  # noqa: F811
    upstream = listing(*OPENAI, key=UPSTREAM_KEY)
    gateway = gateways.start(configuration(upstream))
    assert names(gateway) == OPENAI
    gateway.write(configuration(upstream, '{"gpt-*": {upstream: up}}'))
    assert gateway.reload().returncode == 0
    assert names(gateway) == OPENAI[:2] and len(upstream.asked) == 1
    # For the gateway this is another upstream, because a header is part of its identity.
    gateway.write(configuration(upstream, more=", headers: {Client-Id: other}"))
    assert gateway.reload().returncode == 0
    assert names(gateway) == OPENAI and len(upstream.asked) == 2


def test_discover_setting_selects_the_upstreams(gateways, listing):  # noqa: F811
    upstream = listing(*OPENAI, key=UPSTREAM_KEY)
    silent = gateways.start(configuration(upstream, more=", discover: false"), "silent")
    exact = gateways.start(configuration(upstream, "{fast: {upstream: up}}"), "exact")
    assert names(silent) == [] and names(exact) == ["fast"] and not upstream.asked
    azure = gateways.start(configuration(upstream, kind="azure"), "azure")
    assert names(azure) == [] and not upstream.asked


def test_no_program_is_started_for_a_list(gateways):  # noqa: F811
    mark = gateways.folder / "started"
    gateway = gateways.start(
        "listen: 127.0.0.1:0\nupstreams:\n  up:\n    kind: openai\n    base_url: http://127.0.0.1:1/v1\n"
        f"    discover: true\n    command: [/usr/bin/touch, {mark}]\n")
    assert names(gateway, None) == []
    assert not mark.exists()


def test_command_lists_models_of_a_running_gateway(gateways, listing):  # noqa: F811
    upstream = listing("gpt-x", "gpt-fast", key=UPSTREAM_KEY)
    gateway = gateways.start(discovering(upstream))

    def listed(*arguments, **variables) -> tuple:
        result = command(gateways.folder, "models", *arguments, **variables)
        return result.returncode, result.stdout, result.stderr

    assert listed("--url", gateway.urls[0], HEADGATE_KEY=KEY) == (0, "gpt-fast  up\ngpt-x  up\n", "")
    code, words, complaint = listed("--url", gateway.urls[0], HEADGATE_KEY="wrong")
    assert (code, words) == (1, "") and "Incorrect API key" in complaint
    # The command uses the address that the configuration listens on.
    gateway.write(discovering(upstream).replace("127.0.0.1:0", f"127.0.0.1:{gateway.urls[0].rpartition(':')[2]}"))
    configured = "gpt-fast  up as gpt-y\ngpt-*  up\n"
    assert listed("--config", gateway.path, HEADGATE_KEY=KEY) == (0, configured + "gpt-x  up\n", "")
    code, words, complaint = listed("--config", gateway.path, HEADGATE_KEY="wrong")
    assert (code, words) == (0, configured) and "not shown: Incorrect API key" in complaint
    gateway.stop()
    code, words, complaint = listed("--config", gateway.path, HEADGATE_KEY=KEY)
    assert (code, words) == (0, configured) and "as no gateway is running" in complaint
