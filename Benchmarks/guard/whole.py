"""Rows of the whole binary: all threads of `headgate serve` with its defaults, under the benchmark's load."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from comparison import programs  # noqa: E402
from comparison.load import Load  # noqa: E402
from comparison.peers.headgate import Headgate  # noqa: E402
from comparison.process import Failure, MockUpstream  # noqa: E402, F401
from comparison.settings import Setting  # noqa: E402

UNITS = {"serve-start": "start and end", "serve-request": "request, all threads", "serve-event": "event of a stream"}
CONNECTIONS = 16
# The two streams differ only in their number of events. With one stream, and an interval that a busy machine can keep,
# each event has its own wake-up. Events of several streams would share wake-ups, and how often depends on the machine.
ITERATIONS = {"serve-start": (0, 1), "serve-request": (320, 3520), "serve-event": (20, 620)}
INTERVAL = 10
# Longest run under valgrind in seconds, including the start.
LONGEST = 60


class Counted(Headgate):
    """A gateway in callgrind, which writes the profile after the gateway has ended."""

    def __init__(self, profile, *arguments, **options):
        self.profile = profile
        super().__init__(*arguments, **options)

    def start(self, *command, environment=None):
        super().start(
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={self.profile}", *command,
            environment={**environment, "SWIFT_DETERMINISTIC_HASHING": "1"})

    def read_line(self, seconds=LONGEST):
        return super().read_line(seconds)

    def __exit__(self, *_):
        self.child.terminate()
        try:
            self.child.wait(LONGEST)
        finally:
            self.child.kill()
            self.child.wait()


def compile_load(build):
    programs.compile_programs(build)


def callgrind(row, count, profile, build):
    """Writes the profile of a gateway that has served `count` requests, or events of one stream, or that has only
    started. No start is a program that does nothing."""
    if count == 0:
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "true"], check=True,
            capture_output=True)
        return
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    asked = {"connections": CONNECTIONS, "requests": count}
    if row == "serve-event":
        asked = {"connections": 1, "requests": 1, "events": count, "interval": INTERVAL}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headgate-guard.")))
        upstream = stack.enter_context(MockUpstream(build / "mock_upstream", cores))
        setting = Setting("", 1, cores, cores, upstream)
        binary, ledger = build / "release/headgate", f"sqlite:{folder}/usage.db"
        gateway = stack.enter_context(Counted(profile, binary, folder / "gateway", setting, ledger=ledger))
        if row != "serve-start":
            Load(build / "load", deadline=time.monotonic() + LONGEST).ask(gateway, **asked)
