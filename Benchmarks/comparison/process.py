"""The processes of a run. Each is started by its own command line, pinned to its cores, and ended by its id."""

import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path


class Failure(Exception):
    """Reason why the comparison cannot continue, or not with this proxy."""


class TooSlow(Failure):
    """Only the time was exceeded: the next round can succeed."""


class Stalled(TooSlow):
    """A response never arrived, and can have been lost."""


class Process:
    """A process that ends with its `with` block."""

    name = "process"

    def __init__(self, cores, command, *, folder=None, log=None, environment=None, gathers_output=False):
        """Its output is for `read_line`; with `gathers_output` it goes to the log like its errors."""
        self.log = log
        errors = open(log, "ab") if log else subprocess.DEVNULL
        self.child = subprocess.Popen(
            # Should this script die without a chance to clean up, the kernel ends its processes.
            ["setpriv", "--pdeathsig", "TERM", "taskset", "-c", cores, *map(str, command)],
            stdin=subprocess.DEVNULL, stdout=errors if gathers_output else subprocess.PIPE, stderr=errors, cwd=folder,
            # Benchmarks do not belong in the ledger.
            env={"HEADGATE_LEDGER": "none", **(os.environ if environment is None else environment)})
        # Processes whose CPU time and memory are measured.
        self.pids = [self.child.pid]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

    def fail(self):
        complaint = Path(self.log).read_text(errors="replace")[-2000:] if self.log else ""
        raise Failure(f"{self.name} did not start: {complaint}")

    def read_line(self, seconds=10):
        """The next line of its output."""
        ready, _, _ = select.select([self.child.stdout], [], [], seconds)
        line = self.child.stdout.readline().decode() if ready else ""
        return line.strip() or self.fail()

    def wait_until(self, is_ready, seconds=10):
        """Polls until the result is not empty, and returns it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.child.poll() is None:
            if found := is_ready():
                return found
            time.sleep(0.02)
        return self.fail()

    def cpu_nanoseconds(self):
        """User and system time of all its threads: the clock of /proc/PID/stat, in nanoseconds instead of ticks."""
        # The kernel's encoding of "the CPU clock of that process" (clock_getcpuclockid).
        return sum(time.clock_gettime_ns((~pid << 3) | 2) for pid in self.pids)

    def resident_bytes(self):
        texts = [Path(f"/proc/{pid}/status").read_text() for pid in self.pids]
        return 1024 * sum(int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.MULTILINE)[1]) for text in texts)


class MockUpstream(Process):
    """Listens on 16 addresses of this machine; every started proxy gets a different one."""

    name = "the mock upstream"

    def __init__(self, binary, cores, certificate=()):
        super().__init__(cores, [binary, *certificate])
        self.port = int(self.read_line())
        self.given = 0

    def next_address(self):
        self.given += 1
        return f"127.0.0.{self.given % 16 + 1}"
