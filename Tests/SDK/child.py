"""A child process that reports on its standard output when it is ready; it is ended by its process id."""

import queue
import re
import subprocess
import threading
import time
from pathlib import Path

from patience import EXIT_SECONDS, PATIENCE_SECONDS, READY_SECONDS


class Child:
    """Owns one process; its standard error goes to `log`, its standard output is read until it ends."""

    def __init__(self, command, log: Path, environment: dict):
        self.name = Path(command[0]).name
        self.log = log
        self._lines = queue.Queue()
        self._seen = []
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
            )
        # Read to the end, so that a full pipe never stops the child.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_for_line(self, pattern: str) -> re.Match:
        """Returns the match of the first whole line that fits `pattern`; fails if the child ends or prints nothing."""
        while True:
            try:
                line = self._lines.get(timeout=READY_SECONDS)
            except queue.Empty:
                raise self._failure(f"was not ready within {READY_SECONDS} s") from None
            if line is None:
                raise self._failure(f"ended with {self._process.wait()} before it was ready")
            if match := re.fullmatch(pattern, line):
                return match

    def wait_for_log(self, pattern: str) -> re.Match:
        """Returns the first match in the child's past or future log."""
        return self.wait_for_logs(pattern, 1)[0]

    def wait_for_logs(self, pattern: str, times: int) -> list:
        """Returns all matches once there are `times` of them; fails if the process ends before that."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        size, found = -1, []
        while True:
            is_whole = not self.is_running
            # A long log is searched again only if it has grown.
            if (new_size := self.log.stat().st_size) != size:
                size, found = new_size, list(re.finditer(pattern, self._log_text(), re.M))
            if len(found) >= times:
                return found
            if is_whole or time.monotonic() > deadline:
                end = "ended" if is_whole else f"went on for {PATIENCE_SECONDS} s"
                raise self._failure(f"{end}, and '{pattern}' is in its log {len(found)} times in place of {times}")
            time.sleep(0.005)

    def log_after_exit(self) -> str:
        """Returns the complete log. Stops the process first if it is running, and fails unless it exits cleanly."""
        if self.is_running and (code := self.stop()) != 0:
            raise self._failure(f"ended with {code} after SIGTERM")
        return self._log_text()

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> int:
        """Stops the process and returns its exit code; a process that does not end is killed, which fails the test."""
        self._process.terminate()
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise self._failure(f"did not end within {EXIT_SECONDS} s of SIGTERM") from None
        self._reader.join()
        return code

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def output(self) -> str:
        """All output so far, standard output first."""
        return "\n".join(self._seen) + "\n" + self._log_text()

    def _log_text(self) -> str:
        """Returns the log so far; more lines can follow."""
        return self.log.read_text(errors="replace")

    def _read(self):
        with self._process.stdout as stream:
            for raw in stream:
                line = raw.decode(errors="replace").rstrip("\r\n")
                self._seen.append(line)
                self._lines.put(line)
        self._lines.put(None)

    def _failure(self, what: str) -> AssertionError:
        return AssertionError(f"{self.name} {what}; it wrote:\n{self.output()}")


def wait_for_any_log(children: list, pattern: str) -> tuple:
    """Returns the first child whose past or future log matches, and the match."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        for child in children:
            if match := re.search(pattern, child._log_text(), re.M):
                return child, match
        written = "\n".join(child.output() for child in children)
        assert time.monotonic() < deadline, f"'{pattern}' is in no log; these were written:\n{written}"
        time.sleep(0.005)
