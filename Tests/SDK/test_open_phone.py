"""`headgate open --phone`: a QR code that gives one phone one key."""

import json
import re
import socket
import urllib.error
import urllib.request

import pytest
from pyzbar import pyzbar

from gateways import KEY, command, gateways, key_line
from upstreams import local_upstream


def read(text: str) -> str:
    """Returns the text of the QR code on a terminal."""
    rows = []
    for line in text.splitlines():
        if not set(line) <= set("█▀▄ ") or not line:
            continue
        rows += [[character in "█▀" for character in line], [character in "█▄" for character in line]]
    scale = 4
    pixels = b"".join(b"".join((b"\0" if dark else b"\xff") * scale for dark in row) * scale for row in rows)
    [code] = pyzbar.decode((pixels, len(rows[0]) * scale, len(rows) * scale))
    return code.data.decode()


ADMIN = key_line().replace("}", ", admin: true}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        return probe.getsockname()[1]


def configuration(upstream, listen: str, more: str = "") -> str:
    return (f'listen: [{listen}]\nupstreams: {{up: {{kind: openai, base_url: "{upstream.url}"}}}}\n'
            f'models: {{"*": {{upstream: up}}}}\nkeys: [{ADMIN}]\n{more}')  # fmt: skip


def post(url: str):
    return urllib.request.urlopen(urllib.request.Request(url, b"", method="POST"), timeout=20)


def test_code_gives_one_phone_one_key(gateways, local_upstream):
    port = free_port()
    gateway = gateways.start(configuration(local_upstream, f'"0.0.0.0:{port}"'))
    options = ["--config", gateway.path, "--budget", "usd=2/day", "--expires", "1h"]
    result = command(gateways.folder, "open", "--phone", *options, HEADGATE_KEY=KEY)
    assert result.returncode == 0, result.stderr
    address = read(result.stdout)
    assert address in result.stdout and KEY not in result.stdout + result.stderr
    # The address has no TLS, so the command prints a warning.
    assert "Warning: this is plain HTTP." in result.stderr
    host, code = re.fullmatch(r"http://([\d.]+):%d/#pair=([\w-]{22})" % port, address).groups()
    assert not host.startswith("127.")
    with post(f"http://{host}:{port}/v1/pairings/{code}") as response:
        key = json.load(response)
    assert key["name"].startswith("phone-") and not key["admin"] and key["expires"]
    assert key["budget"] == {"usd": "2", "every": "day"}
    fields = {"Authorization": f"Bearer {key['key']}"}
    request = urllib.request.Request(f"http://{host}:{port}/v1/models", headers=fields)
    assert urllib.request.urlopen(request, timeout=20).status == 200
    with pytest.raises(urllib.error.HTTPError) as again:
        post(f"http://{host}:{port}/v1/pairings/{code}")
    assert again.value.code == 404


@pytest.mark.parametrize("length", [20, 90, 150, 240])
def test_long_addresses_are_read(gateways, local_upstream, length):
    name = ".".join("a" * min(60, length - start) for start in range(0, length, 60))
    gateway = gateways.start(configuration(local_upstream, "127.0.0.1:0", f"public_url: https://{name}\n"))
    options = ["--url", gateway.urls[0], "--config", gateway.path]
    result = command(gateways.folder, "open", "--phone", *options, HEADGATE_KEY=KEY)
    assert result.returncode == 0, result.stderr
    assert read(result.stdout).startswith(f"https://{name}/#pair=")
    assert "plain HTTP" not in result.stderr


def test_loopback_gateway_gives_advice(gateways, local_upstream):
    port = free_port()
    gateway = gateways.start(configuration(local_upstream, f"127.0.0.1:{port}"))
    result = command(gateways.folder, "open", "--phone", "--config", gateway.path, HEADGATE_KEY=KEY)
    assert result.returncode == 1 and result.stdout == ""
    assert "listens on this machine only" in result.stderr and "address: 0.0.0.0:" in result.stderr
    assert "tls: {cert:" in result.stderr


def test_key_of_no_admin_is_refused(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, f'"0.0.0.0:{free_port()}"'))
    result = command(gateways.folder, "open", "--phone", "--config", gateway.path, HEADGATE_KEY="hg-" + "x" * 40)
    assert result.returncode == 1 and result.stdout == ""
    assert "API key" in result.stderr
