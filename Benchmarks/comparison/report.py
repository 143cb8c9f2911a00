"""The table of a run: ratios first, absolute values beside them."""

import datetime
import operator
import re
import statistics

from .processes import Failure

MARKS = ("<!-- Figures: written by Benchmarks/run --write-docs. -->", "<!-- End of the figures. -->")
AT_LEAST, AT_MOST = ("≥", operator.ge), ("≤", operator.le)


def _rows(sizes):
    """Figure, what it is called, the target of its ratio, and how its values are written."""
    for connections in sizes.requests:
        plural = "s" if connections > 1 else ""
        where = f"{connections} connection{plural}"
        yield f"rate {connections}", f"requests/s, {where}", (AT_LEAST, 1.0), lambda value: f"{value:,.0f}"
        yield f"p50 {connections}", f"latency p50, {where}", (AT_MOST, 1.0), lambda value: f"{value:,.0f} µs"
        yield f"p99 {connections}", f"latency p99, {where}", None, lambda value: f"{value:,.0f} µs"
        yield (
            f"cpu per request {connections}", f"CPU per request, {where}", None, lambda value: f"{value:.2f} µs")
    for streams in sizes.streams:
        title = f"CPU per event, {streams:,} paced streams"
        yield f"cpu {streams}", title, (AT_MOST, 1.0), lambda value: f"{value:.2f} µs"
    yield "burst", f"events/s in bursts of {sizes.burst}", (AT_LEAST, 1.5), lambda value: f"{value:,.0f}"
    yield "held", "memory per held stream", (AT_MOST, 0.3), lambda value: f"{value / 1024:.1f} KiB"
    yield "idle", "memory at rest", None, lambda value: f"{value / 2**20:.1f} MiB"


def _row(results, figure, title, target, written):
    ours, theirs = results[figure]["headgate"], results[figure]["nginx"]
    ratios = [a / b if b > 0 else float("inf") for a, b in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ratios)
    wanted = verdict = ""
    if target:
        (sign, holds), bound = target
        wanted, verdict = f"{sign} {bound:.1f}", "yes" if holds(round(ratio, 2), bound) else "no"
    return (
        f"| {title} | **{ratio:.2f}** | {min(ratios):.2f} to {max(ratios):.2f} | {wanted} | {verdict} "
        f"| {written(statistics.median(ours))} | {written(statistics.median(theirs))} |")


def table(results, about, sizes):
    """Markdown."""
    lines = [
        "| figure | ratio to nginx | spread | target | met | Headgate | nginx |",
        "|---|---|---|---|---|---|---|",
        *(_row(results, *row) for row in _rows(sizes)), ""]
    reads = "; ".join(
        f"{streams:,} streams: Headgate {_reads(results, streams, 'headgate')}, "
        f"nginx {_reads(results, streams, 'nginx')}" for streams in sizes.streams)
    versions = about["versions"]
    lines += [
        f"Reads of the client per event (below 1 the proxy joined events): {reads}.", "",
        f"{about['machine']}; {versions['headgate']}, {versions['nginx']}; commit {versions['commit']}; "
        f"`{about['command']}`, {about['rounds']} rounds in {about['seconds']} s; {datetime.date.today().isoformat()}."]
    return "\n".join(lines)


def _reads(results, streams, proxy):
    return f"{statistics.median(results[f'reads {streams}'][proxy]):.2f}"


def write_docs(path, text):
    """Replaces what stands between the two marks."""
    document = path.read_text()
    pattern = re.escape(MARKS[0]) + r".*?" + re.escape(MARKS[1])
    figures = "\n".join([MARKS[0], "", text, "", MARKS[1]])
    changed, count = re.subn(pattern, lambda _: figures, document, flags=re.DOTALL)
    if count != 1:
        raise Failure(f"{path} has no place for the figures: {MARKS[0]} ... {MARKS[1]}")
    path.write_text(changed)
