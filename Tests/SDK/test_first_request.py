"""The request that a start prints to be tried: it can be pasted, and it is printed when it is true."""

import json
import re
import subprocess

import pytest

from child import Child
from conftest import SANITIZER_OPTIONS, binary
from gateways import KEYS, gateways  # noqa: F401  (a fixture)
from upstreams import local_upstream  # noqa: F401  (a fixture)


def configuration(url: str, models: str, kind: str = "openai") -> str:
    return f"listen: 127.0.0.1:0\nupstreams:\n  up: {{kind: {kind}, base_url: \"{url}\"}}\nmodels: {models}\n"


def printed(gateway) -> tuple[str, str]:
    """The line above the request, and the request."""
    found = gateway.wait_for_log(r"^(Try it.*):\n((?:  .*\\\n)+  .*[^\\\n]\n)")
    return found[1], found[2]


@pytest.mark.parametrize("models, name", [
    ('{"*": {upstream: up}, "it\'s \\"exact\\"": {upstream: up}}', "it's \"exact\""),
    ('{"gpt-*": {upstream: up}}', "gpt-6-luna"),
    ('{"sim*": {upstream: up}, "claude-h*": {upstream: up}}', "claude-haiku-5-5"),
])
def test_it_names_a_model_that_is_there_and_works_as_it_stands(gateways, local_upstream, models, name):  # noqa: F811
    title, command = printed(gateways.start(configuration(local_upstream.url, models)))
    assert title == "Try it"
    output = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True, timeout=20).stdout
    assert "data: [DONE]" in output
    path, _, body = local_upstream.requests[0]
    assert path == "/v1/chat/completions" and json.loads(body)["model"] == name


@pytest.mark.parametrize("models, words", [
    ('{"sim*": {upstream: up}}', "a model that 'sim*' matches"), ('{"*": {upstream: up}}', "a model of the upstream 'up'"),
])
def test_where_no_name_is_known_it_says_what_to_put(gateways, local_upstream, models, words):  # noqa: F811
    title, command = printed(gateways.start(configuration(local_upstream.url, models)))
    assert words in title and "in the place of MODEL" in title
    assert '"model":"MODEL"' in command and "sim*" not in command


def test_upstream_of_anthropics_kind_is_asked_on_its_route_with_what_it_needs(gateways, local_upstream):  # noqa: F811
    text = configuration(local_upstream.url.removesuffix("/v1"), '{"*": {upstream: up}}', "anthropic")
    _, command = printed(gateways.start(text))
    assert "/v1/messages " in command and "-H 'anthropic-version: 2023-06-01'" in command
    subprocess.run(["bash", "-c", command], check=True, capture_output=True, timeout=20)
    path, headers, body = local_upstream.requests[0]
    assert path == "/v1/messages" and headers["anthropic-version"] == "2023-06-01"
    request = json.loads(body)
    assert request["model"] == "claude-haiku-5-5" and request["max_tokens"] == 64 and request["messages"]


def test_key_that_is_needed_has_its_place(gateways, local_upstream):  # noqa: F811
    text = configuration(local_upstream.url, '{"gpt-*": {upstream: up}}') + KEYS
    assert '-H "Authorization: Bearer $YOUR_KEY"' in printed(gateways.start(text))[1]


def test_model_on_this_device_holds_nothing_back_where_another_is_served(gateways, local_upstream):  # noqa: F811
    text = configuration(local_upstream.url, '{smollm2: {upstream: device}, mine: {upstream: up}}')
    # Without a python3 there is no such model.
    gateway = gateways.start(text.replace("models:", "  device: {kind: on-device}\nmodels:"), PATH="/nonexistent")
    assert '"model":"mine"' in printed(gateway)[1]
    gateway.wait_for_log("no on-device model: python3 is not installed")


def test_model_that_cannot_work_is_never_called_ready(tmp_path):
    gateway = Child(
        [binary("headgate"), "serve"], tmp_path / "log",
        {"PATH": "/nonexistent", "HEADGATE_LISTEN": "127.0.0.1:0", **SANITIZER_OPTIONS})
    gateway.wait_for_line(r"listening on .*")
    gateway.wait_for_log("HOME is not set")
    assert gateway.stop() == 0
    assert not re.search(r"^(ready|Try it)", gateway.output(), re.M)
