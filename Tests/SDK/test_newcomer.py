"""The first ten minutes: a cloud provider, a second terminal, keys, a closed terminal, a taken port, LiteLLM."""

import os
import pty
import re
import select
import signal
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from child import Child
from conftest import binary
from gateways import UPSTREAM_KEY, command, gateways, surroundings
from patience import PATIENCE_SECONDS
from upstreams import TEXT, local_upstream

FILES = Path(__file__).parent / "litellm"


def listen_at(path, address: str):
    text, changes = re.subn(r"^listen: .*$", f"listen: {address}", path.read_text(), flags=re.M)
    assert changes == 1, text
    path.write_text(text)


@pytest.fixture
def newcomer(gateways, local_upstream):
    """A gateway after `init` and `serve`, and commands in a terminal without the provider's key."""

    class Newcomer:
        def __init__(self):
            provider = {"OPENAI_API_KEY": UPSTREAM_KEY, "OPENAI_BASE_URL": local_upstream.url}
            made = command(gateways.folder, "init", "--provider", "openai", HEADGATE_CONFIG=None, **provider)
            assert made.returncode == 0, made.stderr
            self.key = made.stdout.strip()
            # The gateway uses another port, because this machine can have one already.
            path = gateways.folder / "config" / "headgate" / "headgate.yaml"
            self.gateway = gateways.start(
                None, HEADGATE_CONFIG=None, HEADGATE_LISTEN="127.0.0.1:0", HEADGATE_LEDGER="memory", **provider)
            self.url = self.gateway.urls[0]
            listen_at(path, self.url.removeprefix("http://"))

        def second_terminal(self, *arguments, **variables):
            done = command(
                gateways.folder, *arguments, **{"HEADGATE_CONFIG": None, "HEADGATE_KEY": self.key, **variables})
            assert "OPENAI_API_KEY is" not in done.stderr, done.stderr
            return done

    return Newcomer()


def test_second_terminal_needs_no_key_of_the_provider(newcomer):
    for arguments in [
            ("health",), ("models",), ("usage",), ("prices",), ("explain", "--model", "gpt-5"),
            ("chat", "--model", "gpt-5", "Hello"), ("run", "--", "true")]:
        done = newcomer.second_terminal(*arguments)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    shown = newcomer.second_terminal("env").stdout
    assert f"export OPENAI_BASE_URL='{newcomer.url}/v1'" in shown and f"export OPENAI_API_KEY='{newcomer.key}'" in shown
    assert TEXT in newcomer.second_terminal("chat", "--model", "gpt-5", "Hello").stdout
    examined = newcomer.second_terminal("doctor", "--model", "gpt-5")
    assert examined.returncode in (0, 1) and examined.stdout, examined.stderr


def test_another_user_needs_only_the_address_and_a_key(newcomer, tmp_path):
    stranger = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "none"), "HEADGATE_URL": newcomer.url}
    for arguments in [("health",), ("models",), ("env",), ("usage",), ("chat", "--model", "gpt-5", "Hello")]:
        done = newcomer.second_terminal(*arguments, **stranger)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    named = newcomer.second_terminal("env", "--url", newcomer.url, **{**stranger, "HEADGATE_URL": None})
    assert f"export ANTHROPIC_API_KEY='{newcomer.key}'" in named.stdout


def test_each_app_is_set_up_and_back_with_one_command(newcomer, gateways):
    """Types no address and no key. Names a model, because the upstream lists none."""
    home = gateways.folder
    told = newcomer.second_terminal("setup", "codex", HEADGATE_KEY=None)
    assert told.returncode == 1 and "choose one with --model NAME" in told.stderr, told.stderr

    def files():
        return {path: path.read_bytes() for path in home.rglob("*") if path.is_file() and path.parts[-1] != "headgate.log"}

    for app in ("codex", "claude-code", "opencode", "aider", "continue", "zed", "vscode", "llm", "raycast"):
        before = files()
        written = newcomer.second_terminal("setup", app, "--model", "gpt-5", "--write", HEADGATE_KEY=None)
        assert written.returncode == 0, (app, written.stdout, written.stderr)
        made = files().keys() - before.keys()
        assert made and newcomer.url in written.stdout, (app, written.stdout)
        assert newcomer.key not in written.stdout + written.stderr
        undone = newcomer.second_terminal("setup", app, "--undo", HEADGATE_KEY=None)
        assert undone.returncode == 0 and files() == before, (app, undone.stdout, undone.stderr)
    for app in ("cline", "cursor", "open-webui", "obsidian"):
        shown = newcomer.second_terminal("setup", app, "--model", "gpt-5", HEADGATE_KEY=None)
        assert newcomer.url in shown.stdout and "headgate key show" in shown.stdout, (app, shown.stdout, shown.stderr)


def test_own_gateway_still_names_the_missing_variable(gateways):
    made = command(gateways.folder, "init", "--provider", "openai", HEADGATE_CONFIG=None, OPENAI_API_KEY=UPSTREAM_KEY)
    assert made.returncode == 0, made.stderr
    path = gateways.folder / "config" / "headgate" / "headgate.yaml"
    listen_at(path, "127.0.0.1:1")
    done = command(gateways.folder, "chat", "--model", "gpt-5", "Hello", HEADGATE_CONFIG=None)
    assert done.returncode == 78 and "OPENAI_API_KEY" in done.stderr, done.stderr


class SmallTerminal:
    """A gateway on a terminal that no other process has open, so that closing the terminal takes effect."""

    def __init__(self, gateways, *prefix):
        command = [*map(str, prefix), str(binary("headgate")), "serve", "--listen", "0"]
        self.pid, self._descriptor = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, surroundings(gateways.folder, OLLAMA_HOST="127.0.0.1:1"))
        self._shown = b""
        self.expect("ready")

    def expect(self, text: str):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text.encode() not in self._shown:
            readable, _, _ = select.select([self._descriptor], [], [], max(0, deadline - time.monotonic()))
            assert readable, self._shown
            self._shown += os.read(self._descriptor, 65536)

    def close(self):
        os.close(self._descriptor)

    def ends(self, seconds: float = PATIENCE_SECONDS) -> bool:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if os.waitpid(self.pid, os.WNOHANG)[0] == self.pid:
                return True
            time.sleep(0.01)
        return False


def test_closed_terminal_ends_the_gateway(gateways):
    terminal = SmallTerminal(gateways)
    terminal.close()
    assert terminal.ends()


def test_hang_up_of_an_open_terminal_reloads(gateways):
    terminal = SmallTerminal(gateways)
    os.kill(terminal.pid, signal.SIGHUP)
    terminal.expect("reloaded")
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.ends()


def test_hang_up_that_was_ignored_at_the_start_only_reloads(gateways):
    ignoring = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    terminal = SmallTerminal(gateways, sys.executable, "-c", ignoring)
    os.kill(terminal.pid, signal.SIGHUP)
    terminal.expect("reloaded")
    terminal.close()
    assert not terminal.ends(1)
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.ends()


def test_port_in_use_names_its_gateway(newcomer, gateways):
    port = newcomer.url.rpartition(":")[2]
    done = command(gateways.folder, "serve", "--listen", port, OLLAMA_HOST="127.0.0.1:1")
    assert done.returncode != 0
    assert f"headgate runs there already (pid {newcomer.gateway.pid})" in done.stderr, done.stderr
    assert f"kill {newcomer.gateway.pid}" in done.stderr and newcomer.url in done.stderr


@pytest.mark.parametrize("address", ["0", ":0", "127.0.0.1:0", "localhost:0"])
def test_serve_listens_on_the_given_address(gateways, address):
    child = Child(
        [binary("headgate"), "serve", "--listen", address], gateways.folder / "listening.log",
        surroundings(gateways.folder, OLLAMA_HOST="127.0.0.1:1"))
    try:
        assert child.wait_for_line(r"listening on http://(127\.0\.0\.1|localhost|\[::1\]):\d+")
    finally:
        assert child.stop() == 0


def test_invalid_address_is_refused_with_its_option(gateways):
    done = command(gateways.folder, "serve", "--listen", "example.com:80")
    assert done.returncode == 78 and re.search("--listen: expected an IP address or localhost", done.stderr), done.stderr


def status(url: str, key: str) -> int:
    request = urllib.request.Request(f"{url}/v1/models", headers={"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_key_for_a_friend_works_at_once_until_it_is_revoked(newcomer):
    made = newcomer.second_terminal("key", "add", "alice")
    assert made.returncode == 0, made.stderr
    key = made.stdout.strip()
    assert status(newcomer.url, key) == 200
    taken = newcomer.second_terminal("key", "revoke", "alice")
    assert taken.returncode == 0, taken.stderr
    # The documents promise one second.
    end = time.monotonic() + PATIENCE_SECONDS
    while (found := status(newcomer.url, key)) == 200 and time.monotonic() < end:
        time.sleep(0.05)
    assert found == 401
    # The key that `init` made remains, so the gateway still requires one.
    refused = newcomer.second_terminal("key", "off")
    assert refused.returncode == 1 and "the configuration has keys" in refused.stderr, refused.stderr


@pytest.mark.parametrize("name", ["team", "home", "production"])
def test_litellm_configuration_serves_its_existing_clients(gateways, name):
    variables = {"LITELLM_MASTER_KEY": "sk-of-all-clients-0123456789"}
    text = command(gateways.folder, "import", "litellm", FILES / f"{name}.yaml", **variables).stdout
    text = re.sub("^listen: .*$", "listen: 127.0.0.1:0", text, flags=re.M)
    for variable in re.findall(r"\$\{(\w+)", text):
        variables[variable] = "https://x.openai.azure.com"
    gateway = gateways.start(text, **variables)
    keys = {"team": variables["LITELLM_MASTER_KEY"], "home": "sk-1234-master-in-the-clear"}
    key = keys.get(name) or command(gateways.folder, "key", "show").stdout.strip()
    assert status(gateway.urls[0], key) == 200 and status(gateway.urls[0], "sk-another") == 401
    assert "\n  - name: master " in text if name in keys else "\nkeys:" not in text
