"""Completion in shells, with the scripts that the command prints."""

import os
import socket
import subprocess
import time

import pytest

from conftest import binary, environment
from gateways import KEY, UPSTREAM_KEY, gateways  # noqa: F401  (a fixture)
from listing_upstreams import discovering, listing  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS, RUN_SECONDS

# Calls the completion function the way readline does.
DRIVER = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
"$(complete -p headgate | sed -E 's/.* -F ([^ ]+) .*/\\1/')" headgate "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script():
    def script(shell: str) -> str:
        return subprocess.run(
            [binary("headgate"), "--generate-completion-script", shell], capture_output=True, text=True, check=True,
            timeout=RUN_SECONDS).stdout

    return script


@pytest.fixture
def complete(tmp_path, script):
    """Completes a line with Bash, in the folder of the test."""
    path = tmp_path / "headgate.bash"
    path.write_text(script("bash"))

    def complete(*words: str, **variables) -> list:
        surroundings = environment(tmp_path, **variables)
        surroundings["PATH"] = f"{binary('headgate').parent}:{os.environ['PATH']}"
        result = subprocess.run(
            ["bash", "--norc", "-c", DRIVER, "bash", path, "headgate", *words], capture_output=True, text=True,
            timeout=RUN_SECONDS, env=surroundings, cwd=tmp_path)
        assert result.stderr == "", result.stderr
        return sorted(word.strip() for word in result.stdout.split("\n") if word.strip())

    return complete


def test_commands_complete(complete):
    assert "check" in complete("ch")
    assert complete("doc") == ["doctor"]
    assert complete("key", "") and {"new", "show"} <= set(complete("key", ""))
    assert {"run", "doctor", "serve", "env"} <= set(complete(""))


def test_options_complete(complete):
    assert complete("doctor", "--js") == ["--json"]
    assert {"--keep", "--quiet", "--config"} <= set(complete("run", "--"))
    assert "--companion" not in complete("serve", "--")


def test_configuration_completes_to_yaml_files(complete, tmp_path):
    for name in ("headgate.yaml", "other.yml", "notes.txt"):
        (tmp_path / name).write_text("")
    assert complete("serve", "--config", "") == ["headgate.yaml", "other.yml"]


def test_configured_models_are_completed(complete, tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text(
        'upstreams:\n  a: {kind: openai, base_url: "http://127.0.0.1:1/v1"}\n'
        "models:\n  fast: {upstream: a}\n  far: {upstream: a}\n  slow: {upstream: a}\n  'gpt-*': {upstream: a}\n")
    assert complete("doctor", "--model", "fa", HEADGATE_CONFIG=str(path)) == ["far", "fast"]
    assert complete("doctor", "--config", str(path), "--model", "") == ["far", "fast", "slow"]
    # An invalid file yields no completions and no message.
    path.write_text("listn: 1\n")
    assert complete("doctor", "--model", "", HEADGATE_CONFIG=str(path)) == []


def test_models_that_a_running_gateway_lists_complete_too(complete, gateways, listing):  # noqa: F811
    upstream = listing("gpt-x", "gpt-y", key=UPSTREAM_KEY)
    gateway = gateways.start(discovering(upstream))
    known = {"HEADGATE_KEY": KEY, "UPSTREAM_KEY": UPSTREAM_KEY}
    assert complete("doctor", "--config", str(gateway.path), "--model", "", **known) == ["gpt-fast"]
    named = ["doctor", "--url", gateway.urls[0], "--model"]
    assert complete(*named, "gpt-", **known) == ["gpt-fast", "gpt-x", "gpt-y"]
    # Without the key, or without the gateway, nothing is printed.
    assert complete(*named, "gpt-") == []
    gateway.stop()
    assert complete(*named, "gpt-", **known) == []


def test_completion_never_blocks(complete, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        path = tmp_path / "headgate.yaml"
        path.write_text(
            f"listen: 127.0.0.1:{silent.getsockname()[1]}\n"
            'upstreams: {up: {kind: openai, base_url: "http://127.0.0.1:1/v1"}}\nmodels: {fast: {upstream: up}}\n')
        began = time.monotonic()
        assert complete("doctor", "--config", str(path), "--model", "") == ["fast"]
        assert time.monotonic() - began < PATIENCE_SECONDS


def test_program_and_its_files_complete(complete, tmp_path):
    (tmp_path / "my_app.py").write_text("")
    assert "printenv" in complete("run", "printen")
    assert "printenv" in complete("run", "--keep", "HOME", "--", "printen")
    assert complete("run", "python3", "my_") == ["my_app.py"]
    assert complete("run", "--keep", "XDG_CONFIG_H") == ["XDG_CONFIG_HOME"]


@pytest.mark.parametrize("shell, check", [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
def test_script_is_well_formed(script, tmp_path, shell, check):
    path = tmp_path / "script"
    path.write_text(script(shell))
    result = subprocess.run([shell, check, path], capture_output=True, text=True, timeout=RUN_SECONDS)
    assert (result.returncode, result.stderr) == (0, "")


def test_fish_completes(script, tmp_path):
    path = tmp_path / "headgate.fish"
    path.write_text(script("fish"))
    surroundings = environment(tmp_path)
    surroundings["PATH"] = f"{binary('headgate').parent}:{os.environ['PATH']}"
    result = subprocess.run(
        ["fish", "--no-config", "-c", f"source {path}; complete -C 'headgate doc'"], capture_output=True, text=True,
        timeout=RUN_SECONDS, env=surroundings, cwd=tmp_path)
    assert result.stdout.split("\t")[0] == "doctor", result.stderr
