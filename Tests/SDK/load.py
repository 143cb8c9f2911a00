"""Load on a gateway during repeated reloads of alternately valid and invalid files."""

import contextlib
import os
import ssl
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from certificates import Authority
from connections import whole_text
from gateways import KEY, Gateway, key_line
from upstreams import Upstream

PAUSE_SECONDS = 0.1


@dataclass
class Result:
    """Result of one run; `failures` lists every incomplete response that a client received."""

    answers: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)
    signals: int = 0
    reloaded: int = 0
    refused: int = 0
    slowest: float = 0
    seconds: float = 0
    descriptors: tuple = (0, 0)

    def __str__(self):
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.answers.items()))
        before, after = self.descriptors
        return (
            f"{self.seconds:.0f} s: {sum(self.answers.values())} requests ({kinds}), {len(self.failures)} failed, "
            f"the slowest took {self.slowest * 1000:.0f} ms; {self.signals} signals: {self.reloaded} reloads, "
            f"{self.refused} refused; open descriptors {before} before, {after} after")


class Configurations:
    """Alternately valid and invalid files; every valid one differs from the one before."""

    def __init__(self, folder: Path, upstream: str):
        authority = Authority(folder / "authority")
        certificate = authority.issue("localhost")
        self.trust = ssl.create_default_context(cafile=authority.file)
        self._folder = folder
        self._upstream = upstream
        self._authority = authority
        self._tls = f"{{cert: {certificate.chain}, key: {certificate.key}}}"

    def good(self, number: int) -> str:
        """Returns a valid file. Listeners, upstreams and keys vary with `number`; the parts that clients use stay the
        same."""
        extra = f', "unix:{self._folder}/extra-{number % 3}.sock"'
        return (
            f'listen: ["127.0.0.1:0", {{address: "127.0.0.1:0", tls: {self._tls}}}, '
            f'"unix:{self._folder}/load.sock"{extra}]\n'
            "upstreams:\n"
            f'  up: {{kind: openai, base_url: "{self._upstream}", api_key: "${{UPSTREAM_KEY}}", '
            f'headers: {{Client-Id: "number-{number % 5}"}}, ca: "{self._authority.file}"}}\n'
            f'  other-{number % 2}: {{kind: openai, base_url: "{self._upstream}"}}\n'
            f'models: {{"*": {{upstream: up}}, "extra-{number % 4}": {{upstream: other-{number % 2}}}}}\n'
            f"keys: [{key_line()}, {key_line(f'other-{number}', 'other')}]\n"
            f"limits: {{drain: {5 + number % 3}s}}\n")

    def bad(self, number: int) -> str:
        good = self.good(number)
        return [
            lambda: good.replace("limits:", "limit:"),
            # Half-written, as by an editor that does not rename.
            lambda: good[: good.index("keys:") + 20],
            lambda: good.replace(".pem", ".missing"),
            lambda: good.replace("load.sock", "no/such/folder.sock"),
            lambda: good.replace("${UPSTREAM_KEY}", "${NOT_SET:?set it}"),
            lambda: good.replace("kind: openai", "kind: closedai"),
        ][number % 6]()

    def __getitem__(self, number: int) -> str:
        return self.bad(number // 2) if number % 2 else self.good(number // 2)


class Clients:
    """Threads that send requests without a pause, and check every byte of the responses."""

    def __init__(self, result: Result):
        self._result = result
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._threads = []

    def start(self, kind: str, connect, keeps: bool, stream: bool):
        thread = threading.Thread(target=self._run, args=(kind, connect, keeps, stream))
        self._threads.append(thread)
        thread.start()

    def end(self):
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _run(self, kind, connect, keeps, stream):
        expected = None
        while not self._over.is_set():
            try:
                with connect() as client:
                    while not self._over.is_set():
                        started = time.monotonic()
                        answer = client.chat(stream=stream)
                        text = whole_text(answer)
                        expected = expected or text
                        assert text == expected
                        self._count(kind, time.monotonic() - started)
                        if not keeps:
                            break
            except Exception as error:
                with self._lock:
                    self._result.failures.append(f"{kind}: {type(error).__name__}: {error}")

    def _count(self, kind: str, seconds: float):
        with self._lock:
            self._result.answers[kind] += 1
            self._result.slowest = max(self._result.slowest, seconds)


def reload_under_load(folder: Path, seconds: float) -> Result:
    """Signals a gateway ten times a second, each time with a different file, while clients of all kinds use the
    gateway."""
    result = Result()
    with contextlib.closing(Upstream()) as upstream:
        configurations = Configurations(folder, upstream.url)
        gateway = Gateway(folder, configurations[0])
        clients = Clients(result)
        try:
            warm(gateway, configurations.trust)
            before = open_descriptors(gateway)
            began = time.monotonic()
            start_clients(clients, gateway, configurations.trust)
            pause = threading.Event()
            while time.monotonic() - began < seconds:
                result.signals += 1
                gateway.write(configurations[result.signals])
                gateway.hang_up()
                # The event is never set: the timeout sets the pace.
                pause.wait(PAUSE_SECONDS)
            clients.end()
            result.seconds = time.monotonic() - began
            settle(gateway, configurations)
            result.descriptors = (before, open_descriptors(gateway))
        finally:
            clients.end()
            code = gateway.stop()
        assert code == 0, gateway.output()
        log = gateway.log_after_exit()
        result.reloaded = log.count("headgate: reloaded (")
        result.refused = log.count("headgate: not reloaded")
    return result


def start_clients(clients: Clients, gateway: Gateway, trust):
    plain, secure, unix = range(3)
    for kind, listener, keeps, stream in (
        ("stream", plain, True, True), ("whole", plain, True, False),
        ("new connection", plain, False, True), ("new TLS connection", secure, False, False),
        ("TLS stream", secure, True, True), ("Unix stream", unix, True, True),
    ):
        def connect(listener=listener):
            return gateway.connect(listener, None if listener == unix else KEY, trust)

        clients.start(kind, connect, keeps, stream)


def warm(gateway: Gateway, trust):
    """Opens everything that a gateway opens only once, so that numbers of descriptors can be compared."""
    for listener in range(3):
        with gateway.connect(listener, KEY, trust) as client:
            whole_text(client.chat(stream=True))


def settle(gateway: Gateway, configurations: Configurations):
    """Waits until the last valid file is in force, and its models are listed."""
    gateway.write(configurations.good(0))
    # The first reload can report one that was already under way.
    for _ in range(2):
        result = gateway.reload()
        assert result.returncode == 0, result.stderr
    with gateway.connect() as client:
        names = [model["id"] for model in client.ask("GET", "/v1/models").document["data"]]
    assert names == ["extra-0"], names


def open_descriptors(gateway: Gateway) -> int:
    return len(os.listdir(f"/proc/{gateway.pid}/fd"))
