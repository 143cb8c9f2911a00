"""A gateway as a service manager runs it, and the manager's side of sd_notify(3)."""

import os
import re
import signal
import socket
import subprocess
import threading
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# HEADGATE_BINARIES points the tests at another build, such as the release.
HEADGATE = Path(os.environ.get("HEADGATE_BINARIES", REPOSITORY / ".build" / "debug")) / "headgate"
PATIENCE_SECONDS = 20

# No upstream has a secret, so no client needs a key. The configured port differs from that of the passed socket.
CONFIGURATION = """\
listen: 127.0.0.1:0
upstreams:
  local: {kind: openai, base_url: "http://127.0.0.1:9/v1"}
models:
  fast: {upstream: local}
"""


class Manager:
    """The notification socket of a service manager."""

    def __init__(self, address: str):
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.settimeout(PATIENCE_SECONDS)

    def wait_for(self, assignment: str) -> dict:
        """Returns the first notice with that assignment, or with that name if there is no value; drops earlier
        notices."""
        return self.until(assignment)[-1]

    def until(self, assignment: str) -> list:
        """Returns all notices up to that one."""
        name, separator, value = assignment.partition("=")
        notices = []
        while True:
            try:
                text = self._socket.recv(4096).decode()
            except TimeoutError:
                raise AssertionError(f"{assignment} did not come within {PATIENCE_SECONDS} s") from None
            notices.append(notice := dict(line.split("=", 1) for line in text.splitlines()))
            if name in notice and (not separator or notice[name] == value):
                return notices

    def close(self):
        self._socket.close()


class Service:
    """A process with recorded output. It does not inherit standard input."""

    def __init__(self, command, folder: Path, **options):
        variables = {"PATH": os.environ["PATH"], "HOME": str(folder), "HEADGATE_LEDGER": "none", **options.pop("variables", {})}
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=variables, **options,
        )
        self._lines = []
        self._ended = False
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        with self.process.stdout as stream:
            for line in stream:
                self._note(line)
        self._note(None)

    def _note(self, line):
        with self._changed:
            if line is None:
                self._ended = True
            else:
                self._lines.append(line)
            self._changed.notify_all()

    def wait_for_line(self, pattern: str) -> re.Match:
        """Returns the match of the first line with the pattern, including lines already written."""
        def found():
            return next(filter(None, (re.search(pattern, line) for line in self._lines)), None)

        with self._changed:
            self._changed.wait_for(lambda: found() or self._ended, PATIENCE_SECONDS)
            assert found(), f"no line holds '{pattern}'; the process wrote:\n{self.output()}"
            return found()

    def send(self, number: signal.Signals):
        self.process.send_signal(number)

    def wait(self) -> int:
        try:
            return self.process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the process did not end; it wrote:\n{self.output()}") from None
        finally:
            self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join()

    def output(self) -> str:
        return "".join(self._lines)
