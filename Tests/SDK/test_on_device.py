"""The default upstream: a real model on this device, from nothing but `headgate serve`."""

import json
import os
import re
import secrets
import select
import shutil
import signal
import subprocess
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai
import pytest

from child import Child
from conftest import SANITIZER_OPTIONS, binary, environment
from gateways import wait_until

# The model uses every processor.
pytestmark = pytest.mark.serial

# The first start on a machine downloads the model.
FIRST_START_SECONDS = 300
GONE_SECONDS = 5
PROMPT = [{"role": "user", "content": "Say hello."}]


def surroundings(folder, **more):
    # The model is stored in the user's own data folder, so that it is downloaded only once.
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


def is_fork(pid: int, parent: int) -> bool:
    return os.readlink(f"/proc/{pid}/exe") == os.readlink(f"/proc/{parent}/exe")


def gone(descriptors, seconds=GONE_SECONDS) -> bool:
    """Waits until the processes of these pidfds have ended; returns whether they have."""
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
    # The output of the model's server is logged only on request, because it can contain the prompt.
    assert "exceeds the available context size" not in gateway.log_after_exit()
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


@pytest.fixture
def client(running):
    _, base_url = running
    with openai.OpenAI(base_url=f"{base_url}/v1", api_key="none-needed", max_retries=0, timeout=60) as client:
        yield client


def ask(client, **members):
    return client.chat.completions.create(model="smollm2", **{"messages": PROMPT, "max_tokens": 8, **members})


TOOL = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


@pytest.mark.parametrize("member, value", [
    ("tools", [TOOL]), ("tool_choice", "required"), ("modalities", ["text", "audio"]),
    ("messages", [{"role": "user", "content": [PICTURE]}]),
])
def test_unsupported_parameters_are_refused_by_name(client, member, value):
    with pytest.raises(openai.BadRequestError) as failure:
        ask(client, **{member: value})
    assert failure.value.code == "unsupported_parameter" and failure.value.param == member


def test_first_event_of_each_choice_has_a_role_and_an_empty_text(running):
    body = json.dumps({"model": "smollm2", "stream": True, "max_tokens": 2, "n": 2, "messages": PROMPT}).encode()
    request = urllib.request.Request(
        f"{running[1]}/v1/chat/completions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        events = re.findall(r"^data: (\{.*\})$", response.read().decode(), re.M)
    choices = [choice for event in events for choice in json.loads(event)["choices"]]
    firsts = [next(choice["delta"] for choice in choices if choice["index"] == index) for index in (0, 1)]
    assert firsts == [{"role": "assistant", "content": ""}] * 2


def test_endless_reply_ends_at_the_models_limit(client):
    # Only the token limit ends this reply.
    answer = ask(client, max_tokens=None, timeout=300, extra_body={"ignore_eos": True})
    assert answer.choices[0].finish_reason == "length" and answer.usage.completion_tokens == 1024


def test_supported_parameters_work(client):
    assert len(ask(client, n=2).choices) == 2
    assert len(ask(client, logprobs=True, top_logprobs=2).choices[0].logprobs.content[0].top_logprobs) == 2
    schema = {"type": "object", "properties": {"color": {"enum": ["red", "blue"]}}, "required": ["color"],
              "additionalProperties": False}
    answer = ask(client, max_tokens=32, response_format={
        "type": "json_schema", "json_schema": {"name": "color", "schema": schema, "strict": True}})
    assert json.loads(answer.choices[0].message.content)["color"] in ("red", "blue")
    assert ask(client, seed=7).choices[0].message.content == ask(client, seed=7).choices[0].message.content
    assert client.completions.create(model="smollm2", prompt="Once upon a time", max_tokens=4).choices[0].text
    assert client.responses.create(model="smollm2", input="Say hello.", max_output_tokens=8).output_text


def test_embeddings_are_refused_with_advice(client):
    with pytest.raises(openai.BadRequestError) as failure:
        client.embeddings.create(model="smollm2", input="hello")
    assert failure.value.code == "unsupported_operation"
    assert "name a model of another upstream" in str(failure.value) and "--embeddings" not in str(failure.value)


@pytest.mark.parametrize("is_stream", [False, True])
def test_prompt_longer_than_the_context_is_refused_with_its_size(running, client, is_stream):
    with pytest.raises(openai.BadRequestError) as failure:
        ask(client, messages=[{"role": "user", "content": "hello world " * 3000}], stream=is_stream)
    assert failure.value.code == "context_length_exceeded"
    assert re.search(r"60\d\d tokens.*holds 4096 tokens", str(failure.value))
    gateway, _ = running
    lines = wait_until(
        lambda: [line for line in gateway.log.read_text().splitlines() if "context_length_exceeded" in line],
        "a line of the log")
    assert all('"outcome":"refused"' in line for line in lines)


def test_log_has_the_model_servers_lines_on_request(running, tmp_path, monkeypatch):
    long = [{"role": "user", "content": "hello world " * 3000}]
    asked, base_url = start(tmp_path, monkeypatch, HEADGATE_ON_DEVICE_LOG="1")
    for url in (running[1], base_url):
        client = openai.OpenAI(base_url=f"{url}/v1", api_key="none-needed", max_retries=0, timeout=60)
        with pytest.raises(openai.BadRequestError):
            ask(client, messages=long)
    asked.wait_for_log("exceeds the available context size")
    assert asked.stop() == 0


def gated_python(folder: Path) -> tuple[Path, Path]:
    """Creates a python3 that loads no model before the test opens the FIFO; returns its folder and the FIFO."""
    gate = folder / "gate"
    os.mkfifo(gate)
    program = folder / "bin" / "python3"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *" serve "*) echo "progress loading the model"; read line <"{gate}";; esac\n'
        f'exec "{shutil.which("python3")}" "$@"\n')
    program.chmod(0o755)
    return program.parent, gate


def starting(folder: Path, *arguments):
    """Starts a gateway whose model is loading; yields it with the FIFO that lets the model continue."""
    folder_of_python, gate = gated_python(folder)
    variables = surroundings(folder) | {"PATH": f"{folder_of_python}:{os.environ['PATH']}"}
    gateway = Child([binary("headgate"), "serve", *arguments], folder / "errors.log", variables)
    base_url = gateway.wait_for_line(r"listening on (http://.*)")[1]
    client = openai.OpenAI(base_url=f"{base_url}/v1", api_key="none-needed", max_retries=0, timeout=60)
    return gateway, base_url, client, gate


def in_flight(base_url: str) -> int:
    with urllib.request.urlopen(f"{base_url}/status/data", timeout=10) as answer:
        return json.load(answer)["requests_in_flight"]


def test_request_during_loading_waits_for_the_model(tmp_path, monkeypatch):
    monkeypatch.setattr("child.READY_SECONDS", FIRST_START_SECONDS)
    gateway, base_url, client, gate = starting(tmp_path)
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(ask, client)
        wait_until(lambda: in_flight(base_url) == 1, "a waiting request")
        assert not answer.done()
        assert "ready" not in gateway.output() and "try it" not in gateway.log.read_text()
        gate.write_text("go on\n")
        assert answer.result().choices[0].message.content
    gateway.wait_for_line("ready")
    gateway.wait_for_log(r"^  try it: curl ")
    assert gateway.stop() == 0


def test_wait_for_the_model_is_bounded_like_a_response(tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text("upstreams:\n  device: {kind: on-device, timeouts: {first_byte: 300ms}}\n")
    gateway, _, client, _ = starting(tmp_path, "--config", path)
    with pytest.raises(openai.InternalServerError) as failure:
        ask(client)
    assert failure.value.status_code == 503 and failure.value.code == "upstream_starting"
    assert failure.value.response.headers["Retry-After"] == "2"
    assert "the on-device model is starting" in str(failure.value)
    assert gateway.stop() == 0
    assert "ready" not in gateway.output().splitlines()


def test_python_sdk_works_with_and_without_streaming(running):
    _, base_url = running
    client = openai.OpenAI(base_url=f"{base_url}/v1", api_key="none-needed", max_retries=0, timeout=60)
    answer = client.chat.completions.create(model="smollm2", messages=PROMPT, max_tokens=8)
    assert answer.choices[0].message.content
    assert answer.usage.completion_tokens > 0
    stream = client.chat.completions.create(model="smollm2", messages=PROMPT, max_tokens=8, stream=True)
    pieces = [choice.delta.content for chunk in stream for choice in chunk.choices if choice.delta.content]
    assert len(pieces) >= 2


def test_crashed_model_is_restarted(running, monkeypatch):
    gateway, base_url = running
    monkeypatch.setattr("child.READY_SECONDS", 60)
    server = next(
        pid for pid in descendants(gateway._process.pid) if b"on_device.py" in Path(f"/proc/{pid}/cmdline").read_bytes())
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
        # The supervisor of the model's processes is a fork of the gateway, with the same descriptors.
        programs = [pid for pid in descendants(gateway._process.pid) if not is_fork(pid, gateway._process.pid)]
        assert programs
        for pid in programs:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
            variables = Path(f"/proc/{pid}/environ").read_bytes()
            assert canary.encode() not in arguments + variables
            assert b"_API_KEY" not in variables
            assert b"hg-" not in arguments + variables
            descriptors = {os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir() if link.exists()}
            assert not any(name.startswith("socket:") and "TCP" in name for name in descriptors)
    finally:
        assert gateway.stop() == 0


def test_without_python_the_gateway_starts_with_one_line(tmp_path):
    gateway = Child(
        [binary("headgate"), "serve"],
        tmp_path / "errors.log",
        {"PATH": "/nonexistent", "HOME": str(tmp_path), "HEADGATE_LISTEN": "127.0.0.1:0", **SANITIZER_OPTIONS},
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
