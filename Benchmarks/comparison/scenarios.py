"""Scenarios: each sends one kind of load to a proxy, and yields several figures."""

import dataclasses
import time
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Scenario:
    """`measure` takes a load generator and a proxy. It returns figures by name, or None if the proxy cannot have
    them."""

    name: str
    measure: Callable
    # Whether the scenario needs a new process of the proxy.
    fresh: bool = False
    # Name of the setting: "" (pinned), "two-loops" or "tls".
    setting: str = ""
    # The peers that take part; empty for all.
    peers: tuple = ()
    most_rounds: int | None = None
    # Whether a short run includes the scenario.
    is_quick: bool = True

    def is_chosen(self, names):
        return any(self.name == name or self.name.startswith(f"{name}-") for name in names)


def scenarios(sizes):
    for connections, requests in sizes.requests.items():
        yield Scenario(f"requests-{connections}", Answers(connections, requests))
    yield Scenario("first-event-1", FirstEvent(sizes.first_events))
    for paced in sizes.paced:
        yield Scenario(f"paced-{paced.streams}", PacedStreams(paced))
    yield Scenario("bursts", Bursts(sizes.burst_streams, sizes.burst_events, sizes.burst))
    yield Scenario(f"held-{sizes.held.streams}", HeldStreams(sizes.held, "held"), fresh=True)
    few = {"peers": ("headgate", "nginx"), "is_quick": False, "most_rounds": 5}
    for setting in ("two-loops", "tls"):
        for connections in (16, 64):
            measure = Answers(connections, sizes.requests[connections])
            yield Scenario(f"{setting}-requests-{connections}", measure, setting=setting, **few)
        thousand = sizes.paced[1]
        yield Scenario(f"{setting}-paced-{thousand.streams}", PacedStreams(thousand), setting=setting, **few)
    for paced in sizes.growth:
        yield Scenario(f"growth-{paced.streams}", HeldStreams(paced, "growth"), fresh=True, **few)


@dataclasses.dataclass(frozen=True)
class Answers:
    connections: int
    requests: int

    def __call__(self, load, proxy):
        requests = max(int(self.requests * proxy.share), 2 * self.connections, 50)
        measured, cpu = load.ask_and_account(proxy, connections=self.connections, requests=requests)
        latency = measured["latency_us"]
        return {
            f"rate {self.connections}": measured["requests"] / measured["seconds"],
            f"latency p50 {self.connections}": latency["p50"],
            f"latency p99 {self.connections}": latency["p99"],
            f"latency p99.9 {self.connections}": latency["p99.9"],
            # Shows costs that the rate hides if a fast proxy waits for the load generator.
            f"cpu per request {self.connections}": cpu and cpu / 1000 / measured["requests"],
            f"latencies {self.connections}": latency,
        }


@dataclasses.dataclass(frozen=True)
class FirstEvent:
    """Sequential streams of two events."""

    streams: int

    def __call__(self, load, proxy):
        streams = max(int(self.streams * proxy.share), 20)
        measured = load.ask(proxy, connections=1, requests=streams, events=1, interval=1)
        return {"first event p50 1": measured["first_event_us"]["p50"]}


@dataclasses.dataclass(frozen=True)
class PacedStreams:
    paced: object

    def __call__(self, load, proxy):
        paced = self.paced
        measured, cpu = load.ask_and_account(
            proxy, connections=paced.streams, requests=paced.streams, events=paced.events, interval=paced.interval_ms,
            ramp=paced.ramp_ms)
        return {
            f"cpu per event {paced.streams}": cpu and cpu / 1000 / measured["events"],
            f"first event p50 {paced.streams}": measured["first_event_us"]["p50"],
            f"delay p50 {paced.streams}": measured["delay_us"]["p50"],
            f"delay p99 {paced.streams}": measured["delay_us"]["p99"],
            # The ratio is nearly 1 if every event arrived alone, and less if the proxy fell behind and joined events.
            f"reads {paced.streams}": measured["reads"] / measured["events"],
        }


@dataclasses.dataclass(frozen=True)
class Bursts:
    streams: int
    events: int
    burst: int

    def __call__(self, load, proxy):
        events = max(int(self.events * proxy.share), self.burst)
        measured, cpu = load.ask_and_account(
            proxy, connections=self.streams, requests=self.streams, events=events, burst=self.burst)
        return {
            "burst": measured["events"] / measured["seconds"],
            "cpu per burst event": cpu and cpu / 1000 / measured["events"]}


@dataclasses.dataclass(frozen=True)
class HeldStreams:
    """Memory and CPU time while all streams are open, without the cost of starting and ending them."""

    paced: object
    figure: str

    def __call__(self, load, proxy):
        paced = self.paced
        time.sleep(0.2)
        idle = proxy.resident_bytes() if proxy.pids else None
        load.ask(proxy, connections=1, requests=max(int(200 * proxy.share), 20))
        before = proxy.resident_bytes() if proxy.pids else None
        held = load.hold(
            proxy, connections=paced.streams, requests=paced.streams, events=paced.events, interval=paced.interval_ms,
            ramp=paced.ramp_ms)
        cpu = held.cpu and held.cpu / 1000 / held.events
        memory = held.resident and (held.resident - before) / paced.streams
        if self.figure == "growth":
            return {f"growth cpu {paced.streams}": cpu, f"growth memory {paced.streams}": memory}
        return {
            "idle": idle, "held memory": memory, "held cpu": cpu, "held delay p50": held.measured["delay_us"]["p50"],
            "held delay p99": held.measured["delay_us"]["p99"]}
