"""The `headgate` command: valid input, invalid input, and exit codes."""

import hashlib
import os
import re
import socket
import stat
import subprocess

import pytest

from conftest import binary, environment
from patience import RUN_SECONDS
from preloads import preload


def headgate(folder, *arguments, **more):
    return subprocess.run(
        [binary("headgate"), *map(str, arguments)],
        capture_output=True, text=True, timeout=RUN_SECONDS, env=environment(folder, **more), stdin=subprocess.DEVNULL,
    )


def write(folder, text):
    path = folder / "headgate.yaml"
    path.write_text(text)
    return path


def test_check_accepts_the_example_configuration(tmp_path):
    example = os.path.join(os.path.dirname(__file__), "..", "..", "config", "headgate.example.yaml")
    # The files that the example names; their content is checked only at the start.
    files = {"cert.pem": "", "key.pem": "", "ca.pem": "-----BEGIN CERTIFICATE-----\n", "anthropic": "sk-a", "azure": "sk-b"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "prices.yaml").write_text('models: {"*": {input: 1, output: 2}}')
    result = headgate(
        tmp_path, "check", "--config", example, OPENAI_API_KEY="sk-x", HEADGATE_PRICES=str(tmp_path / "prices.yaml"),
        HEADGATE_TLS_CERT=str(tmp_path / "cert.pem"), HEADGATE_TLS_KEY=str(tmp_path / "key.pem"),
        HEADGATE_RESPONSES=str(tmp_path / "responses.db"),
        HEADGATE_LOG=str(tmp_path / "requests.log"), HEADGATE_CA=str(tmp_path / "ca.pem"),
        ANTHROPIC_KEY_FILE=str(tmp_path / "anthropic"), CREDENTIALS_DIRECTORY=str(tmp_path))
    # The programs that the example names are not on this machine.
    warnings = result.stderr.splitlines()
    assert result.returncode == 0 and all("'llama-server'" in line or "bin/notify'" in line for line in warnings), warnings
    end = result.stdout.splitlines()[-1]
    assert end.startswith("ok (upstreams: 9, models: 11, keys: 1), listening on 127.0.0.1:8686,")
    for secret in ("sk-x", "sk-a", "sk-b"):
        assert secret not in result.stdout


@pytest.mark.parametrize("arguments", [("--version",), ("schema", "--help"), ("check", "--config", "", "--quiet")])
def test_arguments_survive_early_environment_changes(tmp_path, arguments):
    plain = headgate(tmp_path, *arguments)
    changed = headgate(tmp_path, *arguments, LD_PRELOAD=str(preload("early_setenv", tmp_path)))
    assert (changed.returncode, changed.stdout) == (plain.returncode, plain.stdout)
    assert plain.stdout or plain.returncode != 0


def test_gateway_that_is_its_own_upstream_is_refused(tmp_path):
    variables = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:7777/v1", "HEADGATE_LISTEN": "127.0.0.1:7777"}
    result = headgate(tmp_path, "serve", **variables)
    assert result.returncode == 78
    assert "is this gateway itself: is OPENAI_BASE_URL set to it" in result.stderr
    variables = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:7777", "HEADGATE_LISTEN": "127.0.0.1:7777"}
    result = headgate(tmp_path, "serve", **variables)
    assert result.returncode == 78
    assert "is this gateway itself: is ANTHROPIC_BASE_URL set to it" in result.stderr


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("listn: 127.0.0.1:1\n", "1:1: error: .*listn.*listen"),
        ("limits: {body: many}\n", "1:16: error: "),
        ("upstreams: [\n", "error: "),
        ("upstreams:\n  a: {kind: openai, base_url: \"https://x.example/v1\", api_key: \"${NOT_SET}\"}\n", "2:.*NOT_SET"),
    ],
)
def test_bad_configuration_names_file_line_and_column(tmp_path, text, complaint):
    path = write(tmp_path, text)
    for command in ("check", "serve"):
        result = headgate(tmp_path, command, "--config", path)
        assert result.returncode == 78
        assert re.search(re.escape(str(path)) + ":.*" + complaint, result.stderr), result.stderr
        assert "listening" not in result.stdout


def test_missing_file_is_one_line(tmp_path):
    result = headgate(tmp_path, "serve", "--config", tmp_path / "none.yaml")
    assert result.returncode == 78
    assert len(result.stderr.strip().splitlines()) == 1


def test_port_in_use_gives_advice(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        path = write(tmp_path, f'listen: 127.0.0.1:{port}\nupstreams:\n  a: {{kind: openai, base_url: "http://127.0.0.1:1/v1"}}\n')
        result = headgate(tmp_path, "serve", "--config", path)
    assert result.returncode == 1
    assert "Address already in use" in result.stderr and "HEADGATE_LISTEN" in result.stderr


def test_other_machines_are_not_served_without_keys(tmp_path):
    path = write(tmp_path, 'listen: 0.0.0.0:0\nupstreams:\n  a: {kind: openai, base_url: "http://127.0.0.1:1/v1"}\n')
    result = headgate(tmp_path, "serve", "--config", path)
    assert result.returncode == 78
    assert "headgate key new" in result.stderr


def test_new_key_matches_its_configuration_line(tmp_path):
    result = headgate(tmp_path, "key", "new", "--name", "phone")
    key = result.stdout.strip()
    assert re.fullmatch(r"hg-[A-Za-z0-9_-]{43}", key)
    assert f'{{name: phone, sha256: "{hashlib.sha256(key.encode()).hexdigest()}"}}' in result.stderr
    assert headgate(tmp_path, "key", "new", "--name", "phone").stdout != result.stdout


def test_gateway_with_a_secret_creates_a_key_that_env_prints(tmp_path):
    variables = {"OPENAI_API_KEY": "sk-real", "HEADGATE_LISTEN": "127.0.0.1:7777"}
    result = headgate(tmp_path, "env", **variables)
    match = re.fullmatch(
        r"export OPENAI_BASE_URL='http://127\.0\.0\.1:7777/v1'\nexport ANTHROPIC_BASE_URL='http://127\.0\.0\.1:7777'\n"
        r"export OPENAI_API_KEY='(hg-[A-Za-z0-9_-]{43})'\nexport ANTHROPIC_API_KEY='\1'\n", result.stdout)
    assert match, result.stdout + result.stderr
    path = tmp_path / "config" / "headgate" / "key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert headgate(tmp_path, "key", "show").stdout.strip() == match[1]
    assert headgate(tmp_path, "env", **variables).stdout == result.stdout
    assert "sk-real" not in result.stdout + result.stderr


def test_own_key_is_one_word_in_a_shell(tmp_path):
    key = """it's;echo&"$HOME"`id`\\*$(id)|<>#"""
    (tmp_path / "key").write_text(key)
    variables = {"OPENAI_API_KEY": "sk-real", "HEADGATE_KEY_FILE": str(tmp_path / "key")}
    printed = headgate(tmp_path, "env", **variables).stdout
    shell = subprocess.run(
        ["sh", "-c", 'eval "$1"; printf %s "$OPENAI_API_KEY"', "sh", printed], capture_output=True, text=True, timeout=20)
    assert (shell.stdout, shell.stderr) == (key, "")


def test_keyless_gateway_needs_no_key(tmp_path):
    result = headgate(tmp_path, "env")
    assert "OPENAI_API_KEY='none-needed'" in result.stdout
    assert not (tmp_path / "config").exists()


def test_routes_and_models_are_listed(tmp_path):
    routes = headgate(tmp_path, "routes").stdout
    assert "POST   /v1/chat/completions  createChatCompletion" in routes
    path = write(tmp_path, 'upstreams:\n  a: {kind: openai, base_url: "http://127.0.0.1:1/v1"}\nmodels:\n  fast: {upstream: a, model: b}\n'
                 '  two: {targets: [{upstream: a, model: b}, {upstream: a}]}\n')
    assert headgate(tmp_path, "models", "--config", path).stdout == "fast  a as b\ntwo  a as b, a\n"


def test_unknown_subcommand_is_a_usage_error(tmp_path):
    result = headgate(tmp_path, "sreve")
    assert result.returncode == 64
    assert "sreve" in result.stderr


@pytest.mark.parametrize("arguments", [
    ("serve", "--config"), ("serve", "--listen", "--watch"), ("--watch", "everything"), ("serve", "--confg", "a.yaml")])
def test_mistake_in_serves_options_is_a_usage_error(tmp_path, arguments):
    result = headgate(tmp_path, *arguments)
    assert result.returncode == 64
    assert "Usage: headgate" in result.stderr
