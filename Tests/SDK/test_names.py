"""Upstreams that are addressed by name, with a name server that an attacker or an outage controls."""

import contextlib
import socket
import threading
import time
from pathlib import Path

import pytest

from connections import whole_text
from gateways import KEYS, gateways
from preloads import preload
from upstreams import TEXT, local_upstream

NAMES = {
    "metadata.test": "169.254.169.254",
    "mapped.test": "::ffff:169.254.169.254",
    "inner.test": "127.0.0.1",
    "refusing.test": "127.0.0.2,127.0.0.1",
    "swallowing.test": "127.0.0.3,127.0.0.1",
    "dead.test": "127.0.0.2,127.0.0.4",
    "half.test": "169.254.169.254,127.0.0.1",
    **{f"hanging{number}.test": "hang" for number in range(3)},
}


@pytest.fixture(scope="session")
def resolver(tmp_path_factory) -> Path:
    """Builds the library that resolves names."""
    return preload("resolver", tmp_path_factory.mktemp("resolver"))


@pytest.fixture
def gateway(gateways, resolver, local_upstream):
    """Starts a gateway. Each name is an upstream at the port of the local upstream, with a model of the same name."""
    def line(name: str, options: str = "plain_http: true, allow_private: true, timeouts: {connect: 1s}") -> str:
        url = f"http://{name}:{local_upstream.port}/v1"
        return f'  {name.split(".")[0]}: {{kind: openai, base_url: "{url}", {options}}}\n'

    upstreams = "".join(line(name) for name in NAMES if name != "inner.test")
    upstreams += line("inner.test", "plain_http: true")
    upstreams += f'  local: {{kind: openai, base_url: "{local_upstream.url}"}}\n'
    models = "".join(f"  {name.split('.')[0]}: {{upstream: {name.split('.')[0]}}}\n" for name in NAMES)
    return gateways.start(
        f'listen: 127.0.0.1:0\nloops: 1\nupstreams:\n{upstreams}models:\n{models}  "*": {{upstream: local}}\n{KEYS}',
        LD_PRELOAD=str(resolver), HEADGATE_TEST_NAMES=" ".join(f"{name}={to}" for name, to in NAMES.items()))


def refusal(gateway, model: str) -> str:
    """Checks that the response hides why the upstream cannot be reached; returns the log's reason."""
    with gateway.connect() as client:
        answer = client.chat(model, stream=True)
    assert (answer.status, answer.code) == (502, "upstream_connect"), answer.body
    for address in NAMES[f"{model}.test"].split(","):
        assert f" {address}" not in answer.message
    return gateway.wait_for_log(rf'.*"model":"{model}".*"error":"upstream_connect".*"detail":"([^"]*)"')[1]


@pytest.mark.parametrize("model", ["metadata", "mapped"])
def test_metadata_service_is_never_connected_to(gateway, model, local_upstream):
    reason = refusal(gateway, model)
    assert "169.254.169.254" in reason and "metadata" in reason and "never" in reason
    assert not local_upstream.requests


def test_name_of_this_machine_is_refused_by_default(gateway, local_upstream):
    reason = refusal(gateway, "inner")
    assert "127.0.0.1" in reason and "allow_private: true" in reason
    assert not local_upstream.requests


def test_name_with_one_good_address_uses_no_other(gateway):
    with gateway.connect() as client:
        assert whole_text(client.chat("half", stream=True)) == TEXT


@contextlib.contextmanager
def swallowing(address: str, port: int):
    """Opens a port that neither accepts nor refuses connections, because its queue is full."""
    with socket.socket() as listener, contextlib.ExitStack() as waiting:
        listener.bind((address, port))
        listener.listen(0)
        for _ in range(8):
            client = waiting.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex((address, port))
        with socket.socket() as probe:
            probe.settimeout(0.1)
            with pytest.raises(TimeoutError):
                probe.connect((address, port))
        yield


# The test measures a delay.
@pytest.mark.serial
def test_dead_first_address_delays_by_less_than_a_second(gateway, local_upstream):
    with swallowing("127.0.0.3", local_upstream.port), gateway.connect() as client:
        for model in ("refusing", "swallowing"):
            started = time.monotonic()
            assert whole_text(client.chat(model, stream=True)) == TEXT
            assert time.monotonic() - started < 1


def test_host_with_only_dead_addresses_is_reported_at_once(gateway):
    assert refusal(gateway, "dead").endswith(": Connection refused")


def test_unresponsive_name_server_delays_no_other_name(gateway):
    """While three names hang, a stream on the same loop continues, and other names are resolved at once."""
    with gateway.connect() as flowing, contextlib.ExitStack() as clients:
        stream = flowing.stream("dripping")
        assert stream.next_text()
        answers = {}

        def ask(model: str, client):
            started = time.monotonic()
            answers[model] = (client.chat(model, stream=True), time.monotonic() - started)

        threads = [
            threading.Thread(target=ask, args=(f"hanging{number}", clients.enter_context(gateway.connect())))
            for number in range(3)]
        for thread in threads:
            thread.start()
        longest, events, last = 0, 0, time.monotonic()
        with gateway.connect() as other:
            assert whole_text(other.chat("refusing", stream=True)) == TEXT
            assert len(answers) == 0
        while any(thread.is_alive() for thread in threads):
            assert stream.next_text()
            events, longest, last = events + 1, max(longest, time.monotonic() - last), time.monotonic()
    assert events > 20 and longest < 0.5
    for model, (answer, duration) in answers.items():
        assert (answer.status, answer.code) == (502, "upstream_connect")
        assert 0.9 < duration < 3
    reason = gateway.wait_for_log(r'"model":"hanging0".*"detail":"([^"]*)"')[1]
    assert reason.endswith(": timed out while looking up hanging0.test")


def test_gateway_ends_while_a_lookup_hangs(gateway):
    refusal(gateway, "hanging0")
    started = time.monotonic()
    assert gateway.stop() == 0
    assert time.monotonic() - started < 5
