"""The default upstream: a real model on this device, from nothing but `headgate serve`."""

import json
import os
import secrets
import select
import signal
import subprocess
from pathlib import Path

import openai
import pytest

from child import Child
from conftest import binary, environment

# The first start of a machine downloads the model.
FIRST_START_SECONDS = 300
GONE_SECONDS = 5
PROMPT = [{"role": "user", "content": "Say hello."}]


def surroundings(folder, **more):
    # The model is kept where a user's is, so that it is downloaded once.
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return environment(folder, XDG_DATA_HOME=data, HEADGATE_LISTEN="127.0.0.1:0", **pip, **more)


def start(folder, monkeypatch, *arguments, **more):
    monkeypatch.setattr("child.READY_SECONDS", FIRST_START_SECONDS)
    gateway = Child([binary("headgate"), "serve", *arguments], folder / "errors.log", surroundings(folder, **more))
    base_url = gateway.wait_for_line(r"listening on (http://.*)")[1]
    gateway.wait_for_line("ready")
    return gateway, base_url


def descendants(pid: int) -> list[int]:
    children = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            children += [int(child), *descendants(int(child))]
    return children


def gone(descriptors, seconds=GONE_SECONDS) -> bool:
    """Waits until the processes behind these pidfds have ended."""
    waiting = set(descriptors)
    while waiting:
        ended, _, _ = select.select(waiting, [], [], seconds)
        if not ended:
            return False
        waiting -= set(ended)
    return True


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with pytest.MonkeyPatch.context() as monkeypatch:
        gateway, base_url = start(tmp_path_factory.mktemp("on-device"), monkeypatch)
    yield gateway, base_url
    children = [os.pidfd_open(pid) for pid in descendants(gateway._process.pid)]
    assert children
    assert gateway.stop() == 0
    assert gone(children)


def test_curl_prints_real_deltas_one_by_one_and_exactly_one_done(running):
    _, base_url = running
    body = json.dumps({"model": "smollm2", "stream": True, "max_tokens": 12, "messages": PROMPT})
    command = ["curl", "-sN", f"{base_url}/v1/chat/completions", "-H", "Content-Type: application/json", "-d", body]
    output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    events = output.split("\n\n")
    assert events[-1] == "" and events[-2] == "data: [DONE]"
    assert output.count("[DONE]") == 1
    chunks = [json.loads(event.removeprefix("data: ")) for event in events[:-2]]
    assert all(chunk["model"] == "smollm2" for chunk in chunks)
    texts = [choice["delta"].get("content") for chunk in chunks for choice in chunk["choices"]]
    assert len([text for text in texts if text]) >= 3


def test_python_sdk_streams_and_asks(running):
    _, base_url = running
    client = openai.OpenAI(base_url=f"{base_url}/v1", api_key="none-needed", max_retries=0, timeout=60)
    answer = client.chat.completions.create(model="smollm2", messages=PROMPT, max_tokens=8)
    assert answer.choices[0].message.content
    assert answer.usage.completion_tokens > 0
    stream = client.chat.completions.create(model="smollm2", messages=PROMPT, max_tokens=8, stream=True)
    pieces = [choice.delta.content for chunk in stream for choice in chunk.choices if choice.delta.content]
    assert len(pieces) >= 2


def test_model_that_dies_is_started_again(running, monkeypatch):
    gateway, base_url = running
    monkeypatch.setattr("child.READY_SECONDS", 60)
    server = descendants(gateway._process.pid)[0]
    descriptor = os.pidfd_open(server)
    os.kill(server, signal.SIGKILL)
    assert gone([descriptor])
    gateway.wait_for_line("ready again")
    client = openai.OpenAI(base_url=f"{base_url}/v1", api_key="none-needed", max_retries=0, timeout=60)
    assert client.chat.completions.create(model="smollm2", messages=PROMPT, max_tokens=4).choices


def test_model_is_gone_when_the_gateway_is_killed(tmp_path, monkeypatch):
    gateway, _ = start(tmp_path, monkeypatch)
    children = [os.pidfd_open(pid) for pid in descendants(gateway._process.pid)]
    assert children
    gateway._process.kill()
    gateway._process.wait()
    assert gone(children), "the model outlived a gateway that was killed"


def test_no_secret_reaches_the_model_process(tmp_path, monkeypatch):
    canary = "sk-canary-" + secrets.token_hex(8)
    path = tmp_path / "headgate.yaml"
    path.write_text("upstreams:\n  device: {kind: on-device}\n")
    gateway, _ = start(tmp_path, monkeypatch, "--config", path, OPENAI_API_KEY=canary, ANTHROPIC_API_KEY=canary)
    try:
        for pid in descendants(gateway._process.pid):
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
            variables = Path(f"/proc/{pid}/environ").read_bytes()
            assert canary.encode() not in arguments + variables
            assert b"_API_KEY" not in variables
            assert b"hg-" not in arguments + variables
            descriptors = {os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir() if link.exists()}
            assert not any(name.startswith("socket:") and "TCP" in name for name in descriptors)
    finally:
        assert gateway.stop() == 0


def test_without_python_one_line_says_so_and_the_gateway_still_starts(tmp_path):
    gateway = Child(
        [binary("headgate"), "serve"],
        tmp_path / "errors.log",
        {"PATH": "/nonexistent", "HOME": str(tmp_path), "HEADGATE_LISTEN": "127.0.0.1:0"},
    )
    base_url = gateway.wait_for_line(r"listening on (http://.*)")[1]
    client = openai.OpenAI(base_url=f"{base_url}/v1", api_key="none-needed", max_retries=0, timeout=10)
    with pytest.raises(openai.InternalServerError) as failure:
        client.chat.completions.create(model="smollm2", messages=PROMPT)
    assert failure.value.code == "upstream_unavailable"
    assert "python3 is not installed" in str(failure.value)
    assert gateway.stop() == 0
    lines = [line for line in gateway.output().splitlines() if "no on-device model" in line]
    assert len(lines) == 1
