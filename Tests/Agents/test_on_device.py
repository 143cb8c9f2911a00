"""The agents and the model on this device, which `make agents` downloads if it is missing."""

import os
from pathlib import Path

import pytest

from agents import AGENTS
from gateways import KEY, KEYS, Gateways, short_folder

FIRST_START_SECONDS = 300
# A small model does not always stop, and has neither tools nor room for their descriptions.
CONFIGURATION = (
    "listen: 127.0.0.1:0\nupstreams:\n  device: {kind: on-device}\nmodels:\n"
    "  small:\n    upstream: device\n    model: smollm2\n    parameters:\n"
    "      strip: [tools, tool_choice, parallel_tool_calls]\n"
    '      overrides: {temperature: 0, stop: [".", "\\n"]}\n' + KEYS)


@pytest.fixture(scope="module")
def gateway():
    with short_folder() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("child.READY_SECONDS", FIRST_START_SECONDS)
        gateways = Gateways(Path(folder))
        # The model is stored in the user's own data folder, so that it is downloaded only once.
        data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        yield gateways.start(CONFIGURATION, XDG_DATA_HOME=data, **pip)
        gateways.end()


@pytest.mark.parametrize("kind", AGENTS, ids=lambda kind: kind.name)
def test_agent_gets_an_answer(gateway, kind):
    with short_folder() as folder:
        run = kind(gateway.urls[0], KEY, Path(folder), "small").run("Describe a river.", brief=True)
    whole = f"{run}\n--- gateway\n{gateway.output()}"
    assert run.code == 0, whole
    assert len(run.output.split()) > 1, whole
