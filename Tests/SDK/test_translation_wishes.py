"""Request parameters besides the turns: translated, dropped and named, or refused and named."""

import pytest

from dialects.answers import text
from dialects.questions import Assistant, Question, User, ask
from translation import stream, way, ways  # noqa: F401  (fixtures)

SCHEMA = {
    "type": "object", "additionalProperties": False, "required": ["city"],
    "properties": {"city": {"type": "string", "enum": ["Rome", "Oslo"]}}}


def dropped(reply) -> set:
    return {name.strip() for name in reply.headers.get("x-headgate-dropped", "").split(",")} - {""}


def test_schema_of_the_answer(way, stream):  # noqa: F811
    reply = way.ask(ask("Where?", schema=SCHEMA), text('{"city": ', '"Rome"}'), stream=stream)
    # Messages has no place for the schema's name.
    assert {name: value for name, value in way.wishes["schema"].items() if name != "title"} == SCHEMA
    assert reply.text == '{"city": "Rome"}'
    assert dropped(reply) == set()


def test_schema_with_optional_members(way):  # noqa: F811
    """Uses optional members, which Anthropic's strict mode allows and OpenAI's does not."""
    loose = {**SCHEMA, "properties": {**SCHEMA["properties"], "note": {"type": "string"}}}
    strict = way.client.dialect != "messages"
    if strict and way.upstream.dialect != "messages":
        pytest.skip("both sides refuse it")
    assert way.ask(ask("Where?", schema=loose), text("{}")).text == "{}"
    assert set(way.wishes["schema"]["properties"]) == {"city", "note"} and way.wishes["schema"]["required"] == ["city"]


def test_limit_of_the_answer(way):  # noqa: F811
    way.ask(ask("Hello", limit=99), text("Hi"))
    assert way.wishes["limit"] == 99


def test_messages_get_a_limit_if_the_client_has_none(ways):  # noqa: F811
    for client in ("chat", "responses"):
        way = ways[client, "messages"]  # noqa: F811
        way.ask(ask("Hello"), text("Hi"))
        assert way.wishes["limit"] >= 4096


def test_user_is_named(way):  # noqa: F811
    way.ask(ask("Hello", user="user-17"), text("Hi"))
    assert way.wishes["user"] == "user-17"


def test_stop_sequences(ways):  # noqa: F811
    for client, upstream in (("chat", "messages"), ("messages", "chat")):
        way = ways[client, upstream]  # noqa: F811
        way.ask(ask("Count.", stop=("END", "\n\nUser:")), text("One"))
        assert way.wishes["stop"] == ["END", "\n\nUser:"]
    for client in ("chat", "messages"):
        reply = ways[client, "responses"].ask(ask("Count.", stop=("END",)), text("One"))
        assert dropped(reply) == {"stop" if client == "chat" else "stop_sequences"}


def test_invalid_stop_sequences_are_omitted(ways):  # noqa: F811
    way = ways["chat", "messages"]  # noqa: F811
    reply = way.ask(ask("Count.", stop=("\n", "END")), text("One"))
    assert way.wishes["stop"] == ["END"] and dropped(reply)
    way = ways["messages", "chat"]  # noqa: F811
    reply = way.ask(ask("Count.", stop=tuple("abcde")), text("One"))
    assert len(way.wishes["stop"]) == 4 and dropped(reply)


def test_temperature_stays_in_the_upstreams_range(ways):  # noqa: F811
    for client in ("chat", "responses"):
        way = ways[client, "messages"]  # noqa: F811
        way.ask(ask("Hello", more={"temperature": 1.7, "top_p": 0.9}), text("Hi"))
        assert (way.upstream.asked["temperature"], way.upstream.asked["top_p"]) == (1, 0.9)
    for pair in (("chat", "responses"), ("responses", "chat")):
        ways[pair].ask(ask("Hello", more={"temperature": 1.7}), text("Hi"))
        assert ways[pair].upstream.asked["temperature"] == 1.7


def test_temperature_is_dropped_for_thinking(ways):  # noqa: F811
    """Checks that the temperature is dropped, because with thinking Messages allows only 1."""
    for client in ("chat", "responses"):
        way = ways[client, "messages"]  # noqa: F811
        reply = way.ask(ask("Hello", effort="low", more={"temperature": 0.3}), text("Hi"))
        assert way.upstream.asked.get("temperature", 1) == 1 and "temperature" in dropped(reply)


@pytest.mark.parametrize(("client", "upstream", "members", "names"), [
    ("chat", "messages", {"seed": 1, "logit_bias": {"5": 1}, "presence_penalty": 0.5, "logprobs": True},
        {"seed", "logit_bias", "presence_penalty", "logprobs"}),
    ("chat", "messages", {"frobnicate": True, "metadata": {"a": "b"}}, {"frobnicate", "metadata"}),
    ("chat", "responses", {"seed": 1, "frequency_penalty": 0.5}, {"seed", "frequency_penalty"}),
    ("messages", "chat", {"top_k": 5}, {"top_k"}),
    ("messages", "responses", {"top_k": 5, "inference_geo": "eu"}, {"top_k", "inference_geo"}),
    ("responses", "chat", {"max_tool_calls": 3}, {"max_tool_calls"}),
    ("responses", "messages", {"top_logprobs": 2, "metadata": {"a": "b"}}, {"top_logprobs", "metadata"}),
])
def test_unsupported_parameters_are_dropped_and_named(  # noqa: F811
        ways, stream, client, upstream, members, names):
    reply = ways[client, upstream].ask(ask("Hello", more=members), text("Hi"), stream=stream)
    assert dropped(reply) == names


def test_nothing_is_named_if_nothing_is_dropped(way, stream):  # noqa: F811
    assert dropped(way.ask(ask("Hello", system="Be brief.", limit=50), text("Hi"), stream=stream)) == set()


AUDIO = [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}]}]


@pytest.mark.parametrize(("client", "upstream", "members", "name"), [
    ("chat", "messages", {"n": 2}, "n"),
    ("chat", "responses", {"n": 2}, "n"),
    ("chat", "messages", {"messages": AUDIO}, "messages[0].content[0]"),
    ("chat", "responses", {"messages": AUDIO}, "messages[0].content[0]"),
    ("responses", "chat", {"previous_response_id": "resp_1"}, "previous_response_id"),
    ("responses", "messages", {"previous_response_id": "resp_1"}, "previous_response_id"),
    ("responses", "messages", {"conversation": "conv_1"}, "conversation"),
    ("responses", "chat", {"background": True}, "background"),
])
def test_essential_unsupported_parameters_are_refused_and_named(  # noqa: F811
        ways, client, upstream, members, name):
    way = ways[client, upstream]  # noqa: F811
    way.upstream.will()
    with pytest.raises(way.client.ERROR) as caught:
        way.ask(ask("Hello", more=members))
    assert caught.value.status_code == 400 and name in str(caught.value)
    assert way.upstream.received == []


def test_blank_texts_are_not_sent_to_messages(ways):  # noqa: F811
    for client in ("chat", "responses"):
        way = ways[client, "messages"]  # noqa: F811
        way.ask(Question((User("", "Hello", " \n"),), system=""), text("Hi"))
        assert [turn for turn in way.turns if turn[0] == "user"][0] == ("user", "Hello")


def test_history_beginning_with_the_assistant_is_accepted(ways):  # noqa: F811
    for client in ("chat", "responses"):
        way = ways[client, "messages"]  # noqa: F811
        way.ask(Question((Assistant("Welcome."), User("Hello"))), text("Hi"))
        assert way.turns[-2:] == [("assistant", "Welcome."), ("user", "Hello")]
