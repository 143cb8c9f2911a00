"""The gateway as a process: inherited state, refused resources, and leftovers."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import binary
from gateways import KEYS, gateways, surroundings, wait_until
from patience import RUN_SECONDS
from preloads import preload
from test_local_servers import is_alive, wait_for_end

UPSTREAM = 'upstreams: {up: {kind: openai, base_url: "http://127.0.0.1:9/v1"}}\n'
LOOPS = 2


def targets(pid: int) -> dict:
    """Returns the targets of a process's descriptors."""
    found = {}
    for number in os.listdir(f"/proc/{pid}/fd"):
        # A descriptor can be closed in the meantime.
        with contextlib.suppress(FileNotFoundError):
            found[int(number)] = os.readlink(f"/proc/{pid}/fd/{number}")
    return found


@pytest.mark.parametrize("program", ["headgate", "headgate-upstream"])
def test_closed_standard_streams_are_not_reused(gateways, program):
    path = gateways.folder / "headgate.yaml"
    path.write_text(f"listen: unix:{gateways.folder}/own.sock\n" + UPSTREAM + KEYS)
    arguments = ["serve", "--config", path] if program == "headgate" else ["--listen", "127.0.0.1:0"]
    # The shell's own process becomes the program.
    process = subprocess.Popen(
        ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", binary(program), *arguments],
        env=surroundings(gateways.folder))
    try:
        # Loops and listeners exist once the process has a socket.
        wait_until(lambda: any("socket:" in target for target in targets(process.pid).values()), "a socket")
        found = targets(process.pid)
        assert [found[number] for number in (0, 1, 2)] == ["/dev/null"] * 3
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=RUN_SECONDS) == 0
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def few_threads(tmp_path_factory):
    """Builds a library that limits a process to TEST_THREADS threads."""
    return preload("threads", tmp_path_factory.mktemp("threads"))


# A gateway needs one thread for each loop, and one for each of the two logs.
@pytest.mark.parametrize("threads", range(LOOPS + 2))
def test_start_without_enough_threads_is_reported(gateways, few_threads, threads):
    path = gateways.folder / "headgate.yaml"
    path.write_text(f"listen: 127.0.0.1:0\nloops: {LOOPS}\n" + UPSTREAM + KEYS)
    ended = subprocess.run(
        [binary("headgate"), "serve", "--config", path], capture_output=True, text=True, timeout=RUN_SECONDS,
        env=surroundings(gateways.folder, LD_PRELOAD=str(few_threads), TEST_THREADS=str(threads)))
    assert ended.returncode == os.EX_OSERR
    assert re.fullmatch(r"headgate: the system gives no more threads \(.*\): .*ulimit -u.*\n", ended.stderr)
    assert ended.stdout == ""


def test_scripted_upstream_reports_missing_threads_too(gateways, few_threads):
    ended = subprocess.run(
        [binary("headgate-upstream"), "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=RUN_SECONDS,
        env=surroundings(gateways.folder, LD_PRELOAD=str(few_threads), TEST_THREADS="0"))
    assert ended.returncode == os.EX_OSERR
    assert ended.stderr.startswith("headgate-upstream: the system gives no more threads (")


def test_lookup_without_a_thread_is_reported(gateways, few_threads):
    """Starts a gateway that lacks only the resolver's thread, which starts with the first lookup."""
    text = (
        f"listen: 127.0.0.1:0\nloops: {LOOPS}\n"
        'upstreams: {up: {kind: openai, base_url: "http://name.invalid/v1", plain_http: true}}\n' + KEYS)
    ready = gateways.start(text)
    # Number of threads besides the main one; a sanitizer has its own thread.
    threads = len(os.listdir(f"/proc/{ready.pid}/task")) - 1
    assert ready.stop() == 0
    gateway = gateways.start(text, LD_PRELOAD=str(few_threads), TEST_THREADS=str(threads))
    for _ in range(2):
        with gateway.connect() as client:
            answer = client.chat(stream=True)
        assert (answer.status, answer.code) == (502, "upstream_connect")
    gateway.wait_for_log("no thread is left to look it up")
    assert gateway.is_running


def test_log_lines_cannot_control_a_terminal(gateways):
    """Logs hostile text that comes from programs and configurations."""
    hostile = "a\x7fb\x9bc\u202ed\u2028e\x1b[31mf"
    script = gateways.folder / "program.py"
    script.write_text(f"import time\nprint({hostile!r}, flush=True)\ntime.sleep(1000)\n", encoding="utf-8")
    gateway = gateways.start(
        f'listen: 127.0.0.1:0\nupstreams:\n  local:\n    kind: openai\n    base_url: "http://127.0.0.1:9/v1"\n'
        f'    command: {{run: ["{sys.executable}", "{script}"], preload: true, env: {{PYTHONIOENCODING: utf-8}}}}\n'
        + KEYS)
    gateway.wait_for_log(r"local: a")
    line = next(line for line in gateway.log.read_text(encoding="utf-8").split("\n") if "local: a" in line)
    assert line.endswith("a\\u007fb\\u009bc\\u202ed\\u2028e\\u001b[31mf")


# A program with a child process, neither of which inherits descriptors of the gateway.
FAMILY = 'sleep 1000 & echo "child $$!"; exec sleep 1000'


def test_descendants_end_with_a_killed_gateway(gateways):
    gateway = gateways.start(
        "listen: 127.0.0.1:0\nupstreams:\n  local:\n    kind: openai\n    base_url: \"http://127.0.0.1:9/v1\"\n"
        f"    command: {{run: [/bin/sh, -c, '{FAMILY}'], preload: true}}\n" + KEYS)
    child = int(gateway.wait_for_log(r"local: child (\d+)")[1])
    assert is_alive(child)
    gateway.kill()
    wait_for_end(child)


def test_supervisors_end_after_an_orderly_shutdown(gateways):
    gateway = gateways.start(
        "listen: 127.0.0.1:0\nupstreams:\n  local:\n    kind: openai\n    base_url: \"http://127.0.0.1:9/v1\"\n"
        f"    command: {{run: [/bin/sh, -c, '{FAMILY}'], preload: true}}\n" + KEYS)
    child = int(gateway.wait_for_log(r"local: child (\d+)")[1])
    group = os.getpgid(child)
    assert members(group) > 2, "the program, its child and the caretaker"
    assert gateway.stop() == 0
    wait_until(lambda: members(group) == 0, "the end of the whole group")


def members(group: int) -> int:
    """Returns the number of live processes in a group."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        count += words[0] != "Z" and int(words[2]) == group
    return count


def test_folder_of_the_model_is_gone_with_a_killed_gateway(gateways):
    # The stand-in for Python installs and serves nothing, and has a child process.
    programs = gateways.folder / "programs"
    programs.mkdir()
    python = programs / "python3"
    python.write_text(
        '#!/bin/sh\ncase "$*" in *" install "*) echo done; exit 0;; esac\n'
        f'sleep 1000 & echo $! >"{gateways.folder}/child"; echo ready; wait\n')
    python.chmod(0o700)
    gateway = gateways.start(
        "listen: 127.0.0.1:0\nupstreams: {device: {kind: on-device}}\n" + KEYS,
        PATH=f"{programs}:{os.environ['PATH']}")
    made = [path for path in gateways.folder.glob("headgate-??????") if path.is_dir()]
    assert len(made) == 1 and (made[0] / "on_device.py").exists()
    child = int((gateways.folder / "child").read_text())
    gateway.kill()
    wait_for_end(child)
    wait_until(lambda: not made[0].exists(), "the end of the folder")
