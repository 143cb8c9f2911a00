"""Programs that the gateway runs for an upstream, as processes of the system."""

import hashlib
import json
import os
import re
import secrets
import sys
import time
from pathlib import Path

import pytest

from connections import whole_text
from gateways import KEYS, gateways, wait_until

PROGRAM = Path(__file__).with_name("local_server.py")


@pytest.fixture
def start(gateways):
    secret = gateways.folder / "secret"
    secret.write_text(secrets.token_hex(16) + "\n")

    def start(options: str = "", **variables):
        path = gateways.folder / "local.sock"
        text = (
            "listen: 127.0.0.1:0\n"
            f'upstreams:\n  local:\n    kind: openai\n    base_url: "unix:{path}:/v1"\n'
            f'    command:\n      run: ["{sys.executable}", "{PROGRAM}", "{path}"]\n'
            f'      env: {{LOCAL_SECRET: {{file: "{secret}"}}}}\n      health: /health\n{options}{KEYS}')
        gateway = gateways.start(text, **variables)
        gateway.secret = secret.read_text().strip()
        return gateway

    return start


def all_started(gateway) -> list:
    """Ends the gateway; returns the process ids of all programs that it started."""
    return [int(pid) for pid in re.findall(r"^ *local: I am (\d+)$", gateway.log_after_exit(), re.M)]


def ticks_of_the_clock() -> int:
    """Returns the time since boot in clock ticks, the unit of the start times of processes."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def start_of(pid: int) -> int:
    return int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[19])


def is_alive(pid: int) -> bool:
    try:
        # The state follows the name, which can contain anything.
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for_end(pid: int):
    wait_until(lambda: not is_alive(pid), f"the end of process {pid}")


def ask(gateway, model: str = "any") -> dict:
    """Returns the identity of the program that responded."""
    with gateway.connect() as client:
        return json.loads(whole_text(client.chat(model, stream=True)))


def test_program_is_started_by_the_first_request_and_reused(start):
    gateway = start()
    ready = ticks_of_the_clock()
    first = ask(gateway)
    assert is_alive(first["pid"]) and start_of(first["pid"]) >= ready
    assert ask(gateway)["pid"] == first["pid"]
    assert all_started(gateway) == [first["pid"]]


def test_launched_program_is_started_without_a_request(start):
    gateway = start("      preload: true\n")
    pid = gateway.wait_for_log(r"^ *local: I am (\d+)$")[1]
    gateway.wait_for_log("the program of 'local' is ready")
    assert ask(gateway)["pid"] == int(pid)


def test_secret_reaches_the_program_and_nothing_else(start):
    gateway = start(OPENAI_API_KEY="sk-of-somebody", SOME_OTHER="value")
    answer = ask(gateway)
    assert answer["secret"] == hashlib.sha256(gateway.secret.encode()).hexdigest()
    # The program gets no other variables; in particular, it gets none of the gateway's secrets.
    assert "LOCAL_SECRET" in answer["variables"] and "PATH" in answer["variables"]
    assert not {"OPENAI_API_KEY", "SOME_OTHER", "UPSTREAM_KEY"} & set(answer["variables"])
    for pid in (gateway.pid, answer["pid"]):
        assert gateway.secret.encode() not in (Path("/proc") / str(pid) / "cmdline").read_bytes()
    assert gateway.secret not in gateway.log_after_exit()


def test_idle_program_is_stopped_and_started_again(start):
    gateway = start("      ttl: 300ms\n")
    first = ask(gateway)["pid"]
    gateway.wait_for_log("stopping the program of 'local'")
    wait_for_end(first)
    second = ask(gateway)["pid"]
    assert second != first
    # A request that takes longer does not count as idle time.
    assert ask(gateway, "slow")["pid"] == second


def test_crashed_program_is_restarted_automatically(start):
    gateway = start()
    first = ask(gateway)["pid"]
    with gateway.connect() as client:
        answer = client.chat("crash", stream=True)
    assert answer.status == 502 and answer.code.startswith("upstream_")
    gateway.wait_for_log(r"the program of the upstream 'local' ended with .*3")
    second = gateway.wait_for_log(rf"^ *local: I am (?!{first}$)(\d+)$")[1]
    gateway.wait_for_logs("the program of 'local' is ready", 2)
    assert ask(gateway)["pid"] == int(second)


def test_unstartable_program_is_reported(start):
    gateway = start("      start_timeout: 2s\n")
    gateway.write(gateway.path.read_text().replace(str(PROGRAM), str(PROGRAM) + ".missing"))
    assert gateway.reload().returncode == 0
    with gateway.connect() as client:
        answer = client.chat(stream=True)
    assert (answer.status, answer.code) == (502, "upstream_unavailable")
    assert "'local'" in answer.message and "the gateway's log" in answer.message
    # The log contains the program's own error message.
    gateway.wait_for_log(r"^ *local: .*\.missing")


@pytest.mark.parametrize("way", ["asked", "killed"])
def test_program_is_gone_with_the_gateway(start, way):
    gateway = start()
    pid = ask(gateway)["pid"]
    if way == "asked":
        assert gateway.stop() == 0
        assert not is_alive(pid)
    else:
        gateway.kill()
        wait_for_end(pid)


def test_program_of_a_removed_upstream_is_stopped(start):
    gateway = start()
    pid = ask(gateway)["pid"]
    gateway.write('listen: 127.0.0.1:0\nupstreams: {up: {kind: openai, base_url: "http://127.0.0.1:9/v1"}}\n' + KEYS)
    assert gateway.reload().returncode == 0
    wait_for_end(pid)


def test_unrelated_reload_keeps_the_program(start):
    gateway = start()
    pid = ask(gateway)["pid"]
    gateway.write(gateway.path.read_text() + "limits: {drain: 7s}\n")
    assert gateway.reload().returncode == 0
    assert ask(gateway)["pid"] == pid
    assert all_started(gateway) == [pid]
