"""The figures of a run: titles, formats and targets."""

import dataclasses
import re

UNITS = {
    "rate": lambda value: f"{value:,.0f}",
    "microseconds": lambda value: f"{value:,.1f} µs" if value < 100 else f"{value:,.0f} µs",
    "cpu": lambda value: f"{value:,.2f} µs",
    "kib": lambda value: f"{value / 1024:,.1f} KiB",
    "mib": lambda value: f"{value / 2**20:,.1f} MiB",
    "number": lambda value: f"{value:.2f}",
}

# The name of each figure, in which {n} is a number, its title, and its unit.
TITLES = [
    ("rate {n}", "requests/s, {n} connections", "rate"),
    ("latency p50 {n}", "latency p50, {n} connections", "microseconds"),
    ("latency p99 {n}", "latency p99, {n} connections", "microseconds"),
    ("latency p99.9 {n}", "latency p99.9, {n} connections", "microseconds"),
    ("cpu per request {n}", "CPU per request, {n} connections", "cpu"),
    ("first event p50 1", "time to first event p50, 1 connection", "microseconds"),
    ("first event p50 {n}", "time to first event p50, {n} streams", "microseconds"),
    ("cpu per event {n}", "CPU per event, {n} paced streams", "cpu"),
    ("delay p50 {n}", "delay of an event p50, {n} streams", "microseconds"),
    ("delay p99 {n}", "delay of an event p99, {n} streams", "microseconds"),
    ("reads {n}", "reads of the client per event, {n} streams", "number"),
    ("burst", "events/s in bursts of 64", "rate"),
    ("cpu per burst event", "CPU per event in bursts", "cpu"),
    ("held memory", "memory per held stream, 5,000 streams", "kib"),
    ("held cpu", "CPU per event, 5,000 held streams", "cpu"),
    ("held delay p50", "delay of an event p50, 5,000 held streams", "microseconds"),
    ("held delay p99", "delay of an event p99, 5,000 held streams", "microseconds"),
    ("idle", "memory at rest", "mib"),
    ("growth cpu {n}", "CPU per event, {n} streams, 10,000 events/s", "cpu"),
    ("growth memory {n}", "memory per stream, {n} streams", "kib"),
]
SETTINGS = {"two-loops ": ", 2 loops", "tls ": ", TLS to the upstream"}


def describe(figure):
    """Returns the title, unit and table position of a figure, or None if the figure is only for the plots."""
    prefix = next((prefix for prefix in SETTINGS if figure.startswith(prefix)), "")
    name = figure.removeprefix(prefix)
    for place, (pattern, title, unit) in enumerate(TITLES):
        if found := re.fullmatch(re.escape(pattern).replace(r"\{n\}", r"(\d+)"), name):
            number = f"{int(found[1]):,}" if found.groups() else ""
            title = title.format(n=number)
            if number == "1":
                title = title.replace("connections", "connection")
            where = (prefix, place, int(found[1]) if found.groups() else 0)
            return title + SETTINGS.get(prefix, ""), unit, where
    return None


@dataclasses.dataclass(frozen=True)
class Target:
    """A minimum or maximum of Headgate's value divided by the other proxy's."""

    figure: str
    other: str
    sign: str
    bound: float
    # The ratio when the target was set, on the machine used then.
    began: str = ""

    def holds(self, ratio):
        return ratio >= self.bound if self.sign == "≥" else ratio <= self.bound


TARGETS = [
    Target("rate 1", "nginx", "≥", 1.0, "0.74"),
    Target("rate 16", "nginx", "≥", 1.0, "0.52"),
    Target("rate 64", "nginx", "≥", 1.0, "0.60"),
    Target("two-loops cpu per request 64", "nginx", "≤", 1.05, "1.34"),
    Target("tls cpu per request 64", "nginx", "≤", 1.1, "1.37"),
    Target("cpu per event 1000", "nginx", "≤", 0.9, "1.03 to 1.12"),
    Target("burst", "nginx", "≥", 2, "2.37"),
    Target("first event p50 1", "nginx", "≤", 1.0, "1.12"),
    Target("held memory", "haproxy", "≤", 1.0, "1.5 to 1.6"),
    Target("rate 64", "litellm", "≥", 400, "389"),
    Target("rate 64", "smg", "≥", 5, "7.67"),
]
