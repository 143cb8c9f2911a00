"""A new process of the installed program takes over from a running gateway, and clients do not notice."""

import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
from pathlib import Path

import openai
import pytest

from conftest import binary
from connections import whole_text
from gateways import KEY, command, gateways, key_line, surroundings, wait_until  # noqa: F401  (a fixture)
from load import Clients, Result
from patience import RUN_SECONDS
from test_local_servers import is_alive, wait_for_end
from test_reload import finish
from upstreams import TEXT, local_upstream  # noqa: F401  (a fixture)

STREAMS = 20
# Number of requests of each kind, before the upgrade and again after it.
ANSWERS = 10
# For each kind: the listener, whether the connection is reused, and whether the response is a stream.
KINDS = {"whole": (0, True, False), "stream": (0, True, True), "new": (0, False, False), "unix": (1, True, True)}
ADMIN = f"{key_line()[:-1]}, admin: true, budget: {{tokens: 1M, every: month}}}}"


def configuration(folder, upstream, more: str = "", listen: str = "127.0.0.1:0") -> str:
    return f"""
listen: ["{listen}", "unix:{folder}/gateway.sock"]
log: {{file: {folder}/access.log}}
ledger: "sqlite:{folder}/usage.db"
cache: {{folder: {folder}/cache}}
responses: {{store: 1h, file: {folder}/responses.db}}
upstreams:
  up: {{kind: openai, speaks: [chat], base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}
models:
  cached: {{upstream: up, model: chat, cache: {{ttl: 1h}}}}
  "*": {{upstream: up}}
keys: [{ADMIN}]
{more}"""


class Installed:
    """Gateways whose program is a link, as after a version was installed next to the former one."""

    def __init__(self, gateways, upstream, monkeypatch):  # noqa: F811
        self.folder, self.upstream, self._gateways = gateways.folder, upstream, gateways
        self.program = binary("headgate").resolve()
        (self.folder / "cache").mkdir(mode=0o700)
        self.link = self.folder / "bin" / "headgate"
        self.link.parent.mkdir()
        self.install(self.program)
        monkeypatch.setattr("conftest.BINARIES", self.link.parent)
        self.successors = []

    def install(self, program: str | Path):
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(program)

    def start(self, more: str = ""):
        return self._gateways.start(configuration(self.folder, self.upstream, more), HEADGATE_LEDGER="")

    def command(self, *arguments) -> subprocess.CompletedProcess:
        """Runs the command by the program itself, whatever the link points at."""
        return subprocess.run(
            [self.program, "upgrade", *map(str, arguments)], capture_output=True, text=True, timeout=RUN_SECONDS,
            env=surroundings(self.folder), stdin=subprocess.DEVNULL)

    def upgrade(self, process: int) -> int:
        """Upgrades a gateway; returns the new process."""
        result = self.command("--pid", process)
        assert result.returncode == 0, result.stderr
        match = re.fullmatch(
            r"upgraded process (\d+), which finishes what is in flight, to process (\d+) on .* \(\d+ ms\)\n",
            result.stdout)
        assert match and int(match[1]) == process, result.stdout
        self.successors.append(int(match[2]))
        return self.successors[-1]

    def is_refused(self, process: int, reason: str, code: int = 78):
        result = self.command("--pid", process)
        assert result.returncode == code and reason in result.stderr, (result, reason)

    def end(self):
        for process in self.successors:
            if is_alive(process):
                os.kill(process, signal.SIGTERM)
                wait_for_end(process)

    def rows(self, columns: str = "request_id, outcome") -> list:
        with contextlib.closing(sqlite3.connect(self.folder / "usage.db")) as ledger:
            return ledger.execute(f"SELECT {columns} FROM requests").fetchall()

    def check(self, count: int):
        """Checks that each request is in the ledger and in the log once, and has finished."""
        wait_until(lambda: len(self.rows()) >= count and len(self.lines()) >= count, "the whole ledger and log")
        logged = sorted((line["request_id"], line["outcome"]) for line in self.lines())
        assert len(logged) == count and {outcome for _, outcome in logged} == {"finished"}
        assert sorted(self.rows()) == logged

    def lines(self) -> list:
        found = [json.loads(line) for line in (self.folder / "access.log").read_text().splitlines()]
        return [line for line in found if line.get("operation") == "createChatCompletion"]


@pytest.fixture
def installed(gateways, local_upstream, monkeypatch):  # noqa: F811
    installed = Installed(gateways, local_upstream, monkeypatch)
    yield installed
    # This must happen before the gateways' fixture reads their output, which ends only with the last process that has
    # it open.
    local_upstream.release.set()
    installed.end()


@pytest.mark.serial
def test_upgrade_under_load_refuses_no_connection_and_fails_no_request(installed):
    gateway, result = installed.start(), Result()
    clients = Clients(result)
    try:
        with contextlib.ExitStack() as stack:
            connections = [stack.enter_context(gateway.connect()) for _ in range(STREAMS)]
            streams = [each.stream("gated") for each in connections]
            begun = [stream.next_text() for stream in streams]
            for kind, (listener, keeps, is_stream) in KINDS.items():
                def connect(listener=listener):
                    return gateway.connect(listener, None if listener == 1 else KEY)

                clients.start(kind, connect, keeps, is_stream)
            wait_until(lambda: all(result.answers[kind] > ANSWERS for kind in KINDS), "answers before the upgrade")
            installed.upgrade(gateway.pid)
            before = dict(result.answers)
            wait_until(
                lambda: result.failures or all(result.answers[kind] > before[kind] + ANSWERS for kind in KINDS),
                "answers after the upgrade")
            assert gateway.is_running, "its streams have not ended"
            installed.upstream.release.set()
            assert [text + finish(stream) for text, stream in zip(begun, streams)] == [TEXT] * STREAMS
            # The connection's stream began before the upgrade.
            assert connections[0].chat().status == 200
            clients.end()
        assert not result.failures, result.failures[:5]
        assert gateway.wait() == 0
        with gateway.connect() as client:
            assert whole_text(client.chat()) == TEXT
        # The requests are those of the load, the streams, one after them on the same connection, and the last one.
        count = sum(result.answers.values()) + STREAMS + 2
        installed.check(count)
    finally:
        clients.end()
    installed.end()
    assert not (installed.folder / "gateway.sock").exists(), "its owner is the new process"
    assert not list(installed.folder.glob("usage.db.live-*")), "both journals are written"


def test_what_ends_in_the_former_process_is_known_to_the_new_one(installed):
    """Checks a stored response, and the use of a budget."""
    gateway = installed.start()
    client = openai.OpenAI(base_url=gateway.urls[0] + "/v1", api_key=KEY, max_retries=0)
    with client.responses.create(model="gated", input="Hi", stream=True) as stream:
        name = next(iter(stream)).response.id
        installed.upgrade(gateway.pid)
        assert gateway.is_running
        installed.upstream.release.set()
        assert list(stream)[-1].type == "response.completed"
    assert gateway.wait() == 0
    response = client.responses.retrieve(name)
    assert (response.status, response.output_text) == ("completed", TEXT)

    def use() -> int:
        with gateway.connect() as connection:
            return connection.ask("GET", "/status/data").document["budgets"][0]["used"] or 0

    wait_until(lambda: use() > 0, "the use of the stream")
    assert [(use(),)] == installed.rows("coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)")


def test_new_process_that_fails_leaves_the_old_one_in_place(installed):
    gateway = installed.start()

    def refused(reason: str):
        result = installed.command("--pid", gateway.pid)
        assert result.returncode == 78 and "not upgraded, everything stays as it was" in result.stderr, result
        assert reason in result.stderr, result.stderr
        with gateway.connect() as client, gateway.connect(1, None) as other:
            assert whole_text(client.chat()) == whole_text(other.chat(stream=True)) == TEXT

    with gateway.connect() as client:
        stream = client.stream("gated")
        begun = stream.next_text()
        gateway.write(configuration(installed.folder, installed.upstream, more="heders: {}\n"))
        refused("heders")
        # This upgrade fails only after the old process has closed its stores.
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            gateway.write(configuration(installed.folder, installed.upstream, listen=address))
            refused(f"cannot listen on {address}")
        gateway.write(configuration(installed.folder, installed.upstream))
        for program in ("/bin/false", "/no/such/program"):
            installed.install(program)
            refused("ended before it served")
        installed.upstream.release.set()
        assert begun + finish(stream) == TEXT
    installed.install(installed.program)
    installed.upgrade(gateway.pid)
    assert gateway.wait() == 0
    with gateway.connect() as client:
        assert whole_text(client.chat()) == TEXT
    # There are two requests for each of the four refusals, the stream, and the last request.
    installed.check(10)


def test_second_upgrade_is_refused_until_the_first_is_over(installed):
    gateway = installed.start()
    with gateway.connect() as client:
        stream = client.stream("gated")
        begun = stream.next_text()
        successor = installed.upgrade(gateway.pid)
        installed.is_refused(gateway.pid, f"process {successor} serves instead", 1)
        installed.is_refused(successor, f"process {gateway.pid} still finishes what was in flight")
        # Without --pid, the command upgrades the process that serves.
        assert f"process {successor} on" in installed.command().stderr
        installed.upstream.release.set()
        assert begun + finish(stream) == TEXT
    assert gateway.wait() == 0
    wait_until(lambda: "the former process has ended" in gateway.output(), "the end of the first upgrade")
    last = installed.upgrade(successor)
    wait_for_end(successor)
    assert is_alive(last)
    with gateway.connect() as client:
        assert whole_text(client.chat()) == TEXT


def test_upgrade_without_a_gateway_says_so(installed):
    result = installed.command()
    assert result.returncode == 1 and "no gateway of yours runs" in result.stderr


def test_gateway_that_runs_a_program_is_not_upgraded(gateways):  # noqa: F811
    gateway = gateways.start(
        "listen: 127.0.0.1:0\nupstreams:\n  local:\n    kind: openai\n    base_url: \"http://127.0.0.1:9/v1\"\n"
        f"    command: {{run: [/bin/sleep, '1000']}}\nkeys: [{key_line()}]\n")
    result = command(gateways.folder, "upgrade", "--pid", gateway.pid)
    assert result.returncode == 78 and "restart it instead of upgrading it" in result.stderr
    assert gateway.is_running
