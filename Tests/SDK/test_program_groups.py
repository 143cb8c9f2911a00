"""Programs of one group share a resource that only one can use at once: they take turns, and no request is lost."""

import json
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai
import pytest

from connections import text_of, whole_text
from gateways import KEY, KEYS, command, gateways, wait_until  # noqa: F401
from patience import PATIENCE_SECONDS
from test_local_servers import wait_for_end
from test_on_device import running  # noqa: F401  (a fixture)

PROGRAM = Path(__file__).with_name("local_server.py")
NAMES = ["red", "green", "blue"]
ON_DEVICE = Path(__file__).parents[2] / "Sources/HeadgateUpstream/OnDevice/on_device.py"


def upstream(folder: Path, name: str, options: str = "", delay: float = 0) -> str:
    return (
        f'  {name}:\n    kind: openai\n    base_url: "unix:{folder}/{name}.sock:/v1"\n    command:\n'
        f'      run: ["{sys.executable}", "{PROGRAM}", "{folder}/{name}.sock"]\n      program_group: gpu\n'
        f'      env: {{LOCAL_LOCK: "{folder}/lock", LOCAL_END: "{folder}/end", LOCAL_DELAY: "{delay}"}}\n{options}')


@pytest.fixture
def start(gateways):  # noqa: F811
    def start(limits: str = "{}", options: str = "", delay: float = 0, more: str = "", **variables):
        programs = "".join(upstream(gateways.folder, name, options, delay) for name in NAMES)
        models = "".join(f"  {name}: {{upstream: {name}}}\n" for name in NAMES)
        models += "".join(
            f"  {name}-{model}: {{upstream: {name}, model: {model}}}\n"
            for name in NAMES for model in ("long", "refuse"))
        gateway = gateways.start(
            f"listen: 127.0.0.1:0\nupstreams:\n{programs}program_groups: {{gpu: {limits}}}\nmodels:\n{models}{more}"
            + KEYS.replace("}]", ", admin: true}]"), **variables)
        gateway.end = gateways.folder / "end"
        return gateway

    return start


def ask(gateway, model: str) -> dict:
    with gateway.connect() as client:
        return json.loads(whole_text(client.chat(model, stream=True)))


def program(gateway, name: str) -> dict:
    with gateway.connect() as client:
        upstreams = client.ask("GET", "/status/data").document["upstreams"]
    return next(upstream for upstream in upstreams if upstream["name"] == name)["program"]


def state(gateway, name: str) -> str:
    return program(gateway, name)["state"]


def in_background(work, *arguments) -> tuple:
    """Runs the work on a thread; returns the thread, and the list that receives the result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(work(*arguments)), daemon=True)
    thread.start()
    return thread, results


def test_three_programs_take_turns_under_load_and_no_request_is_lost(start):
    gateway = start()
    choices = random.Random(40)
    with ThreadPoolExecutor(40) as pool:
        answers = []
        for _ in range(40):
            answers.append(pool.submit(ask, gateway, choices.choice(NAMES)))
            time.sleep(0.25)
        pids = {answer.result(60)["pid"] for answer in answers}
    programs = [program(gateway, name) for name in NAMES]
    starts = sum(program["starts"] for program in programs)
    # Each run of a program is a new process, and none found the lock taken.
    assert len(pids) == starts and 3 <= starts <= 40
    assert sum(program["state"] in ("ready", "starting", "stopping") for program in programs) <= 1
    assert "another program runs" not in gateway.output()
    assert [program["group"] for program in programs] == ["gpu"] * 3
    assert all(program["waiting"] == 0 and program["output"][-1].startswith("I am ") for program in programs)


def test_program_with_a_stream_makes_room_when_the_stream_has_ended(start):
    gateway = start()
    with gateway.connect() as client:
        stream = client.stream("red-long")
        assert stream.next_text() == "begun"
        thread, results = in_background(ask, gateway, "green")
        wait_until(lambda: program(gateway, "green")["waiting"] == 1, "the request that waits")
        # Requests for the running program are served first.
        assert ask(gateway, "red")["pid"] and state(gateway, "green") == "stopped"
        gateway.end.touch()
        assert stream.next_text() == " and ended" and stream.rest() == ["[DONE]"]
    thread.join(PATIENCE_SECONDS)
    assert results and program(gateway, "green")["starts"] == 1


def test_endless_stream_is_ended_with_an_error(start):
    gateway = start("{drain: 300ms}")
    with gateway.connect() as client:
        stream = client.stream("red-long")
        assert stream.next_text() == "begun"
        thread, results = in_background(ask, gateway, "green")
        last = stream.rest()[-1]
        assert json.loads(last)["error"]["code"] == "upstream_incomplete"
    thread.join(PATIENCE_SECONDS)
    assert results


@pytest.mark.parametrize("model", ["red", "both"])
def test_stream_that_waits_for_a_start_gets_its_head_before(start, model):
    # This holds even if another target could still be tried.
    gateway = start(delay=4, more="  both: {targets: [{upstream: red}, {upstream: green}]}\n")
    with gateway.connect() as client:
        began = time.monotonic()
        stream = client.stream(model)
        waited = time.monotonic() - began
        assert state(gateway, "red") == "starting" and waited >= 2
        assert json.loads(stream.next_text())["pid"] and stream.rest() == ["[DONE]"]


def test_committed_stream_whose_program_fails_or_refuses_gets_an_error_event(start):
    gateway = start(options="      start_timeout: 3s\n", delay=30)
    with gateway.connect() as client:
        error = json.loads(client.stream("red").rest()[-1])["error"]
        assert error["code"] == "upstream_unavailable" and "'red' was not ready within 3 s" in error["message"]
    # The error has the format of another route, too.
    with gateway.connect() as client:
        answer = client.ask(
            "POST", "/v1/messages", {"model": "green", "max_tokens": 9, "stream": True,
                                     "messages": [{"role": "user", "content": "Hi"}]})
        assert answer.status == 200 and b"event: error" in answer.body and b"was not ready within 3 s" in answer.body


def test_refusal_of_a_program_reaches_a_committed_stream(start):
    gateway = start(delay=2.5)
    with gateway.connect() as client:
        error = json.loads(client.stream("red-refuse").rest()[-1])["error"]
        assert error["message"] == "the context is full"


def test_requests_above_the_queue_or_wait_get_503_with_retry_after(start):
    gateway = start("{queue: 1, wait: 1s}")
    with gateway.connect() as client:
        stream = client.stream("red-long")
        assert stream.next_text() == "begun"

        def refused(model):
            with gateway.connect() as other:
                return other.chat(model)

        thread, results = in_background(refused, "green")
        wait_until(lambda: program(gateway, "green")["waiting"] == 1, "the request that waits")
        full = refused("blue")
        assert (full.status, full.code, full.headers["Retry-After"]) == (503, "upstream_busy", "10")
        assert "1 requests wait for programs of the group 'gpu'" in full.message
        thread.join(PATIENCE_SECONDS)
        late = results[0]
        assert (late.status, late.code, late.headers["Retry-After"]) == (503, "upstream_busy", "10")
        with gateway.connect() as other:
            message = {"model": "green", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
            answer = other.ask("POST", "/v1/messages", message)
        assert answer.status == 503 and answer.document["type"] == "error" and answer.headers["Retry-After"] == "10"
        gateway.end.touch()
        stream.rest()
    assert ask(gateway, "green")["pid"]


def test_refused_request_goes_to_the_next_target(start):
    gateway = start("{wait: 300ms}", more="  both: {targets: [{upstream: green}, {upstream: red}]}\n")
    with gateway.connect() as client:
        stream = client.stream("red-long")
        assert stream.next_text() == "begun"
        assert ask(gateway, "both")["pid"]
        assert program(gateway, "green")["starts"] == 0
        gateway.end.touch()
        stream.rest()


def test_disconnect_while_waiting_starts_nothing(start):
    gateway = start()
    with gateway.connect() as client:
        stream = client.stream("red-long")
        assert stream.next_text() == "begun"
        with openai.OpenAI(base_url=f"{gateway.urls[0]}/v1", api_key=KEY, max_retries=0, timeout=0.5) as impatient:
            with pytest.raises(openai.APITimeoutError):
                impatient.chat.completions.create(model="green", messages=[{"role": "user", "content": "Hi"}])
        wait_until(lambda: program(gateway, "green")["waiting"] == 0, "the end of the wait")
        gateway.end.touch()
        stream.rest()
    assert state(gateway, "red") == "ready" and program(gateway, "green")["starts"] == 0


def test_unloaded_program_ends_and_the_next_request_starts_it(start):
    gateway = start()
    first = ask(gateway, "red")["pid"]
    with gateway.connect() as client:
        answer = client.ask("POST", "/v1/admin/upstreams/red/unload")
        assert answer.status == 202 and answer.document["state"] in ("ready", "stopping")
        wait_for_end(first)
        assert client.ask("POST", "/v1/admin/upstreams/red/unload").status == 202
        missing = client.ask("POST", "/v1/admin/upstreams/none/unload")
        assert (missing.status, missing.code) == (404, "program_not_found")
    assert ask(gateway, "red")["pid"] != first


def test_unload_needs_an_admin(gateways):  # noqa: F811
    gateway = gateways.start(
        f"listen: 127.0.0.1:0\nupstreams:\n{upstream(gateways.folder, 'red')}models: {{red: {{upstream: red}}}}\n" + KEYS)
    with gateway.connect() as client:
        assert client.ask("POST", "/v1/admin/upstreams/red/unload").status == 403


def test_idle_program_of_a_group_is_stopped_after_its_ttl(start):
    gateway = start(options="      ttl: 300ms\n")
    wait_for_end(ask(gateway, "red")["pid"])
    assert ask(gateway, "green")["pid"]


def test_preloaded_program_runs_before_any_request(start):
    gateway = start()
    gateway.write(gateway.path.read_text().replace(
        f'/green.sock"]\n', f'/green.sock"]\n      preload: true\n'))
    assert gateway.reload().returncode == 0
    wait_until(lambda: state(gateway, "green") == "ready", "the program")
    assert state(gateway, "red") == "stopped"


def test_crash_frees_the_place_for_others(start):
    gateway = start(more="  red-crash: {upstream: red, model: crash}\n")
    with gateway.connect() as client:
        assert client.chat("red-crash", stream=True).status == 502
    # Until the gateway knows that the program has ended, a request for the other program would stop this one.
    wait_until(lambda: state(gateway, "red") == "failed", "the end of the program")
    assert ask(gateway, "green")["pid"]
    assert program(gateway, "red")["reason"].endswith("ended with exit status 3")


def test_models_loaded_lists_the_programs(start):
    gateway = start()
    ask(gateway, "red")
    listed = command(gateway.folder, "models", "--loaded", "--url", gateway.urls[0], HEADGATE_KEY=KEY)
    assert listed.returncode == 0, listed.stderr
    rows = [line.split() for line in listed.stdout.splitlines()]
    assert rows[0] == ["UPSTREAM", "STATE", "GROUP", "IN", "FLIGHT", "WAITING", "STARTS"]
    assert rows[1:] == [
        ["red", "ready", "gpu", "0", "0", "1"], ["green", "stopped", "gpu", "0", "0", "0"],
        ["blue", "stopped", "gpu", "0", "0", "0"]]


@pytest.mark.serial
def test_three_servers_of_the_on_device_model_take_turns(gateways, running):  # noqa: F811
    models = Path.home() / ".local/share/headgate/on-device"
    key = "k" * 32
    text = "listen: 127.0.0.1:0\nupstreams:\n"
    for name in NAMES:
        socket = gateways.folder / f"{name}.sock"
        # The model's server reads its key first, and exits at the end of its input.
        run = (
            f'{{ echo {key}; cat; }} | "{sys.executable}" -I "{ON_DEVICE}" serve --models "{models}" '
            f'--socket "{socket}" --alias {name}')
        text += (
            f'  {name}:\n    kind: openai\n    base_url: "unix:{socket}:/v1"\n    api_key: {key}\n'
            f"    command: {{run: [sh, -c, {json.dumps(run)}], program_group: gpu}}\n")
    text += "models:\n" + "".join(f"  {name}: {{upstream: {name}}}\n" for name in NAMES)
    gateway = gateways.start(text + KEYS.replace("}]", ", admin: true}]"))
    choices = random.Random(41)

    def answer(name: str) -> str:
        with gateway.connect() as client:
            body = {"model": name, "stream": True, "max_tokens": 8, "messages": [{"role": "user", "content": "Say hi."}]}
            response = client.ask("POST", "/v1/chat/completions", body)
            assert response.status == 200, response.body
            lines = [line for line in response.body.decode().split("\n\n") if line.startswith("data: ")]
            assert lines[-1] == "data: [DONE]", response.body
            return "".join(text_of(line.removeprefix("data: ")) for line in lines[:-1])

    residents = set()
    with ThreadPoolExecutor(24) as pool:
        answers = []
        for _ in range(24):
            answers.append(pool.submit(answer, choices.choice(NAMES)))
            residents.add(sum(program(gateway, name)["state"] in ("ready", "starting", "stopping") for name in NAMES))
            time.sleep(0.25)
        assert all(answer.result(180) for answer in answers)
    assert max(residents) == 1
    assert 3 <= sum(program(gateway, name)["starts"] for name in NAMES) <= 24
