"""Destinations of log lines. A reader that does not read them never delays a request."""

import json
import os
import re
import resource
import signal
import subprocess
import threading
import time

import pytest

from conftest import binary
from connections import Connection
from gateways import KEY, KEYS, gateways, key_line, surroundings, wait_until  # noqa: F401  (a fixture)
from patience import EXIT_SECONDS, READY_SECONDS, SLOWDOWN
from terminal import Terminal
from upstreams import Upstream

# Lower bound of the size of a request's log line.
LINE_BYTES = 300
# More lines than fit into a pipe (64 KiB) and the writer's queue (4 MiB).
MANY = (4 << 20) // LINE_BYTES + 4000


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


def with_upstream(upstream, log: str = "{}") -> str:
    return (
        f'listen: "127.0.0.1:0"\nupstreams:\n  a: {{kind: openai, base_url: "{upstream.url}"}}\n'
        f"models: {{m: {{upstream: a}}}}\nlog: {log}\n{KEYS}")


def counting(configuration: str) -> str:
    """Returns the configuration with metrics, and the test's key as an administrator's."""
    return configuration.replace(KEYS, f"metrics: true\nkeys: [{key_line()[:-1]}, admin: true}}]\n")


def lost_lines(url: str) -> int:
    """Returns the gateway's own count of lost lines. This query itself logs no line."""
    answer = Connection(url, KEY).ask("GET", "/metrics")
    return int(re.search(rb"^headgate_log_lines_dropped_total (\d+)$", answer.body, re.M)[1])


def ask(gateway) -> int:
    return gateway.connect().chat("m").status


def requests_of(text: str) -> list:
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"time"')]


def test_file_has_one_object_for_each_request_and_nothing_else(gateways, upstream):
    file = gateways.folder / "requests.log"
    gateway = gateways.start(with_upstream(upstream, f"{{file: {file}}}"))
    assert [ask(gateway) for _ in range(3)] == [200] * 3
    wait_until(lambda: file.read_text().count("\n") == 3, "three lines")
    assert [line["status"] for line in map(json.loads, file.read_text().splitlines())] == [200] * 3
    assert file.stat().st_mode & 0o137 == 0
    assert not requests_of(gateway.log_after_exit())


def test_moved_file_is_reopened_by_sigusr1(gateways, upstream):
    file = gateways.folder / "requests.log"
    gateway = gateways.start(with_upstream(upstream, f"{{file: {file}}}"))
    ask(gateway)
    wait_until(lambda: file.read_text().count("\n") == 1, "a line")
    moved = file.rename(file.with_suffix(".1"))
    os.kill(gateway.pid, signal.SIGUSR1)
    wait_until(file.exists, "a new file")
    ask(gateway)
    wait_until(lambda: file.read_text().count("\n") == 1, "a line in the new file")
    assert moved.read_text().count("\n") == 1


def test_sigusr1_without_a_file_does_nothing(gateways, upstream):
    gateway = gateways.start(with_upstream(upstream))
    os.kill(gateway.pid, signal.SIGUSR1)
    assert ask(gateway) == 200


def test_file_rotates_at_its_size(gateways, upstream):
    file = gateways.folder / "requests.log"
    gateway = gateways.start(with_upstream(upstream, f"{{file: {file}, rotate: {{size: 64KiB, keep: 1}}}}"))
    connection = gateway.connect()
    count = 3 * (64 << 10) // LINE_BYTES
    for _ in range(count):
        connection.ask("GET", "/v1/none")
    names = [file, file.with_name("requests.log.1")]
    wait_until(lambda: all(name.exists() for name in names), "two files")
    wait_until(lambda: requests_of(file.read_text()), "lines in the new one")
    assert names[1].stat().st_size <= 64 << 10
    assert not file.with_name("requests.log.2").exists()


def test_levels_leave_lines_out(gateways, upstream):
    gateway = gateways.start(with_upstream(upstream, "{level: warn}"))
    connection = gateway.connect()
    assert (ask(gateway), connection.ask("GET", "/v1/none").status) == (200, 404)
    assert [line["status"] for line in requests_of(gateway.log_after_exit())] == [404]


def test_unwritable_file_ends_the_start(gateways, upstream):
    path = gateways.folder / "c.yaml"
    file = gateways.folder / "none" / "requests.log"
    path.write_text(with_upstream(upstream, f"{{file: {file}}}"))
    for command in ("check", "serve"):
        result = subprocess.run(
            [binary("headgate"), command, "--config", path], capture_output=True, text=True, timeout=READY_SECONDS,
            env=surroundings(gateways.folder))
        assert result.returncode == 78
        assert f"log: {file} cannot be written (No such file or directory): name a file in" in result.stderr


def test_full_disk_loses_lines_but_no_requests(gateways, upstream):
    gateway = gateways.start(counting(with_upstream(upstream, "{file: /dev/full}")))
    assert [ask(gateway) for _ in range(5)] == [200] * 5
    gateway.wait_for_log(r"headgate: /dev/full takes no lines \(No space left on device\): they are dropped and counted")
    wait_until(lambda: lost_lines(gateway.urls[0]) == 5, "a count of all lines")


def test_file_size_limit_loses_only_excess_lines(gateways, upstream):
    file = gateways.folder / "requests.log"
    limit = 20 * LINE_BYTES
    gateway = gateways.start(with_upstream(upstream, f"{{file: {file}}}"))
    resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    connection = gateway.connect()
    statuses = [connection.ask("GET", "/v1/none").status for _ in range(60)]
    assert statuses == [404] * 60
    gateway.wait_for_log(r"headgate: .*requests\.log takes no lines \(File too large\)")
    assert file.stat().st_size <= limit
    whole = len(requests_of(file.read_text()[: file.read_text().rfind("\n") + 1]))
    # The limit is removed, because the pending lines can exceed it again.
    resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    os.truncate(file, 0)
    connection.ask("GET", "/v1/none")

    # The last of the 60 lines can be written only now, as can the rest of a line that was cut at the limit.
    def counted() -> int:
        text = file.read_text()
        dropped = sum(map(int, re.findall(r'"log_lines_dropped":(\d+)', text)))
        rests = sum(line != "" and not line.startswith(('{"time"', '{"log_lines_dropped"')) for line in text.splitlines())
        return whole + dropped + len(requests_of(text)) + rests if dropped else 0

    wait_until(lambda: counted() == 61, "each line, or that it was dropped")


def test_terminal_shows_aligned_and_coloured_text(gateways, upstream):
    path = gateways.folder / "c.yaml"
    path.write_text(with_upstream(upstream))
    environment = surroundings(gateways.folder, TERM="xterm-256color")
    terminal = Terminal([binary("headgate"), "serve", "--config", path], environment, columns=160)
    try:
        port = terminal.expect(r"listening on http://127\.0\.0\.1:(\d+)")[1]
        terminal.expect("ready")
        Connection(f"http://127.0.0.1:{port}", KEY).chat("m")
        terminal.expect(r"\d\d:\d\d:\d\d 200 test       m > a                .* stop  ")
        assert b"\x1b[32m200\x1b[0m" in terminal.bytes()
    finally:
        terminal.signal(signal.SIGTERM)
        assert terminal.wait() == 0


class Piped:
    """A gateway whose standard error is a pipe to a reader of the log."""

    def __init__(self, folder, text: str, reader: list, output=subprocess.DEVNULL):
        path = folder / "piped.yaml"
        path.write_text(text)
        self.reader = subprocess.Popen(reader, stdin=subprocess.PIPE, stdout=output)
        self.process = subprocess.Popen(
            [binary("headgate"), "serve", "--config", path], env=surroundings(folder), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.reader.stdin)
        # After this, only the gateway has the pipe's write end open.
        self.reader.stdin.close()
        lines = []
        while not lines or lines[-1] != b"ready\n":
            lines.append(self.process.stdout.readline())
            assert lines[-1], "the gateway ended"
        self.url = re.search(r"listening on (\S+)", b"".join(lines).decode())[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.process, self.reader):
            process.kill()
            process.wait()
        self.process.stdout.close()

    def load(self, requests: int, seconds: list):
        """Sends requests over four connections, and adds the duration of each to `seconds`."""
        def run():
            connection = Connection(self.url)
            for _ in range(requests // 4):
                start = time.monotonic()
                assert connection.ask("GET", "/v1/none").status in (401, 404)
                seconds.append(time.monotonic() - start)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(EXIT_SECONDS)


# The test measures durations of requests.
@pytest.mark.serial
def test_stalled_reader_delays_no_one_and_learns_of_lost_lines(gateways, upstream):
    seconds = []
    file = gateways.folder / "read.log"
    with file.open("wb") as output, Piped(gateways.folder, counting(with_upstream(upstream)), ["cat"], output) as gateway:
        gateway.reader.send_signal(signal.SIGSTOP)
        gateway.load(MANY, seconds)
        assert len(seconds) == MANY // 4 * 4
        assert max(seconds) < SLOWDOWN, "a request waited for the log's reader"
        print(f"{len(seconds)} requests, the slowest {max(seconds) * 1000:.0f} ms")
        counted = lost_lines(gateway.url)
        gateway.reader.send_signal(signal.SIGCONT)
        assert gateway.end() == 0
        assert gateway.reader.wait(EXIT_SECONDS) == 0
    read = file.read_text()
    dropped = re.findall(r"^headgate: (\d+) log lines were dropped: the log's reader is too slow$", read, re.M)
    lost = sum(map(int, dropped))
    assert 0 < counted <= lost
    assert len(requests_of(read)) + lost == len(seconds)


def test_missing_reader_delays_no_one(gateways, upstream):
    with Piped(gateways.folder, counting(with_upstream(upstream)), ["head", "-1"]) as gateway:
        assert Connection(gateway.url).ask("GET", "/v1/none").status == 404
        assert gateway.reader.wait(EXIT_SECONDS) == 0
        seconds = []
        gateway.load(400, seconds)
        assert len(seconds) == 400 and max(seconds) < SLOWDOWN
        # The gateway's own lines are lost, too.
        wait_until(lambda: lost_lines(gateway.url) >= 400, "a count of all lines")
        assert gateway.end() == 0
