"""The processes of a run. Each is started with its own command line, pinned to its cores, and ended by its process
id."""

import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path


class Failure(Exception):
    """Reason why the comparison cannot continue, or cannot continue with this proxy."""


class TooSlow(Failure):
    """Only the time limit was exceeded, so the next round can succeed."""


class Stalled(TooSlow):
    """A response never arrived, and may be lost."""


class Process:
    """A process that ends with its `with` block."""

    name = "process"

    def __init__(self, cores, command, *, folder=None, log=None, environment=None, gathers_output=False):
        """Starts the process. `read_line` reads its output; with `gathers_output`, the output goes to the log like its
        errors."""
        self.log = log
        errors = open(log, "ab") if log else subprocess.DEVNULL
        self.child = subprocess.Popen(
            # If this script dies without a chance to clean up, the kernel ends its processes.
            ["setpriv", "--pdeathsig", "TERM", "taskset", "-c", cores, *map(str, command)],
            stdin=subprocess.DEVNULL, stdout=errors if gathers_output else subprocess.PIPE, stderr=errors, cwd=folder,
            # Requests of benchmarks must not be written to the user's ledger.
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
        """Returns the next line of the process's output."""
        ready, _, _ = select.select([self.child.stdout], [], [], seconds)
        line = self.child.stdout.readline().decode() if ready else ""
        return line.strip() or self.fail()

    def wait_until(self, is_ready, seconds=10):
        """Polls until the result is not empty; returns the result."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.child.poll() is None:
            if found := is_ready():
                return found
            time.sleep(0.02)
        return self.fail()

    def cpu_nanoseconds(self):
        """Returns the user and system time of all threads: the clock of /proc/PID/stat, in nanoseconds instead of
        ticks."""
        # The kernel's encoding of a process's CPU clock (clock_getcpuclockid).
        return sum(time.clock_gettime_ns((~pid << 3) | 2) for pid in self.pids)

    def resident_bytes(self):
        texts = [Path(f"/proc/{pid}/status").read_text() for pid in self.pids]
        return 1024 * sum(int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.MULTILINE)[1]) for text in texts)


class MockUpstream(Process):
    """Listens on 16 addresses of this machine; each proxy gets a different one."""

    name = "the mock upstream"

    def __init__(self, binary, cores, certificate=()):
        super().__init__(cores, [binary, *certificate])
        self.port = int(self.read_line())
        self.given = 0

    def next_address(self):
        self.given += 1
        return f"127.0.0.{self.given % 16 + 1}"
