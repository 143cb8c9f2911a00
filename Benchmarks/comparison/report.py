"""The tables of a run, as Markdown."""

import re
import statistics

from .figures import TARGETS, UNITS, describe
from .peers import KINDS
from .process import Failure

MARKS = ("<!-- Figures: written by Benchmarks/run --write-docs. -->", "<!-- End of the figures. -->")


def _ratios(results, figure, ours, theirs):
    """Returns the ratios of the rounds; the list is empty if either proxy has no values."""
    values = results.get(figure, {})
    pairs = zip(values.get(ours, []), values.get(theirs, []), strict=False)
    return [a / b for a, b in pairs if a is not None and b]


def _written(results, figure, peer, unit):
    values = [value for value in results.get(figure, {}).get(peer, []) if value is not None]
    return UNITS[unit](statistics.median(values)) if values else ""


def _number(ratio):
    return f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.2f}"


def targets_table(results):
    """Returns a table of the targets that this run measured."""
    lines = [
        "| figure | against | ratio | spread | began at | target | met | Headgate | the other | TCP relay's ratio |",
        "|---|---|---|---|---|---|---|---|---|---|"]
    for target in TARGETS:
        ratios = _ratios(results, target.figure, "headgate", target.other)
        if not ratios:
            continue
        title, unit, _ = describe(target.figure)
        ratio = statistics.median(ratios)
        floor = _ratios(results, target.figure, "relay", target.other)
        lines.append(
            f"| {title} | {KINDS[target.other].title} | **{_number(ratio)}** "
            f"| {_number(min(ratios))} to {_number(max(ratios))} | {target.began} | {target.sign} {target.bound:g} "
            f"| {'yes' if target.holds(round(ratio, 2)) else 'no'} "
            f"| {_written(results, target.figure, 'headgate', unit)} "
            f"| {_written(results, target.figure, target.other, unit)} "
            f"| {_number(statistics.median(floor)) if floor else ''} |")
    return lines if len(lines) > 2 else []


def values_table(results, peers):
    """Returns a table of all figures: the median of each proxy, and Headgate's ratio to nginx."""
    with_ratio = "headgate" in peers and "nginx" in peers
    heads = [KINDS[peer].title for peer in peers]
    lines = [
        "| figure |" + (" ratio to nginx |" if with_ratio else "") + "".join(f" {head} |" for head in heads),
        "|---" * (1 + with_ratio + len(peers)) + "|"]
    described = {figure: describe(figure) for figure in results if describe(figure)}
    for figure in sorted(described, key=lambda figure: described[figure][2]):
        title, unit, _ = described[figure]
        ratios = _ratios(results, figure, "headgate", "nginx")
        ratio = f" {_number(statistics.median(ratios))} |" if ratios else " |"
        cells = "".join(f" {_written(results, figure, peer, unit)} |" for peer in peers)
        lines.append(f"| {title} |{ratio if with_ratio else ''}{cells}")
    return lines


def _left_out(left_out):
    for peer, reasons in left_out.items():
        for reason in dict.fromkeys(reasons.values()):
            scenarios = ", ".join(name for name, given in reasons.items() if given == reason)
            first_line = reason.splitlines()[0] if reason else "no reason given"
            # Paths of this machine stay private.
            yield f"- {KINDS[peer].title}, {scenarios}: {re.sub(r'/[^ ]*/', '', first_line)[:160]}"


def report(results, left_out, about, is_whole=True):
    """Returns the targets and the method as Markdown; includes every figure of every proxy if the run is complete."""
    peers = [peer for peer in KINDS if any(peer in values for values in results.values())]
    lines = [*targets_table(results), ""]
    if is_whole:
        lines += [*values_table(results, peers), ""]
    if left_out:
        lines += ["Left out:", "", *_left_out(left_out), ""]
    lines.append(
        f"{about['machine']}; {', '.join(about['versions'].values())}; commit {about['commit']}; "
        f"`{about['command']}`, {about['rounds']} rounds in {about['seconds']} s; {about['date']}.")
    return "\n".join(lines).strip()


def _title(image):
    return re.search(r"<title>(.*?)</title>", image.read_text())[1]


def write_docs(path, text, images):
    """Replaces the text between the two marks, and adds the images."""
    document = path.read_text()
    text = "\n\n".join([text, *(f"![{_title(image)}](images/{image.name})" for image in images)])
    pattern = re.escape(MARKS[0]) + r".*?" + re.escape(MARKS[1])
    figures = "\n".join([MARKS[0], "", text, "", MARKS[1]])
    changed, count = re.subn(pattern, lambda _: figures, document, flags=re.DOTALL)
    if count != 1:
        raise Failure(f"{path} has no place for the figures: {MARKS[0]} ... {MARKS[1]}")
    path.write_text(changed)
