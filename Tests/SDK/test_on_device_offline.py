"""The real model on this device takes over if the machine loses its network."""

import os
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from connections import Stream, text_of, whole_text
from gateways import KEY, short_folder
from network_namespaces import needs_namespaces
from test_offline import Network, expect_remote
from test_on_device import FIRST_START_SECONDS, start

# The model uses every processor.
pytestmark = [pytest.mark.serial, needs_namespaces]

# The promise is one second to the first word, on an idle machine.
TAKEOVER_SECONDS = 10
DATA = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")


def first_word(stream: Stream) -> str:
    while (data := stream.next()) is not None:
        if data != "[DONE]" and (text := text_of(data)):
            return text
    raise AssertionError("the model said nothing")


def test_on_device_model_takes_over_without_a_network(tmp_path, monkeypatch):
    # The first start on a machine downloads the model, which needs a network.
    start(tmp_path, monkeypatch)[0].stop()
    monkeypatch.setattr("child.READY_SECONDS", FIRST_START_SECONDS)
    with short_folder() as folder, ExitStack() as stack:
        network = Network(Path(folder), stack, "{kind: on-device}", XDG_DATA_HOME=DATA)
        with network.gateway.connect(key=KEY) as client:
            asked = time.monotonic()
            stream = client.stream("chat")
            word = first_word(stream)
            seconds = time.monotonic() - asked
            assert stream.response.headers["x-headgate-degraded"] == "offline"
            assert stream.rest()[-1] == "[DONE]" and word
        assert seconds < TAKEOVER_SECONDS
        print(f"the model of the device had its first word after {seconds * 1000:.0f} ms")
        network.cable.plug_in()
        plugged_in = time.monotonic()
        asked = plugged_in
        while (answer := network.ask()[0]).headers["x-headgate-degraded"] == "offline":
            # Only the time at which a request starts counts, because the model can generate for long.
            assert asked - plugged_in < TAKEOVER_SECONDS
            assert whole_text(answer)
            asked = time.monotonic()
        expect_remote(answer)
        print(f"the remote target was asked {asked - plugged_in:.2f} s after its route came back")
