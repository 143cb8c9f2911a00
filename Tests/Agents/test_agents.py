"""Codex and Claude Code, unchanged, through the gateway: each in its own dialect, to providers of every dialect."""

import json
import struct
import zlib
from pathlib import Path

import pytest

from agents import AGENTS, ClaudeCode, Codex
from dialects.answers import Answer, Call, Failure, Reasoning, Text, calls, text
from dialects.readings import wishes
from gateways import KEY, KEYS, Gateways, binary, short_folder
from scripted import ScriptedModel

# A name unknown to the agent, and a name for which the agent has special tools and parameters.
MODELS = {Codex: ("scripted", "gpt-5.5"), ClaudeCode: ("scripted", "claude-sonnet-4-6")}
_KINDS = {
    "chat": "kind: openai, speaks: [chat]", "messages": "kind: anthropic",
    "responses": "kind: openai, speaks: [responses]"}
WORDS = "a note that no model has seen"


@pytest.fixture(params=_KINDS, ids=lambda dialect: f"to {dialect}")
def provider(request):
    model = ScriptedModel(request.param)
    yield model
    model.close()


@pytest.fixture
def gateway(provider):
    shared = f'{_KINDS[provider.dialect]}, base_url: "{provider.url}", api_key: "${{UPSTREAM_KEY}}"'
    names = sorted({name for names in MODELS.values() for name in names})
    models = "".join(f"  {name}: {{upstream: scripted, model: upstream-model}}\n" for name in names)
    with short_folder() as folder:
        gateways = Gateways(Path(folder))
        yield gateways.start(f"listen: 127.0.0.1:0\nupstreams:\n  scripted: {{{shared}}}\nmodels:\n{models}{KEYS}")
        gateways.end()


@pytest.fixture(params=[(kind, model) for kind in AGENTS for model in MODELS[kind]], ids=lambda p: f"{p[0].name} {p[1]}")
def agent(request, gateway):
    kind, model = request.param
    with short_folder() as folder:
        yield kind(gateway.urls[0], KEY, Path(folder), model)


def work(agent, provider, gateway, prompt: str, *options):
    run = agent.run(prompt, *options)
    whole = f"{run}\n--- gateway\n{gateway.output()}"
    assert provider.refusals() == [], whole
    assert run.code == 0, whole
    assert "upstream_failed" not in gateway.output(), whole
    return run, whole


def results(turns: list) -> dict:
    return {turn[1]: turn[2] for turn in turns if turn[0] == "result"}


def test_agent_runs_commands_and_receives_their_results(agent, provider, gateway):
    """Runs commands. The second response quotes the results that the provider received, so the agent cannot have
    invented them."""
    tool, argument = agent.shell
    (agent.work / "note.txt").write_text(WORDS)

    def call(id: str, command: str) -> Call:
        arguments = json.dumps({argument: command})
        return Call(id, tool, (arguments[:7], arguments[7:]))

    def play(turns):
        told = results(turns)
        if not told:
            return calls(
                Reasoning(("Two ", "commands.")), Text(("I ", "look.")), call("call_1", "cat note.txt"),
                call("call_2", "tr a-z A-Z <note.txt | tee made.txt"))
        found = [words for words in (WORDS, WORDS.upper()) for result in told.values() if words in result]
        return Answer((Reasoning(("Now ", "I know.")), Text(("It says: ", "; ".join(found)))))

    provider.play = play
    run, whole = work(agent, provider, gateway, "What does note.txt say?")
    assert f"It says: {WORDS}; {WORDS.upper()}" in run.output, whole
    assert (agent.work / "made.txt").read_text() == WORDS.upper()
    turns = provider.asked_with_results()
    assert any(turn[0] == "user" and "What does note.txt say?" in turn[1] for turn in turns)
    assert [turn[1:3] for turn in turns if turn[0] == "call"] == [("call_1", tool), ("call_2", tool)]
    assert ("assistant", "I look.") in turns
    assert list(results(turns)) == ["call_1", "call_2"]
    # Reasoning returns to its provider, which recognizes its signature; in Chat Completions it has none.
    signatures = [None if provider.dialect == "chat" else "c2lnbmVk"]
    assert [turn[2] for turn in turns if turn[0] == "thought"] == signatures


def test_agent_sends_an_image_that_the_model_asked_to_see(agent, provider, gateway):
    tool, argument = agent.sight
    picture = agent.work / "red.png"
    picture.write_bytes(_red_square())

    def play(turns):
        if not results(turns):
            return calls(Call("call_1", tool, (json.dumps({argument: str(picture)}),)))
        seen = [turn for turn in turns if turn[0] == "image" and turn[1].startswith("data:image/")]
        return text(f"I saw {len(seen)} ", "image.")

    provider.play = play
    run, whole = work(agent, provider, gateway, "What is in red.png?")
    assert "I saw 1 image." in run.output, whole


@pytest.mark.parametrize("provider", ["chat", "messages"], indirect=True, ids=lambda dialect: f"to {dialect}")
@pytest.mark.parametrize("agent", [(Codex, "gpt-5.5")], indirect=True, ids=["codex"])
def test_free_text_tool_is_called_by_providers_without_such_tools(agent, provider, gateway):
    patch = '*** Begin Patch\n*** Add File: made.txt\n+hello "you"\n*** End Patch\n'

    def play(turns):
        if not results(turns):
            arguments = json.dumps({"input": patch})
            return calls(Call("call_1", "apply_patch", (arguments[:20], arguments[20:])))
        return text("Made.")

    provider.play = play
    run, whole = work(agent, provider, gateway, "Make a file.")
    assert "Made." in run.output, whole
    assert (agent.work / "made.txt").read_text() == 'hello "you"\n'


@pytest.mark.parametrize("provider", ["chat", "messages"], indirect=True, ids=lambda dialect: f"to {dialect}")
@pytest.mark.parametrize("agent", [(Codex, "gpt-5.5")], indirect=True, ids=["codex"])
def test_structured_response_has_the_requested_form(agent, provider, gateway):
    schema = {
        "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"],
        "additionalProperties": False}
    path = agent.folder / "schema.json"
    path.write_text(json.dumps(schema))
    provider.play = lambda turns: text('{"name":', '"Ada"}')
    run, whole = work(agent, provider, gateway, "Who?", "--output-schema", path)
    assert '{"name":"Ada"}' in run.output, whole
    assert schema.items() <= wishes(provider.dialect, provider.asked)["schema"].items()


@pytest.mark.parametrize("provider", ["chat", "responses"], indirect=True, ids=lambda dialect: f"to {dialect}")
@pytest.mark.parametrize("agent", [(ClaudeCode, "claude-sonnet-4-6")], indirect=True, ids=["claude"])
def test_model_that_searches_for_a_tool_receives_it(agent, provider, gateway):
    """Searches for a tool. The agent responds with a reference, which only its own provider understands."""
    def play(turns):
        if not results(turns):
            return calls(Call("call_1", "ToolSearch", (json.dumps({"query": "select:WebFetch", "max_results": 1}),)))
        return text(f"I have {results(turns)['call_1']}.")

    provider.play = play
    run, whole = work(agent, provider, gateway, "Have a look at the web.")
    assert "I have WebFetch." in run.output, whole
    assert "WebFetch" in wishes(provider.dialect, provider.asked)["tools"]


def test_error_of_the_provider_is_shown(agent, provider, gateway):
    provider.play = lambda turns: Failure(403, "The account is closed, says the provider.")
    run = agent.run("Hello?")
    assert run.code != 0 and "The account is closed, says the provider." in run.output + run.errors, str(run)


def _red_square() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\xff\0\0" * 8) * 8
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("provider", ["chat"], indirect=True, ids=lambda dialect: f"to {dialect}")
def test_headgate_run_suffices_for_an_agent(agent, provider, gateway):
    provider.play = lambda turns: text("Hello ", "from here.")
    run = agent.run_bare(binary("headgate"), "Say hello.")
    whole = f"{run}\n--- gateway\n{gateway.output()}"
    assert run.code == 0 and "Hello from here." in run.output, whole


OWN = {Codex: "[analytics]\nenabled = false\n", ClaudeCode: '{\n  "cleanupPeriodDays": 7\n}\n'}


@pytest.mark.parametrize("provider", ["chat"], indirect=True, ids=lambda dialect: f"to {dialect}")
def test_headgate_setup_suffices_for_an_agent(agent, provider, gateway):
    """Checks that every model name in the agent's requests exists in the gateway, and that undo leaves nothing
    behind."""
    provider.play = lambda turns: text("Hello ", "from here.")
    settings = agent.home / agent.settings
    settings.parent.mkdir()
    settings.write_text(OWN[type(agent)])
    written = agent.set_up(binary("headgate"), "--write")
    assert written.code == 0, str(written)
    run = agent.run_plain("Say hello.")
    whole = f"{run}\n--- settings\n{settings.read_text()}\n--- gateway\n{gateway.output()}"
    assert run.code == 0 and "Hello from here." in run.output, whole
    assert "model_not_found" not in gateway.output(), whole
    undone = agent.set_up(binary("headgate"), "--undo")
    assert undone.code == 0 and not list(settings.parent.glob("*.headgate-backup")), str(undone)


@pytest.mark.parametrize("provider", ["chat"], indirect=True, ids=lambda dialect: f"to {dialect}")
@pytest.mark.parametrize("agent", [(Codex, "gpt-9")], indirect=True, ids=["codex"])
def test_agent_lists_the_gateways_models(agent, provider, gateway):
    """Requests an unknown model. Claude Code replaces the gateway's message with its own."""
    run = agent.run_bare(binary("headgate"), "Say hello.")
    assert run.code != 0 and "There are 'claude-sonnet-4-6', 'gpt-5.5', 'scripted'" in run.output + run.errors, f"{run}"
