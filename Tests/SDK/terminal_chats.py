"""Chats of `headgate chat` on terminals, and questions without one."""

import json
import subprocess

import pytest

from conftest import binary
from gateways import KEY, UPSTREAM_KEY, surroundings
from patience import SLOWDOWN
from terminal import Terminal
from upstreams import local_upstream  # noqa: F401  (a fixture)

RUN_SECONDS = 30 * SLOWDOWN
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def chat_environment(folder, **variables) -> dict:
    return surroundings(folder, **{"TERM": "xterm-256color", "LANG": "C.UTF-8", "HEADGATE_KEY": KEY, **variables})


def ask(folder, *arguments, text=None, **variables) -> subprocess.CompletedProcess:
    """Runs one question without a terminal; the output is bytes."""
    done = subprocess.run(
        [binary("headgate"), "chat", *map(str, arguments)], capture_output=True, timeout=RUN_SECONDS,
        input=None if text is None else text.encode(), stdin=subprocess.DEVNULL if text is None else None,
        env=chat_environment(folder, **variables))
    for output in (done.stdout, done.stderr):
        assert KEY.encode() not in output and UPSTREAM_KEY.encode() not in output
    return done


@pytest.fixture
def chats(tmp_path):
    """Opens chats on separate terminals, and ends those that are still open after the test."""
    open_chats = []

    def start(*arguments, columns=200, **variables) -> Terminal:
        command = [binary("headgate"), "chat", *arguments]
        terminal = Terminal(command, chat_environment(tmp_path, **variables), columns)
        open_chats.append(terminal)
        return terminal

    yield start
    for terminal in open_chats:
        terminal.end()
        assert KEY not in terminal.screen() and UPSTREAM_KEY not in terminal.screen()


@pytest.fixture
def own(tmp_path, local_upstream):  # noqa: F811
    """Arguments of a chat that starts its own gateway in front of an upstream that the test controls."""
    path = tmp_path / "own.yaml"
    path.write_text(
        "listen: 127.0.0.1:1\n"
        f'upstreams: {{local: {{kind: openai, base_url: "{local_upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        "models: {plain: {upstream: local}, gated: {upstream: local}, dripping: {upstream: local}}\n")
    return ["--config", path]


def messages(upstream, index=-1) -> list[dict]:
    return json.loads(upstream.requests[index][2])["messages"]
