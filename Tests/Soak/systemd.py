"""The service under a systemd of its own: reloads, upgrades, restarts and failures of these while clients use it.

    systemd.py [REQUESTS_A_SECOND [STREAMS]]

Needs root and Debian's systemd, which `systemd-root` boots in a container. The units are those of deploy/, with a
shorter watchdog. Exits with 1 if a connection is refused, or if a request fails that need not.
"""

import asyncio
import contextlib
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from upgrade import Load, Upstream, streamed

from conftest import REPOSITORY, binary
from gateways import KEY, wait_until

UNIT = "headgate.service"
DEPLOY = REPOSITORY / "deploy"
ADDRESS = "http://127.0.0.1:8686"
WATCHDOG_SECONDS = 4
# The new version does not get ready, but its commands work.
HANGING = '#!/bin/sh\n[ "$1" = serve ] && exec sleep 1000\nexec /usr/bin/headgate.works "$@"\n'


class Machine:
    """A container with its own systemd. This process uses its network from then on."""

    def __init__(self, folder: Path):
        mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
        self._group = Path(next(mount[1] for mount in mounts if mount[2] == "cgroup2")) / folder.name
        self._group.mkdir()
        self._process = subprocess.Popen(
            [Path(__file__).with_name("systemd-root"), folder, self._group], stdin=subprocess.DEVNULL)
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        self._leader = int(wait_until(lambda: self._process.poll() is None and children.read_text(), "the container"))
        wait_until(lambda: self.run("systemctl", "is-system-running").stdout == "running\n", "systemd")
        self.root = Path(f"/proc/{self._leader}/root")
        with open(f"/proc/{self._leader}/ns/net") as network:
            assert ctypes.CDLL(None).setns(network.fileno(), 0) == 0

    def run(self, *command) -> subprocess.CompletedProcess:
        entry = ["nsenter", "--target", self._leader, "--all", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
        return subprocess.run([str(word) for word in [*entry, *command]], capture_output=True, text=True)

    def systemctl(self, *arguments):
        result = self.run("systemctl", *arguments)
        assert result.returncode == 0, result.stderr + self.journal()

    def journal(self, lines: int | str = 60) -> str:
        return self.run("journalctl", "--no-pager", "--unit", UNIT, "--lines", lines).stdout

    def write(self, path: str, text: str | bytes, mode: int = 0o644):
        """Replaces a file by another one, as an installation does."""
        new = self.root / f"{path}.new"
        new.parent.mkdir(exist_ok=True)
        new.write_bytes(text.encode() if isinstance(text, str) else text)
        new.chmod(mode)
        new.rename(self.root / path)

    def state(self, name: str) -> str:
        return self.run("systemctl", "show", "--value", "--property", name, UNIT).stdout.strip()

    @property
    def main(self) -> int:
        """The service's main process."""
        return int(self.state("MainPID"))

    def end(self):
        self._process.kill()
        self._process.wait()
        wait_until(lambda: "populated 0" in (self._group / "cgroup.events").read_text(), "the end of the container")
        for group, _, _ in os.walk(self._group, topdown=False):
            os.rmdir(group)


class Service:
    """The units with a configuration, and steady load on them."""

    def __init__(self, machine: Machine, pace: int, streams: int):
        self.machine, self._pace, self._streams = machine, pace, streams
        self._upstreams = []
        self.failed = False
        self.install(binary("headgate").read_bytes())
        machine.write("etc/headgate/upstream_key", "upstream")
        machine.write("etc/headgate/client_key", KEY)
        self.configure()
        machine.write("etc/systemd/system/headgate.socket", (DEPLOY / "headgate.socket").read_text())
        self.settle((DEPLOY / UNIT).read_text())

    def install(self, program: str | bytes, name: str = "headgate"):
        self.machine.write(f"usr/bin/{name}", program, 0o755)

    def configure(self, more: str = ""):
        """Writes a configuration with another upstream, whose streams end with the next check."""
        self._upstreams.append(upstream := Upstream())
        upstream.start()
        wait_until(lambda: upstream.port.value, "the upstream")
        url = f"http://127.0.0.1:{upstream.port.value}/v1"
        self.machine.write(
            "etc/headgate/headgate.yaml",
            "listen: 127.0.0.1:8686\nlog: {level: warn}\nmodels: {\"*\": {upstream: up}}\n"
            f"upstreams: {{up: {{kind: openai, base_url: \"{url}\", api_key: {{credential: upstream_key}}}}}}\n{more}")

    def settle(self, unit: str):
        self.machine.write(f"etc/systemd/system/{UNIT}", unit)
        self.machine.systemctl("daemon-reload")

    async def during(
            self, what: str, *command, code: int = 0, moves: bool = True, streams: bool = False, loses: bool = False):
        """Runs a command under load, and reports what clients and systemd saw.

        `moves`: whether another process is the main one afterwards. `streams`: whether streams are open meanwhile.
        `loses`: whether requests can fail, but no connection can be refused.
        """
        machine, over, upstream = self.machine, asyncio.Event(), self._upstreams[-1]
        former, restarts = machine.main, machine.state("NRestarts")
        held = [asyncio.create_task(streamed(ADDRESS)) for _ in range(self._streams if streams else 0)]
        while upstream.held.value < len(held):
            await asyncio.sleep(0.01)
        load = Load(ADDRESS, self._pace)
        running = asyncio.create_task(load.run(over))
        await asyncio.sleep(1)
        began = time.monotonic()
        result = await asyncio.to_thread(machine.run, *command)
        seconds = time.monotonic() - began
        # Long enough for a watchdog that gets no notice.
        await asyncio.sleep(WATCHDOG_SECONDS + 2)
        if held:
            upstream.released.set()
        whole = sum(await asyncio.gather(*held))
        await asyncio.to_thread(wait_until, lambda: machine.state("ActiveState") == "active", "the service")
        over.set()
        await running
        main, restarts = machine.main, int(machine.state("NRestarts")) - int(restarts)
        refused = sum(count for error, count in load.failures.items() if "Refused" in error)
        good = (
            result.returncode == code and (main != former) == moves and whole == len(held) and not refused
            and (loses or not load.failures and not restarts))
        print(
            f"{'ok' if good else 'FAILED'}: {what}: exit {result.returncode} after {seconds:.2f} s, "
            f"process {former} to {main}, {restarts} restarts; {len(load.seconds)} requests, "
            f"the slowest {max(load.seconds) * 1000:.0f} ms, {refused} refused, failed {dict(load.failures) or 0}; "
            f"{whole} of {len(held)} streams whole", flush=True)
        if not good:
            self.failed = True
            print(result.stdout, result.stderr, machine.journal(), sep="\n")

    def end(self):
        for upstream in self._upstreams:
            upstream.kill()


async def check(service: Service):
    machine, program, unit = service.machine, binary("headgate").read_bytes(), (DEPLOY / UNIT).read_text()
    reload, restart = ("systemctl", "reload", UNIT), ("systemctl", "restart", UNIT)
    kill = f"kill -9 $(systemctl show --value --property MainPID {UNIT})"
    machine.systemctl("start", "headgate.socket", UNIT)
    await service.during("reload, the unit as it is", *reload, moves=False)
    upgrading = unit.replace("headgate reload --pid", "headgate upgrade --pid")
    # A stopped process cannot end by the signal of the watchdog.
    upgrading = upgrading.replace("WatchdogSec=30", f"WatchdogSec={WATCHDOG_SECONDS}\nTimeoutAbortSec=1")
    service.settle(upgrading)
    # Clients that do not see the end of their idle connections send one more request there.
    await service.during("restart", *restart, loses=True)
    await service.during("upgrade", *reload, streams=True)
    service.configure()
    await service.during("upgrade of the new process", *reload)
    await service.during(
        "end of the new process during the streams of the former one", "sh", "-c", f"{' '.join(reload)} && {kill}",
        streams=True, loses=True)
    service.configure("heders: {}\n")
    await service.during("upgrade with a mistake in the configuration", *reload, code=1, moves=False)
    service.configure()
    service.install(program, "headgate.works")
    service.install(HANGING)
    await service.during("upgrade to a version that hangs", *reload, code=1, moves=False)
    service.install(program)
    await service.during("upgrade after these", *reload)
    await service.during("end of the new process", "sh", "-c", kill, loses=True)
    await service.during("upgrade after a restart", *reload)
    await service.during("the new process stops", "sh", "-c", kill.replace("-9", "-STOP"), loses=True)
    machine.systemctl("stop", "headgate.socket", UNIT)
    service.settle(upgrading.replace("Requires=headgate.socket\n", ""))
    machine.systemctl("start", UNIT)
    await service.during("upgrade without a socket unit", *reload, streams=True)
    warnings = [line for line in machine.journal("all").splitlines() if "notification" in line or "Supervising" in line]
    assert not warnings, warnings


def main(pace: int = 200, streams: int = 50) -> int:
    with tempfile.TemporaryDirectory(prefix="headgate-", dir="/tmp") as folder, contextlib.ExitStack() as ends:
        machine = Machine(Path(folder))
        ends.callback(machine.end)
        service = Service(machine, pace, streams)
        ends.callback(service.end)
        asyncio.run(check(service))
        return 1 if service.failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
