"""The programs of a run: compiled, found, or fetched into the build folder."""

import subprocess
import sys
from pathlib import Path

from .process import Failure

BENCHMARKS = Path(__file__).resolve().parent.parent
PARTS = {
    "load": (["load", "options", "response", "contents", "samples", "request", "wire"], []),
    "mock_upstream": (["mock_upstream", "listeners", "channel", "timers", "wire"], ["-lssl", "-lcrypto"]),
    "relay": (["relay"], []),
}


def compile_programs(build):
    build.mkdir(exist_ok=True)
    for program, (parts, libraries) in PARTS.items():
        files = [BENCHMARKS / "load" / f"{part}.c" for part in parts]
        subprocess.run(
            ["gcc", "-O2", "-Wall", "-Wextra", "-o", build / program, *files, *libraries], check=True)


def find(peers, build, headgate):
    """Returns the command of every peer that is installed or can be fetched, in the given order, and reasons for the
    others."""
    found, absent = {}, {}
    ours = {"headgate": headgate, "relay": build / "relay", "direct": None}
    for peer in peers:
        if peer in ours:
            found[peer] = ours[peer]
            continue
        done = subprocess.run([BENCHMARKS / "setup", peer, build], stdout=subprocess.PIPE, text=True)
        if done.returncode == 0:
            found[peer] = Path(done.stdout.strip())
        elif peer == "nginx":
            raise Failure("nginx is what everything is compared with, and it is not here")
        else:
            absent[peer] = {"all": "could not be installed"}
            print(f"{peer} is left out: it could not be installed", file=sys.stderr)
    return found, absent
