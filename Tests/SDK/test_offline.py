"""A gateway whose machine loses its network and regains it: the local target takes over, then the remote one."""

import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from child import Child
from conftest import binary
from connections import Answer, whole_text
from exchanges import streamed
from gateways import KEY, KEYS, Gateway, short_folder, surroundings
from network_namespaces import FAR_ADDRESS, Cable, Namespace, needs_namespaces

pytestmark = needs_namespaces

TAKEOVER_SECONDS = 1
RETURN_SECONDS = 10
# Longer than a connection can be idle before its route is checked.
REST_SECONDS = 0.2


class Network:
    """A gateway with a remote and a local target, and a cable to unplug.

    `local` is the configuration of the local upstream; the default is a scripted one.
    """

    def __init__(self, folder: Path, stack: ExitStack, local: str | None = None, **variables):
        self._folder, self._stack = folder, stack
        near, far = (self._open(Namespace()) for _ in range(2))
        self.cable = Cable(near, far)
        near.resolve_by(FAR_ADDRESS, folder)
        self._start(far, "names", r"ready", sys.executable, Path(__file__).with_name("name_server.py"), FAR_ADDRESS)
        remote = self._upstream(far, "remote", FAR_ADDRESS)
        if local is None:
            local = f'{{kind: openai, base_url: "http://127.0.0.1:{self._upstream(near, "local", "127.0.0.1")}/v1"}}'
        text = (
            f'listen: "unix:{folder}/gateway.sock"\n'
            "upstreams:\n"
            f'  remote: {{kind: openai, base_url: "http://remote.test:{remote}/v1", plain_http: true}}\n'
            f'  local: {local}\n'
            "models: {chat: {targets: [{upstream: remote}, {upstream: local}]}}\n"
            f"{KEYS}")
        self.gateway = Gateway(folder, text, prefix=near.prefix, **variables)
        stack.callback(self.gateway.stop)

    def ask(self) -> tuple[Answer, float]:
        """Sends a streamed chat; returns the response, and its duration in seconds."""
        with self.gateway.connect(key=KEY) as client:
            started = time.monotonic()
            answer = client.chat("chat", stream=True)
            return answer, time.monotonic() - started

    def _open(self, namespace: Namespace) -> Namespace:
        self._stack.callback(namespace.close)
        return namespace

    def _upstream(self, where: Namespace, name: str, address: str) -> int:
        script = self._folder / f"{name}.json"
        script.write_text(json.dumps(streamed(name)))
        match = self._start(
            where, name, r"listening on .*:(\d+)", binary("headgate-upstream"), "--listen", f"{address}:0", "--script",
            script)
        return int(match[1])

    def _start(self, where: Namespace, name: str, ready: str, *command):
        child = Child([*where.prefix, *command], self._folder / f"{name}.log", surroundings(self._folder))
        self._stack.callback(child.kill)
        return child.wait_for_line(ready)


@pytest.fixture
def network():
    with short_folder() as folder, ExitStack() as stack:
        yield Network(Path(folder), stack)


def expect_remote(answer: Answer):
    assert whole_text(answer) == "remote"
    assert answer.headers["x-headgate-degraded"] is None


def expect_local(answer: Answer, seconds: float):
    assert whole_text(answer) == "local"
    assert answer.headers["x-headgate-degraded"] == "offline"
    assert seconds < TAKEOVER_SECONDS
    print(f"the local target answered within {seconds * 1000:.0f} ms")


def expect_return(network: Network):
    """Sends requests until the remote target responds again."""
    network.cable.plug_in()
    plugged_in = time.monotonic()
    while whole_text((answer := network.ask()[0])) == "local":
        assert time.monotonic() - plugged_in < RETURN_SECONDS
        time.sleep(0.05)
    expect_remote(answer)
    print(f"the remote target answered {time.monotonic() - plugged_in:.2f} s after its route came back")


def test_without_network_from_the_start_the_local_target_answers(network):
    """Starts without a network, where even the upstream's name cannot be resolved."""
    answer, seconds = network.ask()
    expect_local(answer, seconds)
    expect_return(network)


def test_network_loss_during_an_idle_connection_is_noticed_at_once(network):
    """Guards against a kernel that accepts the request on the idle connection, and reports no failure for minutes."""
    network.cable.plug_in()
    expect_remote(network.ask()[0])
    time.sleep(REST_SECONDS)
    network.cable.pull_out()
    answer, seconds = network.ask()
    expect_local(answer, seconds)
    expect_local(*network.ask())
    expect_return(network)
