"""Reasoning through a translation: shown, counted, and returned to the model with its signature."""

import pytest

from dialects.answers import Call, Reasoning, Redacted, Text, Answer, calls, text
from dialects.questions import Past, Question, Result, Tool, User, ask
from translation import ADAPTIVE_MODEL, WAYS, stream, way, ways  # noqa: F401  (fixtures)

WEATHER = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}})
THOUGHT = Reasoning(("Let me ", "see."), "Zmlyc3Q=")
ROME = Call("call_1", "weather", ('{"city": "Rome"}',))
SIGNING = [way for way in WAYS if way[1] != "chat"]
# Responses shows a summary only on request, which not every account can make; chat clients cannot request one.
SHOWN = {"messages": {"thinking": {"type": "adaptive", "display": "summarized"}}}


def seen(way) -> str:  # noqa: F811
    return "" if (way.client.dialect, way.upstream.dialect) == ("chat", "responses") else "Let me see."


def question(way) -> Question:  # noqa: F811
    return ask("Weather?", tools=(WEATHER,), effort="low", more=SHOWN.get(way.client.dialect, {}))


def test_thoughts_are_separate_from_the_text(way, stream):  # noqa: F811
    reply = way.ask(question(way), Answer((THOUGHT, Text(("Warm.",)))), stream=stream)
    assert (reply.reasoning, reply.text) == (seen(way), "Warm.")


@pytest.mark.parametrize("signing", SIGNING, ids=lambda way: f"{way[0]} to {way[1]}")
def test_thoughts_return_with_their_signature(ways, stream, signing):  # noqa: F811
    way = ways[signing]  # noqa: F811
    asked = question(way)
    reply = way.ask(asked, calls(THOUGHT, Text(("Looking.",)), ROME), stream=stream)
    assert reply.reasoning == seen(way)
    asked = asked.then(Past(reply), Result("call_1", "24"))
    reply = way.ask(asked, Answer((Reasoning(("Warm, then.",), "c2Vjb25k"), Text(("Warm.",)))), stream=stream)
    call = ("call", "call_1", "weather", {"city": "Rome"})
    assert way.turns == [
        ("user", "Weather?"), ("thought", seen(way), "Zmlyc3Q="), ("assistant", "Looking."), call,
        ("result", "call_1", "24")]
    way.ask(asked.then(Past(reply), User("And Oslo?")), text("Cold."), stream=stream)
    assert [turn[2] for turn in way.turns if turn[0] == "thought"] == ["Zmlyc3Q=", "c2Vjb25k"]


@pytest.mark.parametrize("client", ["chat", "responses"])
def test_hidden_thoughts_return_too(ways, stream, client):  # noqa: F811
    way = ways[client, "messages"]  # noqa: F811
    asked = question(way)
    reply = way.ask(asked, calls(Redacted("aGlkZGVu"), ROME), stream=stream)
    assert reply.reasoning == ""
    way.ask(asked.then(Past(reply), Result("call_1", "24")), text("Warm."), stream=stream)
    assert ("thought", "", "aGlkZGVu") in way.turns


@pytest.mark.parametrize("signing", SIGNING, ids=lambda way: f"{way[0]} to {way[1]}")
def test_thoughts_of_another_model_are_omitted(ways, signing):  # noqa: F811
    """Checks that a signature is sent to no other provider, because it is invalid there."""
    client = signing[0]
    other = {("chat", "messages"): "responses", ("chat", "responses"): "messages"}.get(signing, "chat")
    way = ways[client, other]  # noqa: F811
    asked = question(way)
    reply = way.ask(asked, calls(THOUGHT, ROME))
    assert reply.reasoning == seen(way)
    way = ways[signing]
    reply = way.ask(asked.then(Past(reply), Result("call_1", "24")), text("Warm."))
    assert "thought" not in [turn[0] for turn in way.turns]
    assert reply.headers["x-headgate-dropped"]


@pytest.mark.parametrize("effort", ["low", "medium", "high"])
def test_effort_is_translated(way, effort):  # noqa: F811
    way.ask(ask("Weather?", effort=effort), text("Warm."))
    if way.upstream.dialect != "messages":
        assert way.wishes["effort"] == effort
    else:
        assert way.wishes["budget"] == {"low": 1024, "medium": 2048, "high": 4096}[effort]
        way.ask(ask("Weather?", effort=effort), text("Warm."), model=ADAPTIVE_MODEL)
        assert way.wishes["effort"] == effort and "budget" not in way.wishes


@pytest.mark.parametrize(("upstream", "budget", "effort"), [
    ("chat", 1024, "low"), ("chat", 2048, "medium"), ("responses", 4096, "high"), ("responses", 1024, "low")])
def test_budget_becomes_an_effort(ways, upstream, budget, effort):  # noqa: F811
    way = ways["messages", upstream]  # noqa: F811
    thinking = {"thinking": {"type": "enabled", "budget_tokens": budget}, "max_tokens": 8192}
    way.ask(ask("Weather?", more=thinking), text("Warm."))
    assert way.wishes["effort"] == effort
