"""Tools through a translation: calls, their fragments, their results in the next round, and the tool choice."""

import pytest

from dialects.answers import Call, Text, calls, text
from dialects.questions import Image, Past, Result, Tool, User, ask, data_url
from translation import stream, way, ways  # noqa: F401  (fixtures)

SCHEMA = {
    "type": "object", "required": ["city"],
    "properties": {"city": {"type": "string"}, "days": {"type": "array", "items": {"type": "integer"}}}}
WEATHER = Tool("weather", SCHEMA)
CLOCK = Tool("clock", {"type": "object", "properties": {}})
ROME = Call("call_Rome", "weather", ('{"ci', 'ty": "Ro', 'me", "days": [1, 2]}'))
OSLO = Call("call_Oslo", "weather", ('{"city":', ' "\u00d8slo \\"N\\""}'))
NOW = Call("call_now", "clock", ())
TOLD = [
    ("call_Rome", "weather", {"city": "Rome", "days": [1, 2]}), ("call_Oslo", "weather", {"city": "\u00d8slo \"N\""})]
ENDS = {"chat": "tool_calls", "messages": "tool_use", "responses": "completed"}


@pytest.mark.parametrize("interleaved", [False, True], ids=["in order", "interleaved"])
def test_calls_and_results_go_through_two_rounds(way, stream, interleaved):  # noqa: F811
    question = ask("Which is warmer?", tools=(WEATHER,))
    reply = way.ask(question, calls(Text(("Let me ", "look.")), ROME, OSLO, interleaved=interleaved), stream=stream)
    assert (reply.text, reply.calls, reply.finish) == ("Let me look.", TOLD, ENDS[way.client.dialect])
    assert way.wishes["tools"] == {"weather": SCHEMA}
    results = (Result("call_Rome", "24"), Result("call_Oslo", "3"))
    reply = way.ask(question.then(Past(reply), *results), text("Rome."), stream=stream)
    assert reply.text == "Rome."
    assert way.turns == [
        ("user", "Which is warmer?"), ("assistant", "Let me look."), *(("call", *call) for call in TOLD),
        ("result", "call_Rome", "24"), ("result", "call_Oslo", "3")]


def test_call_without_text_or_arguments(way, stream):  # noqa: F811
    question = ask("What time is it?", tools=(CLOCK,))
    answer = calls(Call("call_now", "clock", ("{}",)))
    reply = way.ask(question, answer, stream=stream)
    assert (reply.text, reply.calls) == ("", [("call_now", "clock", {})])
    way.ask(question.then(Past(reply), Result("call_now", "noon"), User("Thanks.")), text("Welcome."), stream=stream)
    assert way.turns == [
        ("user", "What time is it?"), ("call", "call_now", "clock", {}), ("result", "call_now", "noon"),
        ("user", "Thanks.")]


def test_results_can_be_in_any_order_and_be_failures(way):  # noqa: F811
    question = ask("Which is warmer?", tools=(WEATHER,))
    reply = way.ask(question, calls(ROME, OSLO))
    results = (Result("call_Oslo", "no such city", is_error=True), Result("call_Rome", "24"))
    way.ask(question.then(Past(reply), *results), text("Rome."))
    told = {turn[1]: turn[2] for turn in way.turns if turn[0] == "result"}
    assert told["call_Rome"] == "24" and "no such city" in told["call_Oslo"]
    if way.client.dialect == "messages":
        # The upstream's dialect may lack a mark for failures, so the text reports it.
        assert "rror" in told["call_Oslo"]


def test_rounds_follow_each_other(way, stream):  # noqa: F811
    question = ask("Rome, then Oslo.", tools=(WEATHER,))
    for call, answer in ((ROME, "24"), (OSLO, "3")):
        reply = way.ask(question, calls(call), stream=stream)
        question = question.then(Past(reply), Result(call.id, answer))
    way.ask(question, text("Done."), stream=stream)
    assert way.turns == [
        ("user", "Rome, then Oslo."), ("call", *TOLD[0]), ("result", "call_Rome", "24"), ("call", *TOLD[1]),
        ("result", "call_Oslo", "3")]


def test_images_in_a_result_are_shown(ways, stream):  # noqa: F811
    image = Image(data_url("image/png", b"\x89PNG"))
    for client, upstream in (("messages", "chat"), ("messages", "responses"), ("responses", "chat"),
            ("responses", "messages")):
        way = ways[client, upstream]  # noqa: F811
        question = ask("Take a picture.", tools=(CLOCK,))
        reply = way.ask(question, calls(Call("call_1", "clock", ("{}",))), stream=stream)
        way.ask(question.then(Past(reply), Result("call_1", "Here:", image)), text("Nice."), stream=stream)
        assert ("image", image.url) in way.turns
        assert [turn[1] for turn in way.turns if turn[0] == "result"] == ["call_1"]


@pytest.mark.parametrize("choice", ["auto", "required", "none", "weather"])
def test_choice_among_tools(way, choice):  # noqa: F811
    way.ask(ask("Weather?", tools=(WEATHER, CLOCK), choice=choice), text("Hm."))
    assert way.wishes.get("choice", "auto") == choice
    assert set(way.wishes["tools"]) == {"weather", "clock"}


@pytest.mark.parametrize("parallel", [False, True])
def test_parallel_calls_can_be_disabled(way, parallel):  # noqa: F811
    way.ask(ask("Weather?", tools=(WEATHER,), parallel=parallel), text("Hm."))
    assert way.wishes.get("parallel", True) is parallel


def test_history_with_calls_needs_no_tools(way):  # noqa: F811
    question = ask("Weather?", tools=(WEATHER,))
    reply = way.ask(question, calls(ROME))
    later = ask("Weather?").then(Past(reply), Result("call_Rome", "24"))
    assert way.ask(later, text("Warm.")).text == "Warm."


def test_tool_names_are_restored_for_the_client(ways, stream):  # noqa: F811
    """Uses names that only Messages allows, because they are too long for the other two dialects."""
    long = "weather_" * 10
    for upstream in ("chat", "responses"):
        way = ways["messages", upstream]  # noqa: F811
        question = ask("Weather?", tools=(Tool(long, SCHEMA), Tool(long + "2", SCHEMA)))
        way.ask(question, text("Hm."))
        first, second = way.wishes["tools"]
        assert first != second
        reply = way.ask(question, calls(Call("call_1", second, ("{}",))), stream=stream)
        assert reply.calls == [("call_1", long + "2", {})]
        way.ask(question.then(Past(reply), Result("call_1", "24")), text("Warm."), stream=stream)
        assert ("call", "call_1", second, {}) in way.turns
