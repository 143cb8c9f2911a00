"""The Swift client example, built as in an app, against a gateway and real sockets."""

import json
import os
import subprocess

import pytest

import swift_examples
from child import Child
from conftest import REPOSITORY, binary, environment
from gateways import KEY, KEYS, gateways  # noqa: F401  (a fixture)
from test_on_device import running  # noqa: F401  (a fixture)

pytestmark = pytest.mark.builds

EXAMPLE = REPOSITORY / "Examples" / "chat"
CHAT_SECONDS = 120

CALL_ARGUMENTS = ['{"ci', 'ty":"Ham', 'burg"}']
RESULT = "18 degrees and cloudy in Hamburg"


@pytest.fixture(scope="session")
def chats():
    """Builds the example in each language mode, as in an app, together with the documents' Swift code."""
    return swift_examples.build()


@pytest.fixture
def chat(chats):
    return chats["Swift6"]


def talk(chat, folder, base_url, *lines, model="m", arguments=(), key=KEY) -> list[str]:
    """Returns the chat's output for these lines of input."""
    surroundings = environment(folder, OPENAI_BASE_URL=f"{base_url}/v1", OPENAI_API_KEY=key)
    done = subprocess.run(
        [chat, model, *arguments], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
        timeout=CHAT_SECONDS, env=surroundings)
    assert done.returncode == 0, done.stderr
    assert key not in done.stdout + done.stderr
    return done.stdout.splitlines()


def event(delta: dict, finish_reason=None) -> dict:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return {"text": f"data: {json.dumps(chunk)}\n\n"}


def response(*events: dict, end: str = "clean") -> dict:
    return {"headers": {"Content-Type": "text/event-stream"}, "chunks": list(events), "end": end}


DONE = {"text": "data: [DONE]\n\n"}


def words(*texts: str) -> dict:
    return response(*(event({"content": text}) for text in texts), event({}, "stop"), DONE)


@pytest.fixture
def scripted(gateways, tmp_path):  # noqa: F811
    """Starts a gateway in front of an upstream with these exchanges."""
    upstreams = []

    def start(*exchanges: tuple[list[str], dict]):
        path = tmp_path / "script.json"
        listed = [{"expect": {"body_contains": parts}, "response": answer} for parts, answer in exchanges]
        path.write_text(json.dumps({"repeat": True, "exchanges": listed}))
        command = [binary("headgate-upstream"), "--listen", "127.0.0.1:0", "--script", path]
        upstream = Child(command, tmp_path / "upstream.log", environment(tmp_path))
        upstreams.append(upstream)
        address = upstream.wait_for_line(r"listening on (127\.0\.0\.1:\d+)")[1]
        return gateways.start(
            "listen: 127.0.0.1:0\n"
            f'upstreams: {{scripted: {{kind: openai, base_url: "http://{address}/v1", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
            f"models: {{m: {{upstream: scripted, model: m}}}}\n{KEYS}").urls[0]

    yield start
    for upstream in upstreams:
        upstream.stop()


@pytest.mark.parametrize("mode", swift_examples.MODES)
def test_conversation_streams_and_continues(chats, scripted, tmp_path, mode):
    url = scripted((["Two.", "One."], words("sec", "ond")), (["One."], words("fi", "rst")))
    output = talk(chats[mode], tmp_path, url, "One.", "Two.", "/history")
    assert output == ["first", "second", "user: One.", "assistant: first", "user: Two.", "assistant: second"]


def test_cancelled_at_the_third_delta_the_partial_answer_stays_in_the_conversation(chat, scripted, tmp_path):
    # The upstream would send a fourth piece, and then wait for ever.
    endless = response(*(event({"content": text}) for text in ("a", "b", "c", "d")), end="stall")
    url = scripted((['"abc"', "Go on."], words("done")), (["Begin."], endless))
    output = talk(chat, tmp_path, url, "/first 3 Begin.", "/history", "Go on.")
    assert output == ["abc", "user: Begin.", "assistant (partial): abc", "done"]


def test_tool_call_and_result_make_the_round_trip(chat, scripted, tmp_path):
    call = {"index": 0, "id": "t1", "type": "function", "function": {"name": "weather", "arguments": ""}}
    fragments = [{"index": 0, "function": {"arguments": text}} for text in CALL_ARGUMENTS]
    asking = response(
        event({"role": "assistant", "content": None, "tool_calls": [call]}),
        *(event({"tool_calls": [fragment]}) for fragment in fragments), event({}, "tool_calls"), DONE)
    url = scripted((['"tool_call_id":"t1"', RESULT], words("It is ", "mild.")), (['"name":"weather"'], asking))
    output = talk(chat, tmp_path, url, "How is the weather in Hamburg?", "/history", arguments=["--tools"])
    assert output == [
        "It is mild.", "user: How is the weather in Hamburg?", "assistant: ", f"tool: {RESULT}", "assistant: It is mild."]


def test_broken_stream_and_wrong_key_are_reported(chat, scripted, tmp_path):
    url = scripted(([], response(event({"content": "par"}), end="cut")))
    output = talk(chat, tmp_path, url, "Hi.", "/history")
    assert output[0].startswith("par[")
    assert output[1:] == ["user: Hi.", "assistant (partial): par"]
    refused = talk(chat, tmp_path, url, "Hi.", "/history", key="hg-wrong")
    assert len(refused) == 1 and "status 401" in refused[0]


def test_real_model_streams_is_cancelled_and_continues(chat, running, tmp_path):  # noqa: F811
    url = running[1]
    output = talk(
        chat, tmp_path, url, "/first 3 Count from one to one hundred in words.", "/history", "Say hello.", "/history",
        model="smollm2")
    history = [index for index, line in enumerate(output) if line.startswith("user: Count")]
    partial = "\n".join(output[:history[0]])
    assert partial.strip()
    kept = "\n".join(output[history[0] + 1:]).removeprefix("assistant (partial): ")
    assert kept.startswith(partial)
    second = output[history[1]:]
    assert sum(line.startswith("assistant (partial): ") for line in second) == 1
    assert "user: Say hello." in second
    assert any(line.startswith("assistant: ") for line in second)


def test_example_is_short_and_needs_nothing_but_the_library():
    text = (EXAMPLE / "Sources" / "chat" / "Chat.swift").read_text()
    assert len(text.splitlines()) < 60
    imports = {line.split()[1] for line in text.splitlines() if line.startswith("import ")}
    assert imports == {"Foundation", "HeadgateClientURLSession"}


def test_every_piece_of_swift_in_the_documents_is_found():
    for document in swift_examples.DOCUMENTS:
        assert swift_examples.pieces(document)
    manifest, first, *_ = swift_examples.pieces("docs/client.md")
    assert swift_examples.is_manifest(manifest) and not swift_examples.is_manifest(first)
    assert swift_examples.source("import A\nlet a = 1\n", 3).endswith("func piece3() async throws {\n    let a = 1\n}\n")
