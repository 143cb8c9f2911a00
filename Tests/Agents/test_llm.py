"""llm, unchanged: `headgate setup llm --write` is all that it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from dialects.answers import text
from gateways import KEY, KEYS, Gateways, binary, short_folder
from scripted import ScriptedModel

_PATH = "/usr/local/bin:/usr/bin:/bin"
RUN_SECONDS = 60


@pytest.fixture
def folder():
    with short_folder() as path:
        yield Path(path)


@pytest.fixture
def model():
    model = ScriptedModel("chat")
    model.play = lambda turns: text("never asked with tools")
    yield model
    model.close()


@pytest.fixture
def gateway(folder, model):
    gateways = Gateways(folder)
    upstream = f'{{kind: openai, speaks: [chat], base_url: "{model.url}", api_key: "${{UPSTREAM_KEY}}"}}'
    yield gateways.start(
        f"listen: 127.0.0.1:0\nupstreams:\n  scripted: {upstream}\nmodels:\n  scripted: {{upstream: scripted, model: upstream-model}}\n{KEYS}")
    gateways.end()


def run(home: Path, *command, **variables) -> subprocess.CompletedProcess:
    return subprocess.run(
        list(map(str, command)), env={"PATH": _PATH, "HOME": str(home), **variables}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=RUN_SECONDS)


def test_headgate_setup_suffices_for_llm(folder, gateway):
    home = folder / "home"
    home.mkdir()
    setup = (binary("headgate"), "setup", "llm", "--url", gateway.urls[0])
    written = run(home, *setup, "--write", HEADGATE_KEY=KEY)
    assert written.returncode == 0, written.stderr
    llm = Path(sys.executable).with_name("llm")
    # The scripted model's reply to a request without tools.
    for name in ("headgate", "headgate/scripted"):
        answer = run(home, llm, "-m", name, "Say hello.")
        assert answer.returncode == 0 and answer.stdout == "A task\n", f"{answer}\n{gateway.output()}"
    undone = run(home, *setup, "--undo", HEADGATE_KEY=KEY)
    assert undone.returncode == 0 and "headgate" not in run(home, llm, "models").stdout, undone.stderr
