"""Crowds of slow, greedy or short-lived clients: their effect is bounded, and no other client is delayed."""

import os
import resource
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from gateways import KEY, KEYS, gateways, wait_until  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS, SLOWDOWN
from upstreams import Upstream

# The tests measure waiting times and processor time.
pytestmark = pytest.mark.serial

SLOW = 2000
COMINGS = 10_000
FLOOD = 100 << 20
# Total size of socket buffers on both sides; they fill before anything waits.
SYSTEM_BUFFERS = 16 << 20


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


@pytest.fixture
def gateway(gateways, upstream):  # noqa: F811
    return gateways.start(
        f'listen: "127.0.0.1:0"\nupstreams:\n  a: {{kind: openai, base_url: "{upstream.url}"}}\n'
        f'models: {{"*": {{upstream: a}}}}\n{KEYS}')


@pytest.fixture
def many_files():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def connect(gateway) -> socket.socket:
    address = urlsplit(gateway.urls[0])
    return socket.create_connection((address.hostname, address.port), PATIENCE_SECONDS)


def latencies(gateway, count: int) -> list:
    """Returns the durations in seconds of `count` requests on one connection, sorted."""
    seconds = []
    connection = gateway.connect()
    for _ in range(count):
        start = time.monotonic()
        assert connection.chat("m").status == 200
        seconds.append(time.monotonic() - start)
    return sorted(seconds)


def processor_seconds(gateway) -> float:
    fields = open(f"/proc/{gateway.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(gateway) -> int:
    return int(open(f"/proc/{gateway.pid}/statm").read().split()[1]) * resource.getpagesize()


def test_client_flooding_during_a_stream_is_cut_off(gateway, upstream):
    client = connect(gateway)
    body = b'{"model":"dripping","stream":true,"messages":[{"role":"user","content":"hi"}]}'
    client.sendall(
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
        b"Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
        % (urlsplit(gateway.urls[0]).netloc.encode(), KEY.encode(), len(body), body))
    assert client.recv(64).startswith(b"HTTP/1.1 200 ")
    before, sent = resident_bytes(gateway), 0
    block = b"x" * (1 << 16)
    with pytest.raises(OSError):
        while sent < FLOOD:
            sent += client.send(block)
    grown = resident_bytes(gateway) - before
    print(f"cut off after {sent >> 10} KiB; {grown >> 10} KiB more memory")
    assert sent < SYSTEM_BUFFERS and grown < SYSTEM_BUFFERS
    gateway.wait_for_log('"outcome":"client_gone"|"outcome":"refused"')
    assert gateway.connect().chat("m").status == 200


def test_thousands_of_slow_clients_delay_no_one(gateway, upstream, many_files):
    alone = latencies(gateway, 300)
    slow = [connect(gateway) for _ in range(SLOW)]
    for client in slow:
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: loc")
    beside = latencies(gateway, 300)
    for client in slow:
        client.close()
    print(f"p99 {alone[-4] * 1000:.1f} ms alone, {beside[-4] * 1000:.1f} ms beside {SLOW} slow clients")
    assert beside[-4] < SLOWDOWN


def test_short_lived_clients_leave_nothing(gateway, upstream):
    open_files = f"/proc/{gateway.pid}/fd"
    gateway.connect().chat("m")
    before = len(os.listdir(open_files))

    def run():
        for number in range(COMINGS // 4):
            with connect(gateway) as client:
                if number % 2:
                    client.sendall(b"GET /healthz HTTP/1.1\r\nHost: loc")

    start = time.monotonic()
    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - start
    print(f"{COMINGS / seconds:.0f} connections a second")
    assert gateway.connect().chat("m").status == 200
    wait_until(lambda: len(os.listdir(open_files)) <= before + 4, "descriptors as before")


def test_without_descriptors_it_sheds_and_rests_and_recovers(gateway, upstream):
    limits = resource.prlimit(gateway.pid, resource.RLIMIT_NOFILE)
    open_files = len(os.listdir(f"/proc/{gateway.pid}/fd"))
    resource.prlimit(gateway.pid, resource.RLIMIT_NOFILE, (open_files + 20, limits[1]))
    clients = [connect(gateway) for _ in range(60)]
    start = (time.monotonic(), processor_seconds(gateway))
    gateway.wait_for_log("cannot accept connections on .*: Too many open files; trying again every 100 ms")
    # The load is measured over a span of time, so this sleep waits for nothing.
    time.sleep(1)
    share = (processor_seconds(gateway) - start[1]) / (time.monotonic() - start[0])
    print(f"{share * 100:.0f} % of a processor while nobody can be let in")
    assert share < 0.5
    for client in clients:
        client.close()
    resource.prlimit(gateway.pid, resource.RLIMIT_NOFILE, limits)
    assert gateway.connect().chat("m").status == 200
