"""Recorded requests of agents (Tests/Vectors/Agents), sent to strict providers of the other dialects.

`make agents` runs the agents themselves.
"""

import json
import urllib.request

import pytest

from conftest import REPOSITORY
from dialects.answers import text
from dialects.readings import turns
from dialects.upstream import StrictUpstream
from gateways import KEY, KEYS, module_gateways  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS
from translation import WAYS

FOLDER = REPOSITORY / "Tests" / "Vectors" / "Agents"
# The dialect of each agent, by the prefix of its file names.
SPEAKS = {"claude-code": "messages", "codex": "responses"}
PATHS = {"messages": "/v1/messages", "responses": "/v1/responses"}
CASES = [
    (path.stem, client, upstream) for path in sorted(FOLDER.glob("*.json")) for agent, client in SPEAKS.items()
    if path.stem.startswith(agent) for way, upstream in WAYS if way == client]
_KINDS = {
    "chat": "kind: openai, speaks: [chat]", "messages": "kind: anthropic",
    "responses": "kind: openai, speaks: [responses]"}


@pytest.fixture(scope="module")
def upstreams():
    upstreams = {dialect: StrictUpstream(dialect) for dialect in _KINDS}
    yield upstreams
    for upstream in upstreams.values():
        upstream.close()


@pytest.fixture(scope="module")
def gateway(module_gateways, upstreams):  # noqa: F811
    lines = "".join(
        f'  {name}: {{{_KINDS[name]}, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
        for name, upstream in upstreams.items())
    models = "".join(f"  {name}: {{upstream: {name}, model: upstream-model}}\n" for name in upstreams)
    return module_gateways.start(f"listen: 127.0.0.1:0\nupstreams:\n{lines}models:\n{models}{KEYS}")


@pytest.mark.parametrize("name, client, upstream", CASES, ids=lambda value: value)
def test_request_is_understood_whole(gateway, upstreams, name, client, upstream):
    body = json.loads((FOLDER / f"{name}.json").read_text())
    upstreams[upstream].will(text("Under", "stood."))
    answer = _post(gateway.urls[0] + PATHS[client], {**body, "model": upstream})
    assert "Under" in answer and "stood." in answer
    asked = upstreams[upstream].asked
    sent, arrived = turns(client, body), turns(upstream, asked)
    for kind in ("system", "user", "assistant"):
        texts = "\n".join(turn[1] for turn in arrived if turn[0] == kind)
        for turn in sent:
            # The agent's note to its own provider changes with each turn, and is not sent to other providers.
            is_note = turn[0] == "system" and turn[1].startswith("x-anthropic-")
            assert turn[0] != kind or (turn[1] in texts) != is_note
    assert [turn for turn in arrived if turn[0] == "call"] == [turn for turn in sent if turn[0] == "call"]
    results = _results(arrived)
    # A reference to a tool is not a text; the test below covers references.
    assert [turn[:2] + (turn[2] or found[2],) for turn, found in zip(_results(sent), results, strict=True)] == results
    assert _tools(body) <= _tools(asked)


def test_found_tool_is_named_to_providers_without_references(gateway, upstreams):
    body = json.loads((FOLDER / "claude-code-tool-search.json").read_text())
    upstreams["chat"].will(text("Good."))
    _post(gateway.urls[0] + PATHS["messages"], {**body, "model": "chat"})
    result = upstreams["chat"].asked["messages"][-2]
    assert (result["role"], result["content"]) == ("tool", "WebFetch")


def _results(turns: list) -> list:
    return [turn for turn in turns if turn[0] == "result"]


def _tools(body: dict) -> set:
    """Returns the names of the functions; a hosted tool has no name, and a namespace has several."""
    found = set()
    for tool in body.get("tools", []):
        if tool.get("type") == "namespace":
            found |= _tools(tool)
        elif name := tool.get("name") or tool.get("function", {}).get("name"):
            found.add(name)
    return found


def _post(url: str, body: dict) -> str:
    headers = {
        "Content-Type": "application/json", "Authorization": f"Bearer {KEY}", "anthropic-version": "2023-06-01"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
        return response.read().decode()
