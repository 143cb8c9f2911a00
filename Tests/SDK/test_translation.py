"""A client of any dialect and an upstream of any other: texts, counts and finish reasons agree on both sides."""

import pytest

from dialects.answers import (
    CONTEXT, FILTERED, LENGTH, PAUSED, STOP, STOP_SEQUENCE, Answer, Refusal, Text, Usage, text)
from dialects.questions import Assistant, Past, User, ask
from gateways import UPSTREAM_KEY
from translation import UPSTREAM_MODEL, WAYS, stream, way, ways  # noqa: F401  (fixtures)

# The finish reasons in each client's dialect.
ENDS = {
    "chat": {
        STOP: "stop", STOP_SEQUENCE: "stop", LENGTH: "length", CONTEXT: "length",
        FILTERED: "content_filter", PAUSED: "length"},
    "messages": {
        STOP: "end_turn", STOP_SEQUENCE: "end_turn", LENGTH: "max_tokens", CONTEXT: "max_tokens",
        FILTERED: "refusal"},
    "responses": {
        STOP: "completed", STOP_SEQUENCE: "completed",
        LENGTH: ("incomplete", "max_output_tokens"), CONTEXT: ("incomplete", "max_output_tokens"),
        FILTERED: ("incomplete", "content_filter"), PAUSED: ("incomplete", "max_output_tokens")},
}


def test_text_arrives_unchanged(way, stream):  # noqa: F811
    deltas = ("Hel", "lo, ", "w\u00f6rld", " \U0001f30d", "\n\nline \"two\"\\")
    reply = way.ask(ask("Say hello.", system="Be brief."), text(*deltas), stream=stream)
    assert reply.text == "".join(deltas)
    assert reply.model == way.model
    assert way.turns == [("system", "Be brief."), ("user", "Say hello.")]


def test_upstream_gets_the_gateways_key_and_its_model_name(way):  # noqa: F811
    way.ask(ask("Hello"), text("Hi"))
    [received] = way.upstream.received
    assert received.body["model"] == UPSTREAM_MODEL
    given = received.headers.get("x-api-key") or received.headers["authorization"].removeprefix("Bearer ")
    assert given == UPSTREAM_KEY
    assert not any("stainless" in name for name in received.headers)


def test_counts_mean_the_same_on_both_sides(way, stream):  # noqa: F811
    usage = Usage(input=50, output=20, cached=30, written=5, reasoning=8)
    assert way.ask(ask("Hello"), text("Hi", usage=usage), stream=stream).usage == usage


def test_history_keeps_its_roles_and_order(way, stream):  # noqa: F811
    question = ask("One.", system="Count.").then(Assistant("Two."), User("Three."))
    reply = way.ask(question, text("Four."), stream=stream)
    expected = [("system", "Count."), ("user", "One."), ("assistant", "Two."), ("user", "Three.")]
    assert way.turns == expected
    way.ask(question.then(Past(reply), User("Five.")), text("Six."), stream=stream)
    assert way.turns == [*expected, ("assistant", "Four."), ("user", "Five.")]


@pytest.mark.parametrize("finish", ENDS["chat"])
def test_every_end_has_the_clients_word(way, stream, finish):  # noqa: F811
    if finish not in way.upstream.wire.FINISHES:
        pytest.skip(f"the {way.upstream.dialect} dialect has no such end")
    expected = ENDS[way.client.dialect][finish]
    assert way.ask(ask("Hello"), Answer((Text(("Well",)),), finish), stream=stream).finish == expected


def test_refusal_is_one_for_the_client(way, stream):  # noqa: F811
    finish = FILTERED if way.upstream.dialect == "messages" else STOP
    reply = way.ask(ask("Hello"), Answer((Refusal(("I ", "will not.")),), finish), stream=stream)
    told = reply.refusal or reply.text
    assert told == "I will not."
    if way.client.dialect == "messages":
        assert reply.finish == "refusal"


def test_answer_without_content_is_whole(way, stream):  # noqa: F811
    reply = way.ask(ask("Hello"), Answer(()), stream=stream)
    assert (reply.text, reply.calls) == ("", [])
    assert reply.finish == ENDS[way.client.dialect][STOP]


def test_all_ways_are_covered():
    assert len(WAYS) == 6
