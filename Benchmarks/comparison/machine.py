"""The hardware of a run, described without naming the machine."""

import dataclasses
import os
import platform
import re
import resource
import subprocess
from pathlib import Path

from .peers import KINDS
from .process import Failure

# Generations by x86 vendor, family and model range; any other processor is described by its numbers.
GENERATIONS = [
    ("AuthenticAMD", 0x17, range(0x30, 0x100), "AMD Zen 2"), ("AuthenticAMD", 0x17, range(0x00, 0x30), "AMD Zen"),
    ("AuthenticAMD", 0x19, range(0x10, 0x20), "AMD Zen 4"), ("AuthenticAMD", 0x19, range(0x60, 0x80), "AMD Zen 4"),
    ("AuthenticAMD", 0x19, range(0xA0, 0xB0), "AMD Zen 4"), ("AuthenticAMD", 0x19, range(0x00, 0x60), "AMD Zen 3"),
    ("AuthenticAMD", 0x1A, range(0x00, 0x100), "AMD Zen 5"),
]


@dataclasses.dataclass
class Cores:
    """One core for the proxies, and one for the load generator and the mock upstream."""

    proxy: int
    load: int
    count: int

    @staticmethod
    def available():
        usable = sorted(os.sched_getaffinity(0))
        if len(usable) < 2:
            raise Failure("two cores are needed: one for the proxies and one for the load")
        return Cores(usable[0], usable[1], len(usable))


def raise_open_files():
    """Raises the limit of open files to its maximum, for every process started from here."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _processor():
    text = Path("/proc/cpuinfo").read_text()
    fields = dict(re.findall(r"^([^\t:]+)\t*: (.*)$", text, re.MULTILINE))
    vendor, name = fields.get("vendor_id", ""), fields.get("model name", platform.machine())
    try:
        family, model = int(fields["cpu family"]), int(fields["model"])
    except (KeyError, ValueError):
        return name
    for candidate in GENERATIONS:
        if vendor == candidate[0] and family == candidate[1] and model in candidate[2]:
            return candidate[3]
    return f"{name.split('@')[0].strip()} (family {family}, model {model})"


def describe(cores):
    kernel = re.match(r"[0-9.]+", platform.release())
    return f"{cores.count} cores, {_processor()}, Linux {kernel[0].rstrip('.') if kernel else platform.release()}"


def _output(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip() if done.returncode == 0 else ""


def commit(*, built_here):
    """Returns the commit that the binary was built from, if it is known."""
    if not built_here:
        return "unknown (binary given)"
    return _output(
        "git", "--no-optional-locks", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty") or "none yet"


def versions(binaries):
    """Returns the version of each proxy, as it reports itself."""
    asked = {
        "headgate": (["--version"], r"^(\S+)$", "Headgate"), "nginx": (["-v"], r"nginx/(\S+)", "nginx"),
        "haproxy": (["-v"], r"version ([0-9.]+)", "HAProxy"), "envoy": (["--version"], r"/([0-9.]+)/", "Envoy")}
    found = {}
    for name, binary in binaries.items():
        if name in asked:
            arguments, pattern, title = asked[name]
            version = re.search(pattern, _output(str(binary), *arguments))
            found[name] = f"{title} {version[1]}" if version else title
        elif name in ("smg", "litellm"):
            found[name] = _pinned(name)
    return found


def _pinned(name):
    """Returns the version of a Python package, as pinned in its requirements."""
    text = (Path(__file__).parent.parent / "requirements" / f"{name}.in").read_text()
    package = re.match(r"([a-z]+)\S*==(\S+)", text)
    return f"{KINDS[name].title} {package[2]}"
