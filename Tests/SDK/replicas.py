"""Two gateways behind HAProxy, as in deploy/replicas, with their shared stores."""

import contextlib
import hashlib
import http.client
import secrets
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from connections import Connection
from gateways import KEY, Gateway, short_folder, wait_until
from patience import EXIT_SECONDS
from stores import DEPLOYED, PostgreSQL, Redis, bound, environment, make_secrets, program

NAMES = ["one", "other"]
# USD per million tokens.
PRICES = 'models: {"m*": {input: 100, output: 100}}\n'


class Balancer:
    """HAProxy with the configuration of deploy/replicas, on a socket that it inherits."""

    def __init__(self, folder: Path, gateways: list):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        addresses = {f"GATEWAY_{number}": address for number, address in enumerate(gateways, 1)}
        self.log = folder / "balancer.log"
        with listener, self.log.open("ab") as log:
            self._process = subprocess.Popen(
                bound(program("haproxy"), "-db", "-f", DEPLOYED / "haproxy.cfg"), pass_fds=[listener.fileno()],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment(BIND=f"fd@{listener.fileno()}", **addresses))
        try:
            wait_until(self._serves, "the balancer")
        except BaseException:
            self.end()
            raise

    def _serves(self) -> bool:
        assert self._process.poll() is None, self.log.read_text()
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.connect().ask("GET", "/livez").status == 200
        return False

    def connect(self, key: str = KEY) -> Connection:
        return Connection(self.url, key)

    def ask_to_stop(self):
        """Asks HAProxy to stop as the container engine does: streams run to their ends."""
        self._process.send_signal(signal.SIGUSR1)

    def wait(self) -> int:
        return self._process.wait(EXIT_SECONDS)

    def end(self):
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(EXIT_SECONDS)


class Stores:
    """Stores shared by all tests of a file."""

    def __init__(self, folder: Path):
        # PostgreSQL does not run as root.
        folder.chmod(0o711)
        self.secrets = make_secrets(folder / "secrets")
        for name in ("redis", "postgres"):
            (folder / name).mkdir()
        self.redis = Redis(folder / "redis", self.secrets)
        self.postgres = PostgreSQL(folder / "postgres", self.secrets)
        self.servers = {"redis": self.redis, "postgres": self.postgres}

    def start(self):
        for server in self.servers.values():
            server.start()

    def end(self):
        for server in self.servers.values():
            server.end()

    @property
    def configuration(self) -> str:
        return (
            f"ledger: postgresql://headgate@/headgate?host={self.postgres.folder}\n"
            f"counters: redis+unix://headgate:${{REDIS_PASSWORD}}@{self.redis.socket}\n")

    @property
    def variables(self) -> dict:
        """The gateways' variables, as in secrets/gateway.env."""
        return {name: self.secrets[name] for name in ("PGPASSWORD", "REDIS_PASSWORD")}


def new_key() -> str:
    return "hg-" + secrets.token_hex(16)


def key_entry(name: str, key: str, settings: str = "") -> str:
    digest = hashlib.sha256(key.encode()).hexdigest()
    return f'{{name: {name}, sha256: "{digest}"{", " + settings if settings else ""}}}'


class Replicas:
    """Two gateways with one configuration and separate folders, and the balancer in front of them."""

    def __init__(self, folder: Path, stores: Stores, upstream: str, keys: dict, more: str = ""):
        """Starts the gateways and the balancer; `keys` maps the name of each key to its settings."""
        self.keys = {name: new_key() for name in keys}
        entries = [key_entry("admin", KEY, "admin: true")]
        entries += [key_entry(name, self.keys[name], settings) for name, settings in keys.items()]
        self._stores = stores
        self._text = f"""
listen: 127.0.0.1:0
loops: 2
allowed_hosts: ["127.0.0.1:*", "localhost:*"]
metrics: true
{stores.configuration}
prices: prices.yaml
upstreams: {{up: {{kind: openai, base_url: "{upstream}", api_key: "${{UPSTREAM_KEY}}"}}}}
models: {{"*": {{upstream: up}}, detached: {{upstream: up, model: gated, on_disconnect: detach}}}}
keys: [{", ".join(entries)}]
{more}
"""
        self._folder = folder
        (folder / "prices.yaml").write_text(PRICES)
        self.gateways = []
        self.balancer = None
        try:
            for name in NAMES:
                self.gateways.append(self.start(name, self._text))
            self.balancer = Balancer(folder, [gateway.urls[0].removeprefix("http://") for gateway in self.gateways])
        except BaseException:
            self.end()
            raise

    def start(self, name: str, text: str) -> Gateway:
        """Starts a gateway with a separate folder for pending data, as on another machine."""
        home = self._folder / name
        home.mkdir(exist_ok=True)
        (home / "prices.yaml").write_text((self._folder / "prices.yaml").read_text())
        return Gateway(home, text, name, HEADGATE_LEDGER="", **self._stores.variables)

    def start_again(self, index: int):
        """Starts a stopped gateway again at its address."""
        address = self.gateways[index].urls[0].removeprefix("http://")
        self.gateways[index] = self.start(NAMES[index], self._text.replace("127.0.0.1:0", address, 1))

    @property
    def urls(self) -> list:
        return [gateway.urls[0] for gateway in self.gateways]

    def end(self):
        if self.balancer:
            self.balancer.end()
        codes = [gateway.stop() for gateway in self.gateways if gateway.is_running]
        assert not any(codes), "".join(gateway.output() for gateway in self.gateways)
        log = "".join(gateway.log_after_exit() for gateway in self.gateways)
        for secret in (KEY, *self.keys.values(), *self._stores.variables.values()):
            assert secret not in log


@pytest.fixture(scope="module")
def stores():
    with short_folder() as path:
        stores = Stores(Path(path))
        try:
            stores.start()
            yield stores
        finally:
            stores.end()


@pytest.fixture
def replicas(stores):
    """Starts replicas, and stops them at the end of the test."""
    with short_folder() as path:
        started = []

        def start(upstream: str, keys: dict = {}, more: str = "") -> Replicas:
            started.append(Replicas(Path(path), stores, upstream, keys, more))
            return started[-1]

        try:
            yield start
        finally:
            for each in started:
                each.end()
