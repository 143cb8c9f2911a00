"""The plots of docs/performance.md, from the results of a run."""

import math
import statistics

from .figures import UNITS
from .peers import KINDS
from .svg import Drawing

WIDTH = 760
QUANTILES = ("p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9")
GROWTH = (10, 100, 1000, 5000, 8000)


def draw_all(results, folder):
    """Writes every plot that has figures; returns the files."""
    files = []
    for name, draw in {"throughput": _throughput, "latency": _latency, "memory": _memory, "growth": _growth}.items():
        if drawing := draw(results):
            files.append(folder / f"performance-{name}.svg")
            drawing.write(files[-1])
    return files


def _medians(results, figure):
    """Returns the medians by proxy, in the order of the tables. Omits the direct connection, which is not
    comparable."""
    values = results.get(figure, {})
    return {
        name: statistics.median(value for value in values[name] if value is not None)
        for name in KINDS if name != "direct" and any(value is not None for value in values.get(name, []))}


def _bars(title, panels):
    """Draws panels of horizontal bars. A panel is a title, values by proxy, and the format of a value."""
    panels = [panel for panel in panels if "headgate" in panel[1]]
    if not panels:
        return None
    drawing = Drawing(WIDTH, 16 + sum(46 + 26 * len(values) for _, values, _ in panels), title)
    y = 28
    for heading, values, write in panels:
        drawing.text(16, y, heading, kind="title")
        y += 14
        for name, value in values.items():
            width = 500 * value / max(values.values())
            drawing.text(112, y + 15, KINDS[name].title, anchor="end", kind="strong" if name == "headgate" else "")
            drawing.bar(122, y + 3, width, 16, "headgate" if name == "headgate" else "plain")
            drawing.text(130 + width, y + 15, write(value), kind="faint")
            y += 26
        y += 32
    return drawing


def _throughput(results):
    return _bars("Requests and events per second", [
        ("Requests/s, 64 connections (more is better)", _medians(results, "rate 64"), UNITS["rate"]),
        ("Events/s when the upstream writes 64 at a time (more is better)", _medians(results, "burst"),
         UNITS["rate"])])


def _memory(results):
    values = {name: value for name, value in _medians(results, "held memory").items() if name != "relay"}
    return _bars("Memory per held stream", [
        ("Resident memory per held stream, 5,000 streams (less is better)", values, UNITS["kib"])])


def _latency(results):
    rounds = {name: [one for one in values if one] for name, values in results.get("latencies 64", {}).items()}
    lines = {
        name: [statistics.median(one[quantile] for one in rounds[name]) for quantile in QUANTILES]
        for name in KINDS if name != "direct" and rounds.get(name)}
    drawing = Drawing(WIDTH, 400, "Latency distribution with 64 connections")
    drawing.text(16, 28, "Latency of a request by percentile, 64 connections (log scale; less is better)", kind="title")
    return _lines(drawing, lines, QUANTILES, (70, 50, 560, 310), _time, is_logarithmic=True)


def _growth(results):
    panels = [
        ("CPU time per event", "growth cpu", 1, "µs"), ("Resident memory per stream", "growth memory", 1024, "KiB")]
    drawing = Drawing(WIDTH, 2 * 290, "Cost per stream as streams grow in number")
    drawn = None
    for index, (heading, figure, divisor, unit) in enumerate(panels):
        values = [_medians(results, f"{figure} {streams}") for streams in GROWTH]
        names = [name for name in KINDS if all(name in one for one in values)]
        lines = {name: [value[name] / divisor for value in values] for name in names}
        top = 290 * index
        drawing.text(16, top + 28, f"{heading}, by number of streams; 10,000 events/s in all", kind="title")
        drawn = _lines(
            drawing, lines, [f"{streams:,}" for streams in GROWTH], (86, top + 50, 540, 190),
            lambda value, unit=unit: f"{value:g} {unit}")
    return drawn


def _lines(drawing, lines, labels, place, write, *, is_logarithmic=False):
    """Draws a line for each proxy over evenly spaced labels, with its name at the end. Draws nothing without lines."""
    if not lines:
        return None
    left, top, width, height = place
    everything = [value for values in lines.values() for value in values]
    ticks = _decades(everything) if is_logarithmic else _even_ticks(max(everything))
    scale = math.log10 if is_logarithmic else float
    low, high = scale(ticks[0]), scale(ticks[-1])

    def y_of(value):
        return top + height - height * (scale(max(value, ticks[0])) - low) / (high - low)

    for tick in ticks:
        drawing.rule(left, y_of(tick), left + width, y_of(tick))
        drawing.text(left - 8, y_of(tick) + 4, write(tick), kind="faint", anchor="end")
    step = width / (len(labels) - 1)
    for index, label in enumerate(labels):
        drawing.text(left + step * index, top + height + 20, label, kind="faint", anchor="middle")
    bottom = math.inf
    # From the bottom up, each name is at the end of its line unless it would cover the name below.
    for name, values in sorted(lines.items(), key=lambda line: line[1][-1]):
        drawing.line([(left + step * index, y_of(value)) for index, value in enumerate(values)], name)
        bottom = min(y_of(values[-1]) + 4, bottom - 16)
        drawing.text(left + width + 12, bottom, KINDS[name].title, kind="strong" if name == "headgate" else "")
    return drawing


def _decades(values):
    return [10**power for power in range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)]


def _even_ticks(most):
    step = 10 ** math.floor(math.log10(most))
    step = next(step * part for part in (0.2, 0.5, 1, 2) if step * part * 6 >= most)
    return [step * index for index in range(math.ceil(most / step) + 1)]


def _time(microseconds):
    if microseconds >= 1_000_000:
        return f"{microseconds / 1_000_000:g} s"
    return f"{microseconds / 1000:g} ms" if microseconds >= 1000 else f"{microseconds:g} µs"
