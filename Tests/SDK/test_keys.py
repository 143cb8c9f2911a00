"""Client keys: their forms in a configuration, and invalid ones."""

import hashlib
import http.client
import os
import re
import socket
import subprocess

import pytest

from gateways import KEY as SERVED, KEYS, command, gateways
from upstreams import local_upstream

NOTHING = hashlib.sha256(b"").hexdigest()
KEY = "hg-" + "k" * 30


def served(tmp_path, text: str, name="serve", **variables) -> subprocess.CompletedProcess:
    """Runs a command that is expected to fail at once."""
    path = tmp_path / "headgate.yaml"
    path.write_text("listen: 127.0.0.1:0\n" + text)
    return command(tmp_path, name, "--config", path, **variables)


def test_the_advised_command_makes_a_digest_of_a_key_and_none_of_nothing(tmp_path):
    advice = served(tmp_path, "keys: [{name: laptop}]\n", "check").stderr
    advised = re.search(r"the SHA-256 of the key: (.*)", advice)[1]
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    for variables, printed in [({"KEY": KEY}, f"{digest}  -\n"), ({}, ""), ({"KEY": ""}, "")]:
        environment = {"PATH": os.environ["PATH"], **variables}
        for shell in ("sh", "bash"):
            run = subprocess.run([shell, "-c", advised], env=environment, capture_output=True, text=True, timeout=10)
            assert run.stdout == printed
            assert (run.returncode == 0) == bool(printed)


@pytest.mark.parametrize("name", ["check", "serve"])
def test_the_digest_of_an_empty_text_is_not_a_key(tmp_path, name):
    result = served(tmp_path, f"keys: [{{name: laptop, sha256: {NOTHING.upper()}}}]\n", name)
    assert result.returncode == 78
    assert ":2:31: error: sha256: this is the SHA-256 of an empty text" in result.stderr
    assert "headgate key new" in result.stderr


@pytest.mark.parametrize(("content", "reason"), [
    (KEY + "x" * 300, "is longer than a key"), ("x" * 257 + "\n", "is longer than a key"),
    (f"{KEY}\n{KEY}\n", "holds more than one line"), (f"{KEY}\n\n", "holds more than one line"),
    (f"{KEY} x\n", "holds a space"), (f" {KEY}\n", "holds a space"), ("short\n", "holds no key"), ("", "holds no key"),
    (f"{KEY}é\n", "holds a space or another character"),
])
def test_a_key_file_has_one_key_on_one_line(tmp_path, content, reason):
    path = tmp_path / "key"
    path.write_text(content)
    for name in ("serve", "key"):
        if name == "serve":
            result = served(tmp_path, "", HEADGATE_KEY_FILE=str(path))
        else:
            result = command(tmp_path, "key", "show", HEADGATE_KEY_FILE=str(path))
        assert result.returncode == 78
        assert f"{path} {reason}" in result.stderr and KEY not in result.stdout + result.stderr


@pytest.mark.parametrize("key", [KEY, "x" * 256, "x" * 20])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_key_file_can_end_its_line(tmp_path, key, end):
    path = tmp_path / "key"
    path.write_text(key + end, newline="")
    result = command(tmp_path, "key", "show", HEADGATE_KEY_FILE=str(path))
    assert (result.returncode, result.stdout) == (0, key + "\n"), result.stderr


def own_address() -> str | None:
    """Returns a non-loopback address of this machine: the source address of packets to elsewhere. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("198.51.100.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


def test_wrong_keys_of_another_address_are_slowed_and_right_ones_served(gateways, local_upstream):
    address = own_address()
    if not address or address.startswith("127."):
        pytest.skip("this machine has no address but its loopback's")
    gateway = gateways.start(
        'listen: "0.0.0.0:0"\n'
        f'upstreams: {{up: {{kind: openai, base_url: "{local_upstream.url}"}}}}\n' + KEYS)
    port = int(gateway.urls[0].rsplit(":", 1)[1])

    def ask(host: str, key: str):
        connection = http.client.HTTPConnection(host, port, timeout=10)
        try:
            connection.request("GET", "/v1/models", headers={"Authorization": f"Bearer {key}"})
            response = connection.getresponse()
            response.read()
            return response.status, response.headers
        finally:
            connection.close()

    # The limit counts connections on all loops together.
    assert [ask(address, f"hg-wrong-{number}")[0] for number in range(12)] == [401] * 10 + [429] * 2
    headers = ask(address, "hg-wrong")[1]
    assert 1 <= int(headers["Retry-After"]) <= 60 and headers["X-Should-Retry"] == "false"
    assert ask(address, SERVED)[0] == 200
    assert [ask("127.0.0.1", "hg-wrong")[0] for _ in range(12)] == [401] * 12
