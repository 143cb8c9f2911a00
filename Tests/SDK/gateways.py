"""Gateways that run with a configuration of the test."""

import hashlib
import os
import re
import secrets
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from child import Child
from conftest import binary, environment
from connections import Connection
from patience import PATIENCE_SECONDS, RUN_SECONDS

KEY = "hg-" + secrets.token_hex(16)
UPSTREAM_KEY = "real-" + secrets.token_hex(16)


def key_line(key: str = KEY, name: str = "test") -> str:
    return f"{{name: {name}, sha256: \"{hashlib.sha256(key.encode()).hexdigest()}\"}}"


# The end of most configurations; the key comes from the environment.
KEYS = f"keys: [{key_line()}]\n"


def wait_until(condition, what: str):
    """Polls until the condition holds, and returns its result."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (result := condition()):
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE_SECONDS} s"
        time.sleep(0.005)
    return result


def command(folder: Path, *arguments, **variables) -> subprocess.CompletedProcess:
    """Runs a command of headgate until it exits."""
    return subprocess.run(
        [binary("headgate"), *map(str, arguments)],
        capture_output=True, text=True, timeout=RUN_SECONDS, env=surroundings(folder, **variables), stdin=subprocess.DEVNULL)


def surroundings(folder: Path, **variables) -> dict:
    """Returns an environment in which the gateways of one user are also separated by folder."""
    return environment(folder, XDG_RUNTIME_DIR=str(folder), UPSTREAM_KEY=UPSTREAM_KEY, **variables)


class Gateway(Child):
    """A running gateway. `urls` has its listeners' URLs, in the order of the configuration.

    `prefix` is a command that runs the gateway, such as one that enters a network namespace.
    """

    def __init__(self, folder: Path, text: str | None, name: str = "headgate", prefix: tuple = (),
            **variables):
        self.folder = folder
        self.path = folder / f"{name}.yaml"
        if text is not None:
            self.write(text)
        arguments = [] if text is None else ["--config", self.path]
        super().__init__(
            [*prefix, binary("headgate"), "serve", *arguments], folder / f"{name}.log",
            surroundings(folder, **variables))
        try:
            self.wait_for_line("ready")
        except AssertionError:
            self.kill()
            raise
        self.urls = re.findall(r"^listening on (\S+)$", self.output(), re.M)

    def write(self, text: str):
        """Replaces the configuration atomically."""
        new = self.path.with_suffix(".new")
        new.write_text(text)
        new.rename(self.path)

    def hang_up(self):
        self._process.send_signal(signal.SIGHUP)

    def reload(self) -> subprocess.CompletedProcess:
        return command(self.folder, "reload", "--pid", self.pid)

    def terminate(self):
        self._process.terminate()

    def wait(self) -> int:
        """Waits for a gateway that ends without a signal; returns its exit code."""
        return self._process.wait(PATIENCE_SECONDS)

    def connect(self, listener: int = 0, key: str | None = KEY, trust=None) -> Connection:
        return Connection(self.urls[listener], key, trust)


class Gateways:
    """Starts gateways, and stops the rest at the end; each must exit cleanly and must not have logged a key."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.running = []

    def start(self, text: str | None, name: str = "headgate", **variables) -> Gateway:
        gateway = Gateway(self.folder, text, name, **variables)
        self.running.append(gateway)
        return gateway

    def end(self):
        for gateway in self.running:
            code = gateway.stop() if gateway.is_running else None
            written = gateway.output()
            assert code in (0, None), f"the gateway ended with {code} after SIGTERM; it wrote:\n{written}"
            assert UPSTREAM_KEY not in written and KEY not in written


def short_folder():
    """Creates a folder with a short path: the path of a socket has at most 107 bytes, which a test's folder can
    exceed."""
    return tempfile.TemporaryDirectory(prefix="headgate-", dir="/tmp")


@pytest.fixture
def gateways():
    with short_folder() as path:
        gateways = Gateways(Path(path))
        yield gateways
        gateways.end()


@pytest.fixture(scope="module")
def module_gateways():
    """Starts gateways that are shared by all tests of a file."""
    with short_folder() as path:
        gateways = Gateways(Path(path))
        yield gateways
        gateways.end()


def foreign_user(*arguments) -> list:
    """Returns a command that runs as another user; only root can run it."""
    return ["setpriv", "--reuid=65534", "--clear-groups", *map(str, arguments)]


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
