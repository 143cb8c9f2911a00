"""The load generator, as the scenarios use it."""

import dataclasses
import json
import subprocess
import time

from .process import Failure, Stalled, TooSlow


# The load generator's exit statuses.
TOO_SLOW = 3
STALLED = 4


@dataclasses.dataclass(frozen=True)
class Held:
    """Results while all streams were open: memory in bytes, CPU time in nanoseconds, the number of events, and the
    report."""

    resident: int | None
    cpu: int | None
    events: int
    measured: dict


class Load:
    """Starts the load generator once for each measurement. No measurement lasts beyond the deadline of the whole
    run."""

    def __init__(self, binary, deadline):
        self.binary = binary
        self.deadline = deadline

    def ask(self, proxy, **options):
        try:
            done = subprocess.run(
                self._command(proxy, options), capture_output=True, text=True, timeout=self._time_left(120))
        except subprocess.TimeoutExpired:
            raise Stalled(f"{proxy.name}: no end after 120 s") from None
        return self._measured(proxy, done.returncode, done.stdout, done.stderr)

    def ask_and_account(self, proxy, **options):
        """Returns the report, and the CPU time of the proxy in nanoseconds, or None without a proxy."""
        if not proxy.pids:
            return self.ask(proxy, **options), None
        before = proxy.cpu_nanoseconds()
        measured = self.ask(proxy, **options)
        time.sleep(0.05)  # Until the ends of the connections have been processed.
        return measured, proxy.cpu_nanoseconds() - before

    def hold(self, proxy, **options):
        """Holds streams that are all open at once."""
        account = proxy.cpu_nanoseconds if proxy.pids else lambda: None
        command = [*self._command(proxy, options), "--marks"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as load:
            try:
                begun, before = load.stdout.readline(), account()
                resident = proxy.resident_bytes() if begun and proxy.pids else None
                ended, after = load.stdout.readline(), account()
                # `communicate` alone would miss data that the line reader has already buffered.
                output = load.stdout.readline()
                _, complaint = load.communicate(timeout=self._time_left(60))
            except BaseException:
                load.kill()
                raise
        measured = self._measured(proxy, load.returncode, output, complaint)
        return Held(resident, after and after - before, int(ended.split()[1]), measured)

    def _command(self, proxy, options):
        named = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        pinned = ["taskset", "-c", proxy.setting.load_cores, str(self.binary)]
        lenient = ["--contents"] if proxy.rewrites_json else []
        return [*pinned, "--port", str(proxy.port), "--key", proxy.key, *named, *lenient]

    def _measured(self, proxy, status, output, complaint):
        if status == STALLED:
            raise Stalled(f"{proxy.name}: {complaint.strip()}")
        if status == TOO_SLOW:
            raise TooSlow(f"{proxy.name}: {complaint.strip()}")
        if status != 0:
            raise Failure(f"{proxy.name}: {complaint.strip()}")
        return json.loads(output)

    def _time_left(self, most):
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("it takes too long: other work on this machine?")
        return min(left, most)
