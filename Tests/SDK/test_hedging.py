"""A second attempt next to a slow one, as an SDK sees it, and as the log, /status and `headgate explain` show it."""

import json
import socket

import openai
import pytest

from gateways import KEY, UPSTREAM_KEY, command, gateways, key_line  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS
from upstreams import TEXT, Upstream

MESSAGES = [{"role": "user", "content": "Hi"}]


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


@pytest.fixture
def silent():
    """Accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.fixture
def gateway(gateways, upstream, silent):  # noqa: F811
    return gateways.start(f"""
listen: 127.0.0.1:0
upstreams:
  slow: {{kind: openai, base_url: "http://127.0.0.1:{silent.getsockname()[1]}/v1", api_key: "${{UPSTREAM_KEY}}"}}
  fast: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}
models:
  m: {{targets: [{{upstream: slow}}, {{upstream: fast}}], hedge: {{after: 20ms}}}}
  learning: {{targets: [{{upstream: fast}}, {{upstream: slow}}], hedge: {{after: p95}}}}
keys: [{key_line()[:-1]}, admin: true}}]
""")


@pytest.fixture
def client(gateway):
    with openai.OpenAI(
            base_url=f"{gateway.urls[0]}/v1", api_key=KEY, max_retries=0, timeout=PATIENCE_SECONDS) as client:
        yield client


def recent(gateway) -> dict:
    with gateway.connect() as connection:
        return connection.ask("GET", "/status/data").document["recent"][0]


def test_fast_target_replaces_a_slow_one(client, gateway):
    response = client.chat.completions.with_raw_response.create(model="m", messages=MESSAGES)
    assert response.headers["x-headgate-attempts"] == "2"
    assert response.headers["x-headgate-upstream"] == "fast"
    assert response.parse().choices[0].message.content == TEXT
    line = json.loads(gateway.wait_for_log(r'\{.*"hedge":"won".*\}')[0])
    assert [(attempt["upstream"], attempt.get("error")) for attempt in line["attempts"]] == [
        ("slow", "hedge_lost"), ("fast", None)]
    shown = recent(gateway)
    assert (shown["hedge"], [attempt["upstream"] for attempt in shown["attempts"]]) == ("won", ["slow", "fast"])


def test_explanation_has_the_hedge_delay(gateway):
    def explained(model: str, *arguments) -> str:
        result = command(
            gateway.folder, "explain", "--url", gateway.urls[0], "--model", model, *arguments, HEADGATE_KEY=KEY)
        assert result.returncode == 0 and UPSTREAM_KEY not in result.stdout, result.stderr
        return result.stdout

    assert "hedge: after 20ms" in explained("m")
    assert "hedge: after p95 (too few requests are measured yet)" in explained("learning")
    # Both upstreams would store the response.
    assert "hedge: after 20ms (this request may not be sent twice)" in explained("m", "--route", "responses")
    assert json.loads(explained("m", "--json"))["hedge"] == {"after": "20ms", "after_ms": 20, "repeatable": True}


def test_hedge_without_another_target_is_warned_about(tmp_path):
    file = tmp_path / "headgate.yaml"
    file.write_text("models: {m: {upstream: on-device, hedge: {after: p95}}}\n")
    result = command(tmp_path, "check", "--config", file)
    assert "warning: hedge: with one target there is no other to ask: add another one, or remove it" in (
        result.stdout + result.stderr)
