"""The output of a start: at most eight lines, and a request to paste, printed only once the request works."""

import json
import re
import socket
import subprocess
import time

import pytest

from child import Child
from conftest import SANITIZER_OPTIONS, binary
from gateways import KEYS, command, gateways  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS
from upstreams import local_upstream  # noqa: F401  (a fixture)


def configuration(url: str, models: str, kind: str = "openai") -> str:
    return f"listen: 127.0.0.1:0\nupstreams:\n  up: {{kind: {kind}, base_url: \"{url}\"}}\nmodels: {models}\n"


def printed(gateway) -> tuple[str, str]:
    """Returns the words before the request, and the request."""
    found = gateway.wait_for_log(r"^  (try it.*?): (curl .*)\n")
    return found[1], found[2]


def banner(gateway) -> list:
    """Returns the lines from the first one to the request."""
    gateway.wait_for_log(r"^  try it.*\n")
    lines = gateway.log.read_text().splitlines()
    end = next(number for number, line in enumerate(lines) if line.startswith("  try it"))
    return lines[:end + 1]


def test_at_most_eight_lines_are_printed_and_name_the_recording(gateways, local_upstream, tmp_path):  # noqa: F811
    url = local_upstream.url
    ups = "".join(f'  up{number}: {{kind: openai, base_url: "{url}"}}\n' for number in range(9))
    targets = ", ".join(f"{{upstream: up{number}}}" for number in range(9))
    text = (
        f"listen: [127.0.0.1:0, 127.0.0.1:0]\nupstreams:\n{ups}models: {{m: {{targets: [{targets}]}}}}\n"
        f"tracing: {{otlp: \"http://127.0.0.1:9\"}}\nrecord: {{folder: {tmp_path}/tapes, mode: record}}\n"
        "inspect: {requests: 50}\n" + KEYS)
    gateway = gateways.start(text)
    lines = banner(gateway)
    assert len(lines) == 8, "\n".join(lines)
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "configuration", "upstreams", "access", "bounds", "recordings", "chat", "try it"]
    assert all(url in lines[0] for url in gateway.urls)
    assert lines[1] == f"  configuration: {gateway.path}"
    assert f"up0 ({url})" in lines[2] and lines[2].endswith("up5 (" + url + ") and 3 more")
    assert lines[3] == "  access: client keys test"
    assert f"is written to {tmp_path}/tapes; traces: spans go to http://127.0.0.1:9" in lines[5]
    assert "inspection: admins read the last 50 prompts and answers on /status" in lines[5]
    assert "'headgate open'" in lines[6] and "'headgate setup'" in lines[6]


def test_bounds_are_one_line_and_check_has_the_details(gateways, local_upstream):  # noqa: F811
    text = configuration(local_upstream.url, '{m: {upstream: up}}') + "limits: {connections: 100, body_memory: 64MiB}\n"
    gateway = gateways.start(text)
    gateway.wait_for_log(r"^  bounds: 100 connections \(as configured\), 64 MiB of request bodies, 16 MiB per event; ")
    lines = command(gateway.folder, "check", "--config", gateway.path).stdout.splitlines()
    assert lines[-2].startswith("bounds: 100 connections (as configured); at most 57 MiB for the buffers of all"), lines
    assert "64 MiB for request bodies together, and 16 MiB for the event of each stream" in lines[-2]


def test_start_waits_for_no_list_of_an_upstream(gateways):  # noqa: F811
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts connections and never responds
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        started = time.monotonic()
        title, request = printed(gateways.start(configuration(url, '{"*": {upstream: up}}')))
        assert "instead of MODEL" in title and time.monotonic() - started < PATIENCE_SECONDS / 2


@pytest.mark.parametrize("models, name", [
    ('{"*": {upstream: up}, "it\'s \\"exact\\"": {upstream: up}}', "it's \"exact\""),
    ('{"gpt-*": {upstream: up}}', "gpt-6-luna"),
    ('{"sim*": {upstream: up}, "claude-h*": {upstream: up}}', "claude-haiku-5-5"),
])
def test_it_names_an_available_model_and_works_as_printed(gateways, local_upstream, models, name):  # noqa: F811
    title, request = printed(gateways.start(configuration(local_upstream.url, models)))
    assert title == "try it"
    output = subprocess.run(["bash", "-c", request], check=True, capture_output=True, text=True, timeout=20).stdout
    assert "data: [DONE]" in output
    path, _, body = local_upstream.requests[0]
    assert path == "/v1/chat/completions" and json.loads(body)["model"] == name


@pytest.mark.parametrize("models, words", [
    ('{"sim*": {upstream: up}}', "a model that 'sim*' matches"), ('{"*": {upstream: up}}', "a model of the upstream 'up'"),
])
def test_without_a_known_name_it_explains_what_to_insert(gateways, local_upstream, models, words):  # noqa: F811
    title, request = printed(gateways.start(configuration(local_upstream.url, models)))
    assert words in title and "instead of MODEL" in title
    assert '"model":"MODEL"' in request and "sim*" not in request


def test_anthropic_upstream_gets_a_complete_request_on_its_route(gateways, local_upstream):  # noqa: F811
    text = configuration(local_upstream.url.removesuffix("/v1"), '{"*": {upstream: up}}', "anthropic")
    _, request = printed(gateways.start(text))
    assert "/v1/messages " in request and "-H 'anthropic-version: 2023-06-01'" in request
    subprocess.run(["bash", "-c", request], check=True, capture_output=True, timeout=20)
    path, headers, body = local_upstream.requests[0]
    assert path == "/v1/messages" and headers["anthropic-version"] == "2023-06-01"
    sent = json.loads(body)
    assert sent["model"] == "claude-haiku-5-5" and sent["max_tokens"] == 64 and sent["messages"]


def test_required_key_has_a_placeholder(gateways, local_upstream):  # noqa: F811
    text = configuration(local_upstream.url, '{"gpt-*": {upstream: up}}') + KEYS
    assert '-H "Authorization: Bearer $YOUR_KEY"' in printed(gateways.start(text))[1]


def test_on_device_model_does_not_delay_other_models(gateways, local_upstream):  # noqa: F811
    text = configuration(local_upstream.url, '{smollm2: {upstream: device}, mine: {upstream: up}}')
    # Without a python3, the on-device model does not exist.
    gateway = gateways.start(text.replace("models:", "  device: {kind: on-device}\nmodels:"), PATH="/nonexistent")
    assert '"model":"mine"' in printed(gateway)[1]
    gateway.wait_for_log("no on-device model: python3 is not installed")


def test_unusable_model_is_never_reported_ready(tmp_path):
    gateway = Child(
        [binary("headgate"), "serve"], tmp_path / "log",
        {"PATH": "/nonexistent", "HEADGATE_LISTEN": "127.0.0.1:0", **SANITIZER_OPTIONS})
    gateway.wait_for_line(r"listening on .*")
    gateway.wait_for_log("HOME is not set")
    assert gateway.stop() == 0
    assert not re.search(r"^(ready|  try it)", gateway.output(), re.M)
