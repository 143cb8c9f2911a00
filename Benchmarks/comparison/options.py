"""The command line of Benchmarks/run."""

import argparse
import os
import shlex
import sys
from pathlib import Path

from .peers import KINDS
from .scenarios import scenarios
from .sizes import FULL, QUICK


def options(release, description):
    """Parses the command line; returns the options, with `scenarios` and `peers` resolved."""
    names = [scenario.name for scenario in scenarios(FULL)]
    parser = argparse.ArgumentParser(
        prog="Benchmarks/run", description=description.splitlines()[0], epilog=f"Figures: {', '.join(names)}.")
    parser.add_argument("--headgate", type=Path, default=release, help="the binary, if another one")
    parser.add_argument("--rounds", type=int, help="rounds of every figure (default: 7; with --quick 5)")
    parser.add_argument("--quick", action="store_true", help="short rounds: about a minute, for a first look only")
    parser.add_argument("--only", metavar="FIGURE,...", type=_list, help="figures, or their first word: requests,tls")
    parser.add_argument(
        "--peers", metavar="NAME,...", type=_list, help=f"of {', '.join(KINDS)} (default: all; with --quick nginx)")
    parser.add_argument("--write-docs", action="store_true", help="put tables and plots into docs/")
    chosen = parser.parse_args()
    chosen.rounds = chosen.rounds or (5 if chosen.quick else 7)
    if chosen.write_docs and (chosen.quick or chosen.only or chosen.peers or chosen.rounds < 5):
        parser.error("only a whole run of 5 rounds or more can be published")
    if unknown := set(chosen.peers or ()) - set(KINDS):
        parser.error(f"no such peer: {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    wanted = set(chosen.peers or (["nginx"] if chosen.quick else KINDS)) | {"headgate"}
    chosen.peers = [name for name in KINDS if name in wanted]
    chosen.scenarios = _choose(list(scenarios(QUICK if chosen.quick else FULL)), chosen, parser)
    if not os.access(chosen.headgate, os.X_OK):
        parser.error(f"{chosen.headgate} is not there: 'make release' builds it")
    # The path of the binary stays private.
    path = str(chosen.headgate)
    chosen.command = shlex.join(["Benchmarks/run", *(part.replace(path, "PATH") for part in sys.argv[1:])])
    return chosen


def _choose(everything, chosen, parser):
    for name in chosen.only or ():
        if not any(scenario.is_chosen([name]) for scenario in everything):
            parser.error(f"no such figure: {name}; there are {', '.join(scenario.name for scenario in everything)}")
    if chosen.only:
        return [scenario for scenario in everything if scenario.is_chosen(chosen.only)]
    return [scenario for scenario in everything if not chosen.quick or scenario.is_quick]


def _list(text):
    return [part.strip() for part in text.split(",") if part.strip()]
