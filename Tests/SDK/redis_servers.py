"""Real Redis servers on Unix sockets, without persistence."""

import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from patience import PATIENCE_SECONDS


class RedisServer:
    def __init__(self, folder: Path):
        self._folder = folder
        self.socket = folder / "redis.sock"
        self._process = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis+unix://{self.socket}"

    def start(self):
        """Starts the server. After `kill` it has lost all data."""
        self.socket.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self._folder, "--save", "",
             "--appendonly", "no", "--daemonize", "no"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._listens():
            assert self._process.poll() is None and time.monotonic() < deadline, "redis-server does not answer"
            time.sleep(0.005)

    def _listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(self.socket))
            except OSError:
                return False
            return True

    def ask(self, *words: str) -> str:
        """Returns the reply to a command, as `redis-cli` writes it."""
        result = subprocess.run(
            ["redis-cli", "-s", str(self.socket), *words], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        return result.stdout.strip()

    def pause(self):
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self._process.send_signal(signal.SIGCONT)

    def kill(self):
        self._process.kill()
        self._process.wait()


@pytest.fixture
def redis_server():
    # The path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="headgate-redis-", dir="/tmp") as folder:
        server = RedisServer(Path(folder))
        yield server
        server.kill()
