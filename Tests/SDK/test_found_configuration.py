"""A configuration file that every command finds automatically in the same way."""

import os
import re
import subprocess

import pytest

from conftest import binary
from connections import whole_text
from gateways import KEY, command, foreign_user, gateways, key_line, needs_root, surroundings
from patience import RUN_SECONDS
from upstreams import TEXT, local_upstream


@pytest.fixture
def found(gateways, local_upstream):
    """The path of the user's own file; a command without HEADGATE_CONFIG finds it."""
    path = gateways.folder / "config" / "headgate" / "headgate.yaml"
    path.parent.mkdir(parents=True)
    path.parent.chmod(0o755)
    path.parent.parent.chmod(0o755)

    def write(more: str = ""):
        path.write_text(
            f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{local_upstream.url}"}}}}\n'
            f"models: {{found: {{upstream: up}}}}\nkeys: [{key_line()}]\n{more}")
        path.chmod(0o644)

    write()
    write.path = path
    return write


def run(folder, *arguments, **variables):
    return command(folder, *arguments, HEADGATE_CONFIG=None, **variables)


def test_every_command_finds_the_same_file(gateways, found):
    gateway = gateways.start(None, HEADGATE_CONFIG=None)
    gateway.wait_for_log(f"^  configuration: {re.escape(str(found.path))}, found automatically$")
    with gateway.connect(key=KEY) as client:
        assert whole_text(client.chat("found", stream=True)) == TEXT
    checked = run(gateways.folder, "check")
    assert checked.returncode == 0 and f"{found.path}, found automatically" in checked.stderr
    assert f"{found.path}:3" in checked.stdout
    assert "found" in run(gateways.folder, "models").stdout
    other = gateways.start(found.path.read_text(), "other")
    reloaded = run(gateways.folder, "reload")
    assert reloaded.returncode == 0 and f"process {gateway.pid} " in reloaded.stdout, reloaded.stderr
    other.wait_for_log(f"configuration: {re.escape(str(other.path))}$")


def test_file_in_the_working_directory_is_not_read(gateways, found, tmp_path):
    found.path.unlink()
    (tmp_path / "headgate.yaml").write_text("models: wrong\n")
    assert run(gateways.folder, "check").returncode == 0
    result = subprocess.run(
        [binary("headgate"), "check"], cwd=tmp_path, capture_output=True, text=True, timeout=RUN_SECONDS,
        env=surroundings(gateways.folder, HEADGATE_CONFIG=None))
    assert result.returncode == 0, result.stderr


def test_variable_and_option_precede_the_search(gateways, found, tmp_path):
    named = tmp_path / "named.yaml"
    named.write_text(found.path.read_text().replace("found:", "named:"))
    assert "named" in command(gateways.folder, "models", HEADGATE_CONFIG=str(named)).stdout
    assert "named" in run(gateways.folder, "models", "--config", named).stdout
    assert "smollm2" in command(gateways.folder, "models", HEADGATE_CONFIG="").stdout


@pytest.mark.parametrize("arguments", [["check"], ["serve"], ["models"], ["env"], ["health"]])
def test_file_writable_by_others_is_refused_by_every_command(gateways, found, arguments):
    found.path.chmod(0o666)
    result = run(gateways.folder, *arguments)
    assert result.returncode == 78, result.stderr
    assert f"{found.path} is the configuration that was found, and is not to be trusted: others may write to the file (mode 666)" in result.stderr
    assert "--config or HEADGATE_CONFIG" in result.stderr


@needs_root
def test_unreadable_file_is_reported_and_not_skipped(gateways, found):
    found.path.chmod(0o600)
    for folder in (gateways.folder, found.path.parent.parent, found.path.parent):
        os.chmod(folder, 0o755)
    result = subprocess.run(
        foreign_user(binary("headgate"), "check"), capture_output=True, text=True, timeout=RUN_SECONDS,
        env=surroundings(gateways.folder, HEADGATE_CONFIG=None), stdin=subprocess.DEVNULL)
    assert result.returncode == 78 and f"{found.path}" in result.stderr and "cannot be read (Permission denied)" in result.stderr


def test_file_with_a_mistake_is_reported_with_its_place(gateways, found):
    found("kees: []\n")
    result = run(gateways.folder, "check")
    assert result.returncode == 78 and f"{found.path}:5:1: error: " in result.stderr
