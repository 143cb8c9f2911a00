"""The drivers of Benchmarks/drivers: built, listed, and run one by one."""

import os
import shutil
import subprocess
from pathlib import Path

import whole
from whole import Failure

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SWIFT = os.environ.get("SWIFT", "swift")
BUILD = ROOT / ".build-guard"
DRIVERS = BUILD / "release/headgate-drivers"

# Iterations of each driver's two runs, few and many.
ITERATIONS = {"sse": (2, 12), "relay-batch": (20, 120), "burst": (20, 120), "ledger": (2_000, 12_000)}
OTHERWISE = (200, 1200)


def iterations(driver):
    return whole.ITERATIONS.get(driver) or ITERATIONS.get(driver, OTHERWISE)


def build(chosen=()):
    """Builds the programs of the chosen rows, or all of them.

    Uses the options of `make release`, because Valgrind 3.19 cannot read the debug information of clang's objects.
    """
    rows = set(chosen) & set(whole.UNITS)
    products = [DRIVERS.name] + ["headgate"] * (not chosen or bool(rows))
    for product in products:
        subprocess.run(
            [SWIFT, "build", "-c", "release", "--static-swift-stdlib", "--scratch-path", BUILD, "--product", product,
             "-Xlinker", "--strip-debug"],
            cwd=ROOT, check=True, env={**os.environ, "HEADGATE_DEVELOPMENT": "1", "HEADGATE_RELEASE": "1"})
    if len(products) > 1:
        whole.compile_load(BUILD)


def run(command, **environment):
    """Runs a program with almost no environment, whose size would shift the stack and thereby change the counts."""
    wanted = {"PATH": os.environ["PATH"], "SWIFT_DETERMINISTIC_HASHING": "1", **environment}
    done = subprocess.run(
        [str(part) for part in command], env=wanted, text=True, capture_output=True, timeout=300, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def units(chosen):
    """Returns the unit of work of each driver's iteration, in the drivers' order. Fails if a chosen driver does not
    exist."""
    found = dict(line.split("\t") for line in run([DRIVERS, "list"]).stdout.splitlines()) | whole.UNITS
    unknown = [name for name in chosen if name not in found]
    if unknown:
        raise Failure(f"there is no driver {', '.join(unknown)}; there are {', '.join(found)}")
    return found


def require_valgrind():
    if shutil.which("valgrind") is None:
        raise Failure("valgrind is not on the PATH: '.ci/setup tests' installs it")


def callgrind(driver, count, profile):
    if driver in whole.UNITS:
        return whole.callgrind(driver, count, profile, BUILD)
    run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", DRIVERS, driver, count])
