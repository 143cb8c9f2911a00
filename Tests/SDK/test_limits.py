"""Limits of keys, groups and models, as the real SDKs see them."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import anthropic
import openai
import pytest

from exchanges import MESSAGES
from gateways import KEY, command, gateways, key_line, wait_until  # noqa: F401  (one is a fixture)
from upstreams import TEXT, local_upstream  # noqa: F401  (one is a fixture)

OTHER_KEY = "hg-other-0123456789abcdef"


def configuration(upstream, limits: str, more: str = "", group: str = "", model: str = "") -> str:
    keys = ", ".join(
        f"{{{line[1:-1]}, limits: {limits}{more}}}" for line in (key_line(), key_line(OTHER_KEY, "other")))
    return f"""
listen: 127.0.0.1:0
loops: 2
metrics: true
upstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}
models: {{m: {{upstream: up{model}}}, gated: {{upstream: up{model}}}}}
keys: [{keys}]
{group}
"""


def client(gateway, key: str = KEY, kind=openai.OpenAI, retries: int = 0):
    suffix = "/v1" if kind is openai.OpenAI else ""
    return kind(base_url=gateway.urls[0] + suffix, api_key=key, max_retries=retries, timeout=20)


def ask(sdk, model: str = "m", **members):
    return sdk.chat.completions.with_raw_response.create(model=model, messages=MESSAGES, **members)


def test_requests_above_the_limit_are_a_rate_limit_error(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, "{requests: 3/h, tokens: 100k/h}"))
    with client(gateway) as sdk:
        left = [ask(sdk).headers["x-ratelimit-remaining-requests"] for _ in range(3)]
        with pytest.raises(openai.RateLimitError) as caught:
            ask(sdk)
    assert left == ["2", "1", "0"]
    error, headers = caught.value, caught.value.response.headers
    assert (error.code, error.type) == ("rate_limit_exceeded", "requests")
    assert re.search(
        r"The limit of the key 'test' is reached: 3 requests per hour\. Try again in (19m\d+s|20m0s)\.", error.message)
    assert 1100 < int(headers["retry-after"]) <= 1200 and headers["x-should-retry"] == "false"
    assert headers["x-ratelimit-limit-requests"] == "3" and headers["x-ratelimit-remaining-requests"] == "0"
    assert headers["x-ratelimit-reset-requests"].endswith("s") and headers["x-ratelimit-limit-tokens"] == "100000"
    with client(gateway, OTHER_KEY) as sdk:
        assert ask(sdk, stream=True).headers["x-ratelimit-remaining-requests"] == "2"


def test_anthropics_sdk_reads_its_own_fields(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, "{requests: 1/h}"))
    with client(gateway, kind=anthropic.Anthropic) as sdk:
        question = {"model": "m", "max_tokens": 9, "messages": MESSAGES}
        answer = sdk.messages.with_raw_response.create(**question)
        assert answer.headers["anthropic-ratelimit-requests-remaining"] == "0"
        with pytest.raises(anthropic.RateLimitError) as caught:
            sdk.messages.create(**question)
    assert caught.value.response.headers["anthropic-ratelimit-requests-reset"].endswith("Z")


def test_sdk_waits_for_retry_after_and_succeeds(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, "{requests: 120/m, burst: 1}"))
    with client(gateway, retries=5) as sdk:
        started = time.monotonic()
        assert [ask(sdk).status_code for _ in range(4)] == [200] * 4
    # The limit allows one request per half second.
    assert time.monotonic() - started >= 1.4


def test_exactly_the_burst_passes_whatever_the_loop(gateways, local_upstream):
    gateway = gateways.start(
        configuration(
            local_upstream, "{requests: 40/d}", ", group: team", "groups: {team: {limits: {requests: 60/d}}}"))

    def status(number: int) -> int:
        try:
            with client(gateway, (KEY, OTHER_KEY)[number % 2]) as sdk:
                return ask(sdk).status_code
        except openai.RateLimitError as error:
            return error.status_code

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(status, range(120)))
    assert answers.count(200) == 60 and answers.count(429) == 60


def test_counts_continue_across_a_reload_with_other_limits(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, "{requests: 2/d}"))
    with client(gateway) as sdk:
        assert ask(sdk).status_code == 200
        gateway.write(configuration(local_upstream, "{requests: 4/d}"))
        assert gateway.reload().returncode == 0
        # Half of the new daily limit is used, whatever that limit is.
        assert [ask(sdk).headers["x-ratelimit-remaining-requests"] for _ in range(2)] == ["1", "0"]
        with pytest.raises(openai.RateLimitError):
            ask(sdk)
        gateway.write(configuration(local_upstream, "{in_flight: 4}"))
        assert gateway.reload().returncode == 0
        assert ask(sdk).status_code == 200


def test_stream_is_in_flight_until_its_client_is_gone(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, "{in_flight: 1}", model=", limits: {in_flight: 1}"))
    with gateway.connect() as stream:
        stream.stream("gated")
        with client(gateway) as sdk, pytest.raises(openai.RateLimitError) as caught:
            ask(sdk)
        assert "1 request in flight" in caught.value.message and caught.value.response.headers["retry-after"] == "1"

    def free():
        try:
            with client(gateway) as sdk:
                return ask(sdk).status_code == 200
        except openai.RateLimitError:
            return False

    wait_until(free, "the request that was left is still in flight")


def test_check_and_doctor_know_limits(gateways, local_upstream, tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text(
        configuration(
            local_upstream, "{requests: [60/m, 1000/d], in_flight: 8}", ", group: team",
            "groups: {team: {limits: {tokens: 5M/d}}}"))
    checked = command(tmp_path, "check", "--config", path)
    assert checked.returncode == 0, checked.stderr
    for line in ("keys[0].limits.in_flight: 8", "groups.team.limits.tokens: 5M/d"):
        assert line in checked.stdout, checked.stdout
    path.write_text(path.read_text().replace("60/m", "60/w"))
    checked = command(tmp_path, "check", "--config", path)
    assert checked.returncode == 78 and "a rate such as 60/m" in checked.stderr
