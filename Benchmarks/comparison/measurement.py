"""One run: all proxies in front of the same mock upstream, in turns."""

import contextlib
import sys
import time

from .peers import KINDS
from .process import Failure, Stalled, TooSlow


class Measurement:
    """`results` maps each figure and proxy to its values in the order of the rounds; `left_out` lists what is
    missing."""

    def __init__(self, folder, settings, load, binaries):
        self.folder = folder
        self.settings = settings
        self.load = load
        self.binaries = binaries
        self.results = {}
        self.left_out = {}
        # Reasons for rounds without a value, by proxy and scenario.
        self.missed = {}
        self.started = 0

    def run(self, scenarios, rounds):
        for name, setting in self.settings.items():
            kept = [scenario for scenario in scenarios if scenario.setting == name and not scenario.fresh]
            if kept:
                self._run_kept(setting, kept, rounds)
        for scenario in scenarios:
            if scenario.fresh:
                self._run_fresh(self.settings[scenario.setting], scenario, rounds)
        for (name, scenario), reasons in self.missed.items():
            text = f"no value in {len(reasons)} of the rounds: {reasons[-1]}"
            self.left_out.setdefault(name, {}).setdefault(scenario, text)

    def _run_kept(self, setting, scenarios, rounds):
        """Starts every proxy once for all rounds of these scenarios."""
        wanted = {name for scenario in scenarios for name in self._peers(scenario)}
        with contextlib.ExitStack() as stack:
            proxies = {}
            for name in self.binaries:
                if name not in wanted:
                    continue
                with self._may_fail(name, "all"):
                    proxies[name] = stack.enter_context(self._start(name, setting))
                    self.load.ask(proxies[name], connections=16, requests=max(int(2000 * proxies[name].share), 32))
            for number in range(rounds):
                self._say(f"round {number + 1} of {rounds} {setting.prefix}")
                for scenario in scenarios:
                    for name in _turn(self._peers(scenario), number):
                        if name in proxies and not self._sits_out(name, scenario, number):
                            self._measure(scenario, setting, proxies[name], number)

    def _run_fresh(self, setting, scenario, rounds):
        for number in range(rounds):
            self._say(f"round {number + 1} of {rounds} {scenario.name}")
            for name in _turn(self._peers(scenario), number):
                if self._sits_out(name, scenario, number):
                    continue
                with self._may_fail(name, scenario.name), self._start(name, setting) as proxy:
                    self._measure(scenario, setting, proxy, number)

    def _measure(self, scenario, setting, proxy, number):
        with self._may_fail(proxy.name, scenario.name):
            for figure, value in scenario.measure(self.load, proxy).items():
                if value is not None:
                    values = self.results.setdefault(setting.prefix + figure, {}).setdefault(proxy.name, [])
                    # Failed rounds have no value.
                    values += [None] * (number - len(values))
                    values.append(value)

    @contextlib.contextmanager
    def _may_fail(self, name, scenario):
        """Continues the run without a proxy that failed, but not without Headgate."""
        try:
            yield
        except TooSlow as failure:
            if name == "headgate" and isinstance(failure, Stalled):
                raise
            self._say(f"{name} has no {scenario} in this round: {failure}")
            self.missed.setdefault((name, scenario), []).append(str(failure))
        except Failure as failure:
            if name == "headgate":
                raise
            self.left_out.setdefault(name, {})[scenario] = str(failure)
            self._say(f"{name} is left out of {scenario}: {failure}")

    def _peers(self, scenario):
        return [name for name in self.binaries if not scenario.peers or name in scenario.peers]

    def _sits_out(self, name, scenario, number):
        if reason := KINDS[name].leaves_out.get(scenario.name):
            self.left_out.setdefault(name, {})[scenario.name] = reason
        enough = [most for most in (KINDS[name].most_rounds, scenario.most_rounds) if most]
        return scenario.name in self.left_out.get(name, {}) or number >= min(enough, default=number + 1)

    def _start(self, name, setting):
        self.started += 1
        return KINDS[name](self.binaries[name], self.folder / f"{name}-{self.started}", setting)

    def _say(self, text):
        print(f"{time.strftime('%H:%M:%S')} {text}".rstrip(), file=sys.stderr, flush=True)


def _turn(names, number):
    """Rotates and alternately reverses the order, because the first proxy finds a different cache from later ones."""
    first = number // 2 % len(names) if names else 0
    turned = names[first:] + names[:first]
    return turned if number % 2 else turned[::-1]
