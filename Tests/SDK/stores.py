"""A Redis and a PostgreSQL of the test, on Unix sockets in its folder. They always end with the test process."""

import concurrent.futures
import contextlib
import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from conftest import REPOSITORY
from patience import EXIT_SECONDS, READY_SECONDS

DEPLOYED = REPOSITORY / "deploy" / "replicas"
# Debian installs servers in root's PATH only, and PostgreSQL's programs in no PATH.
PATHS = [*os.environ["PATH"].split(":"), "/usr/sbin", "/usr/local/sbin", *sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)]


def program(name: str) -> str:
    path = shutil.which(name, path=":".join(PATHS))
    assert path, f"{name} is missing: run .ci/setup tests"
    return path


def bound(*command, user: str | None = None) -> list:
    """Returns a command whose process the kernel kills when the thread that started it ends."""
    as_user = ["--reuid", user, "--regid", user, "--clear-groups"] if user else []
    return ["setpriv", *as_user, "--pdeathsig", "KILL", *map(str, command)]


def signal_to(process: int, number: int):
    """Sends a signal to a process that can already be gone, because the processes of servers come and go."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


# The thread lives as long as the tests, because a server ends with the thread that started it.
_starter = concurrent.futures.ThreadPoolExecutor(max_workers=1)


class Store:
    """A server that can be killed, paused, and restarted with its data."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._process = None

    def command(self) -> list:
        raise NotImplementedError

    def is_ready(self) -> bool:
        raise NotImplementedError

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self._process = _starter.submit(
                subprocess.Popen, self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env=environment()).result()
        deadline = time.monotonic() + READY_SECONDS
        while not self.is_ready():
            assert self._process.poll() is None and time.monotonic() < deadline, self.log()
            time.sleep(0.02)

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def kill(self):
        self._process.kill()
        self._process.wait(EXIT_SECONDS)

    def pause(self):
        for process in self.processes():
            signal_to(process, signal.SIGSTOP)

    def resume(self):
        for process in self.processes():
            signal_to(process, signal.SIGCONT)

    def processes(self) -> list:
        return [self._process.pid]

    def end(self):
        if self._process and self._process.poll() is None:
            self.resume()
            self._process.terminate()
            self._process.wait(EXIT_SECONDS)


def environment(**more) -> dict:
    return {"PATH": ":".join(PATHS), "LC_ALL": "C.UTF-8", **more}


class Redis(Store):
    """Redis without persistence, with only the gateways' role, as in deploy/replicas."""

    def __init__(self, folder: Path, secrets: dict):
        super().__init__(folder)
        self.socket = folder / "redis.sock"
        self._password = secrets["REDIS_PASSWORD"]
        self._roles = secrets["folder"] / "redis.acl"

    def command(self) -> list:
        return bound(
            program("redis-server"), "--port", 0, "--unixsocket", self.socket, "--save", "", "--appendonly", "no",
            "--aclfile", self._roles)

    def is_ready(self) -> bool:
        return self.ask("PING") == "PONG"

    def ask(self, *command) -> str:
        result = subprocess.run(
            [program("redis-cli"), "-s", self.socket, "--user", "headgate", "--no-auth-warning", *command],
            capture_output=True, text=True, timeout=READY_SECONDS, env=environment(REDISCLI_AUTH=self._password))
        return result.stdout.strip()


class PostgreSQL(Store):
    """A new cluster with the role and schema of deploy/replicas. The server does not run as root."""

    def __init__(self, folder: Path, secrets: dict):
        super().__init__(folder)
        self._secrets = secrets
        self._user = None if os.geteuid() else "postgres"
        self._superuser = pwd.getpwuid(os.geteuid()).pw_name if os.geteuid() else "postgres"
        if self._user:
            shutil.chown(folder, self._user, self._user)
        # A copy, because only the test's user can read the folder of secrets.
        password = folder / "password"
        password.write_text((secrets["folder"] / "postgres_password").read_text())
        if self._user:
            shutil.chown(password, self._user, self._user)
        self._run(
            "initdb", "--pgdata", folder / "data", "--encoding", "UTF8", "--locale", "C.UTF-8", "--username", self._superuser,
            "--auth", "scram-sha-256", "--pwfile", password, "--no-sync")

    def _run(self, name: str, *arguments):
        result = subprocess.run(
            bound(program(name), *arguments, user=self._user), capture_output=True, text=True, timeout=60, cwd=self.folder,
            env=environment())
        assert result.returncode == 0, result.stdout + result.stderr

    def command(self) -> list:
        settings = {
            "listen_addresses": "", "unix_socket_directories": self.folder, "fsync": "off", "max_connections": 40,
            "shared_buffers": "16MB"}
        options = [f"--{name}={value}" for name, value in settings.items()]
        return bound(program("postgres"), "-D", self.folder / "data", *options, user=self._user)

    def is_ready(self) -> bool:
        return subprocess.run(
            [program("pg_isready"), "--quiet", "--host", self.folder], timeout=READY_SECONDS, env=environment()).returncode == 0

    def processes(self) -> list:
        """Returns the server and its processes for clients, which would keep working if only the server were paused."""
        own = self._process.pid
        return [own, *map(int, Path(f"/proc/{own}/task/{own}/children").read_text().split())]

    def kill(self):
        """Kills the server together with the processes of its clients, as if the machine were gone."""
        for process in reversed(self.processes()):
            signal_to(process, signal.SIGKILL)
        self._process.wait(EXIT_SECONDS)

    def start(self):
        super().start()
        if not (self.folder / "prepared").exists():
            self.ask("CREATE DATABASE headgate", database="postgres")
            self._psql("headgate", "--file", DEPLOYED / "postgres" / "gateway-role.sql")
            (self.folder / "prepared").touch()

    def ask(self, question: str, database: str = "headgate") -> list:
        """Returns rows of texts; the query runs as the superuser."""
        return [line.split("\t") for line in self._psql(database, "--command", question).splitlines()]

    def _psql(self, database: str, *arguments) -> str:
        result = subprocess.run(
            [program("psql"), "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator", "\t", "--host",
             self.folder, "--username", self._superuser, "--dbname", database, *arguments],
            capture_output=True, text=True, timeout=READY_SECONDS, env=environment(
                PGPASSWORD=(self._secrets["folder"] / "postgres_password").read_text().strip(),
                GATEWAY_PASSWORD_FILE=str(self._secrets["folder"] / "gateway_password")))
        assert result.returncode == 0, result.stderr
        return result.stdout


def make_secrets(folder: Path) -> dict:
    """Runs deploy/replicas/make-secrets; returns the secrets and the folder of their files."""
    subprocess.run([DEPLOYED / "make-secrets", folder], check=True, timeout=READY_SECONDS, stdout=subprocess.DEVNULL)
    return {"folder": folder, **dict(re.findall(r"^(\w+)=(\w+)$", (folder / "gateway.env").read_text(), re.M))}
