"""What is measured, and how one round of it goes."""

import contextlib
import dataclasses
import json
import subprocess
import time

from .processes import Failure, Headgate, Nginx


@dataclasses.dataclass(frozen=True)
class Sizes:
    """How much one round asks for. `requests` is by connections, `streams` are the paced ones."""

    requests: dict
    streams: tuple
    events: int
    interval_ms: int
    burst_streams: int
    burst_events: int
    burst: int
    held: int
    hold_ms: int


FULL = Sizes(
    requests={1: 6000, 16: 12000, 64: 12000}, streams=(100, 1000), events=50, interval_ms=20, burst_streams=64,
    burst_events=4096, burst=64, held=1000, hold_ms=1200)
QUICK = dataclasses.replace(FULL, requests={1: 1500, 16: 4000, 64: 4000}, events=25, burst_events=1024, hold_ms=800)


class Measurement:
    """One run: both proxies before the same mock upstream, in turns."""

    def __init__(self, sizes, folder, cores, upstream_port, *, load, nginx, headgate, deadline):
        self.sizes = sizes
        self.folder = folder
        self.cores = cores
        self.upstream_port = upstream_port
        self.load = load
        self.deadline = deadline
        self.binaries = {Headgate: headgate, Nginx: nginx}
        self.results = {}
        self.started = 0

    def run(self, rounds):
        """Figures by name, each with the values of Headgate and of nginx in the order of the rounds."""
        with contextlib.ExitStack() as stack:
            proxies = [stack.enter_context(self._start(kind)) for kind in (Headgate, Nginx)]
            for proxy in proxies:
                self._ask(proxy, connections=16, requests=2000)
            for number in range(rounds):
                # The first of a pair has another cache than the second: they take turns at that, too.
                for proxy in proxies[:: 1 if number % 2 else -1]:
                    self._answers(proxy)
                    self._paced_streams(proxy)
                    self._bursts(proxy)
        for number in range(rounds):
            for kind in (Headgate, Nginx)[:: 1 if number % 2 else -1]:
                self._memory(kind)
        return self.results

    def _answers(self, proxy):
        for connections, requests in self.sizes.requests.items():
            before = proxy.cpu_nanoseconds()
            measured = self._ask(proxy, connections=connections, requests=requests)
            used = proxy.cpu_nanoseconds() - before
            # Shows what the rate hides when a fast proxy waits for the load.
            self._note(proxy, f"cpu per request {connections}", used / 1000 / measured["requests"])
            self._note(proxy, f"rate {connections}", measured["requests"] / measured["seconds"])
            self._note(proxy, f"p50 {connections}", measured["p50_us"])
            self._note(proxy, f"p99 {connections}", measured["p99_us"])

    def _paced_streams(self, proxy):
        sizes = self.sizes
        for streams in sizes.streams:
            before = proxy.cpu_nanoseconds()
            measured = self._ask(
                proxy, connections=streams, requests=streams, events=sizes.events, interval=sizes.interval_ms,
                ramp=sizes.interval_ms)
            time.sleep(0.05)  # Until the ends of the connections have been worked off.
            used = proxy.cpu_nanoseconds() - before
            self._note(proxy, f"cpu {streams}", used / 1000 / measured["events"])
            # Nearly 1 when every event came alone; less when the proxy fell behind and events were joined.
            self._note(proxy, f"reads {streams}", measured["reads"] / measured["events"])

    def _bursts(self, proxy):
        sizes = self.sizes
        measured = self._ask(
            proxy, connections=sizes.burst_streams, requests=sizes.burst_streams, events=sizes.burst_events,
            burst=sizes.burst)
        self._note(proxy, "burst", measured["events"] / measured["seconds"])

    def _memory(self, kind):
        sizes = self.sizes
        with self._start(kind) as proxy:
            time.sleep(0.2)
            self._note(proxy, "idle", proxy.resident_bytes())
            self._ask(proxy, connections=1, requests=200)
            before = proxy.resident_bytes()
            # Spread out: a thousand requests in one moment would measure the peak of starting them instead.
            command = self._command(
                proxy, connections=sizes.held, requests=sizes.held, events=2, interval=sizes.hold_ms,
                ramp=sizes.hold_ms // 2)
            command.append("--hold")
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as load:
                if load.stdout.readline().strip() == "held":
                    self._note(proxy, "held", (proxy.resident_bytes() - before) / sizes.held)
                _, complaint = load.communicate(timeout=self._time_left())
            if load.returncode != 0:
                raise Failure(f"{proxy.name}: {complaint.strip()}")

    def _start(self, kind):
        self.started += 1
        return kind(self.binaries[kind], self.folder / f"{kind.name}-{self.started}", self.cores, self.upstream_port)

    def _command(self, proxy, **options):
        named = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        pinned = ["taskset", "-c", str(self.cores.load), str(self.load)]
        return [*pinned, "--port", str(proxy.port), "--key", proxy.key, *named]

    def _ask(self, proxy, **options):
        done = subprocess.run(
            self._command(proxy, **options), capture_output=True, text=True, timeout=self._time_left())
        if done.returncode != 0:
            raise Failure(f"{proxy.name}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def _time_left(self):
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Failure("it takes too long: other work on this machine?")
        return left

    def _note(self, proxy, figure, value):
        self.results.setdefault(figure, {"headgate": [], "nginx": []})[proxy.name].append(value)
