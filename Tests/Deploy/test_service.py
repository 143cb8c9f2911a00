"""The gateway under a service manager: notices, passed sockets, and the units of deploy/."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from service import CONFIGURATION, HEADGATE, PATIENCE_SECONDS, REPOSITORY, Manager, Service

DEPLOY = REPOSITORY / "deploy"
# In CI the tests must be complete, so a missing tool is a failure.
needs_systemd = pytest.mark.skipif(
    not shutil.which("systemd-analyze") and not os.environ.get("CI"),
    reason="systemd-analyze and systemd-socket-activate are missing: install Debian's systemd",
)


@pytest.fixture
def folder():
    # The path of a socket has at most 107 bytes, which a nested temporary folder can exceed.
    with tempfile.TemporaryDirectory(prefix="headgate-deploy-", dir="/tmp") as path:
        (Path(path) / "headgate.yaml").write_text(CONFIGURATION)
        yield Path(path)


@pytest.fixture
def start(folder):
    services = []

    def start(command=(), **options):
        serve = [HEADGATE, "serve", "--config", folder / "headgate.yaml"]
        services.append(Service([*command, *serve], folder, **options))
        return services[-1]

    yield start
    for service in services:
        service.end()


@pytest.fixture(params=["path", "abstract"])
def manager(request, folder):
    address = f"@{folder.name}" if request.param == "abstract" else str(folder / "notify")
    manager = Manager(address)
    yield manager
    manager.close()


@pytest.fixture
def started(manager, start):
    service = start(variables={"NOTIFY_SOCKET": manager.address})
    manager.wait_for("READY=1")
    return service


def models(connection) -> list:
    connection.request("GET", "/v1/models")
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, body
    return [model["id"] for model in json.loads(body)["data"]]


def tcp(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)


def unix(path: Path) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("localhost", timeout=PATIENCE_SECONDS)
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.settimeout(PATIENCE_SECONDS)
    connection.sock.connect(str(path))
    return connection


def test_ready_is_reported_once_it_is_true(manager, started):
    port = int(started.wait_for_line(r"^listening on http://127\.0\.0\.1:(\d+)$")[1])
    assert models(tcp(port)) == ["fast"]


def test_reload_is_reported_with_its_time_and_end(manager, started):
    before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
    started.send(signal.SIGHUP)
    notice = manager.wait_for("RELOADING=1")
    assert before <= int(notice["MONOTONIC_USEC"]) <= time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
    manager.wait_for("READY=1")


def test_reload_that_changes_nothing_ends_too(manager, started, folder):
    (folder / "headgate.yaml").write_text("listn: nonsense\n")
    started.send(signal.SIGHUP)
    manager.wait_for("RELOADING=1")
    manager.wait_for("READY=1")
    assert started.process.poll() is None


def test_stopping_is_reported(manager, started):
    started.send(signal.SIGTERM)
    manager.wait_for("STOPPING=1")
    assert started.wait() == 0


def test_watched_gateway_sends_watchdog_notices(manager, start):
    service = start(variables={"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "200000"})
    for _ in range(4):
        manager.wait_for("WATCHDOG=1")
    service.send(signal.SIGTERM)
    manager.wait_for("STOPPING=1")
    assert service.wait() == 0


def test_lost_manager_does_not_end_the_gateway(manager, started):
    manager.close()
    started.send(signal.SIGHUP)
    started.send(signal.SIGTERM)
    assert started.wait() == 0


@needs_systemd
def test_socket_of_systemd_is_served(folder, start):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    service = start(["systemd-socket-activate", "--listen", f"127.0.0.1:{port}", "--fdname", "http"])
    service.wait_for_line("^Listening on ")
    # The first connection starts the gateway.
    assert models(tcp(port)) == ["fast"]
    service.wait_for_line(rf"^listening on http://127\.0\.0\.1:{port}$")
    service.send(signal.SIGTERM)
    assert service.wait() == 0


@needs_systemd
def test_unix_socket_of_systemd_is_served_and_left_in_place(folder, start):
    path = folder / "gateway.sock"
    service = start(["systemd-socket-activate", "--listen", path])
    service.wait_for_line("^Listening on ")
    assert models(unix(path)) == ["fast"]
    service.send(signal.SIGTERM)
    assert service.wait() == 0
    assert path.is_socket()


def passed(start, *sockets, **variables):
    """Starts the gateway with these sockets as its descriptors from 3 on, without systemd."""
    script = 'LISTEN_PID=$$; export LISTEN_PID; exec "$@"'
    numbers = [str(one.fileno()) for one in sockets]
    # Python closes all descriptors except these; the shell moves them to their numbers.
    moves = " ".join(f"{3 + index}<&{number}" for index, number in enumerate(numbers))
    return start(
        ["bash", "-c", f"exec {moves}; {script}" if moves else script, "bash"],
        pass_fds=[one.fileno() for one in sockets], variables={"LISTEN_FDS": str(len(sockets)), **variables})


def test_several_passed_sockets_are_all_served(start):
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        ports = [one.getsockname()[1], two.getsockname()[1]]
        service = passed(start, one, two, LISTEN_FDNAMES="http:other")
        assert [models(tcp(port)) for port in ports] == [["fast"], ["fast"]]
        service.send(signal.SIGTERM)
        assert service.wait() == 0


def test_unusable_passed_descriptor_is_refused(start):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        service = passed(start, datagrams, LISTEN_FDNAMES="wrong")
        assert service.wait() == 78
        assert "descriptor 3 (wrong)" in service.output() and "ListenStream=" in service.output()


def test_passed_socket_that_other_machines_reach_needs_a_key(start):
    with socket.create_server(("0.0.0.0", 0)) as everywhere:
        service = passed(start, everywhere)
        assert service.wait() == 78
        assert "no key is configured" in service.output()


def test_sockets_for_another_process_are_ignored(manager, start):
    variables = {"LISTEN_PID": "1", "LISTEN_FDS": "1", "NOTIFY_SOCKET": manager.address}
    service = start(variables=variables)
    manager.wait_for("READY=1")
    service.send(signal.SIGTERM)
    assert service.wait() == 0


def test_upgrade_hands_the_service_and_its_sockets_over(manager, start, folder):
    """Upgrades as `systemctl reload` does if ExecReload= is `headgate upgrade`."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        service = passed(
            start, one, two, LISTEN_FDNAMES="http:other", NOTIFY_SOCKET=manager.address, WATCHDOG_USEC="200000")
        manager.wait_for("READY=1")
        variables = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        command = subprocess.Popen(
            [HEADGATE, "upgrade", "--pid", str(service.process.pid)], stdout=subprocess.PIPE, text=True, env=variables)
        notices = manager.until("MAINPID")
        successor = int(notices[-1]["MAINPID"])
        try:
            assert f"to process {successor} on" in command.communicate(timeout=PATIENCE_SECONDS)[0]
            assert notices[-1].get("WATCHDOG") == "1", "the new process has all of the watchdog's time"
            assert service.process.wait(PATIENCE_SECONDS) == 0
            notices += manager.until("WATCHDOG=1")
            ports = [each.getsockname()[1] for each in (one, two)]
            assert [models(tcp(port)) for port in ports] == [["fast"], ["fast"]]
        finally:
            os.kill(successor, signal.SIGTERM)
            # The manager is its parent, and learns of its end even while the former process continues.
            assert os.waitpid(successor, 0)[1] == 0
        notices += manager.until("STOPPING=1")
        assert not any("READY" in notice for notice in notices), "the service has been ready all along"
        assert service.wait() == 0, "its output ends with the successor"


@pytest.fixture
def units(folder):
    """Writes the units with this build instead of the installed one, because a unit with a missing program does not
    verify."""
    for unit in DEPLOY.glob("headgate.*"):
        (folder / unit.name).write_text(unit.read_text().replace("/usr/bin/headgate", str(HEADGATE)))
    return folder


@needs_systemd
def test_units_are_valid(units):
    result = subprocess.run(
        ["systemd-analyze", "verify", units / "headgate.service", units / "headgate.socket"],
        capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@needs_systemd
def test_service_has_a_low_exposure_score(units):
    result = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=15", units / "headgate.service"],
        capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr
