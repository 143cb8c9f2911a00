"""A model with targets of several dialects: each target receives its own dialect, and a failed attempt leaves no
trace."""

import pytest

from dialects.answers import Broken, Call, Failure, Reasoning, Text, Answer, calls, text
from dialects.clients import CLIENTS
from dialects.questions import Past, Result, Tool, User, ask
from dialects.upstream import DIALECTS
from translation import stream, ways  # noqa: F401  (fixtures)

WEATHER = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}})
PAIRS = [(first, second) for first in DIALECTS for second in DIALECTS if first != second]


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]} then {pair[1]}")
def pair(request):
    return request.param


@pytest.fixture(params=CLIENTS)
def asked(request, ways, pair):  # noqa: F811
    """Returns a function that requests a model with targets of two dialects, and both providers."""
    upstreams = {way.upstream.dialect: way.upstream for way in ways.values()}
    client = next(way.client for way in ways.values() if way.client.dialect == request.param)

    def ask_model(question, stream):  # noqa: F811
        return client.ask("-then-".join(pair), question, stream)

    return ask_model, upstreams[pair[0]], upstreams[pair[1]]


def test_second_target_serves_if_the_first_refuses(asked, stream):  # noqa: F811
    ask_model, first, second = asked
    first.will(Failure(503, "overloaded"))
    second.will(text("Hel", "lo"))
    assert ask_model(ask("Hello", system="Be brief."), stream).text == "Hello"
    assert len(first.received) == len(second.received) == 1
    assert first.asked["model"] == second.asked["model"]


def test_stream_broken_before_its_content_is_dropped(asked):
    ask_model, first, second = asked
    first.will(Broken(text("Lost"), 1))
    second.will(text("Hel", "lo"))
    assert ask_model(ask("Hello"), True).text == "Hello"
    assert len(first.received) == 1


def test_conversation_continues_at_another_provider(asked, stream):  # noqa: F811
    ask_model, first, second = asked
    question = ask("Weather?", tools=(WEATHER,), effort="low")
    first.will(calls(Reasoning(("Hm.",)), Call("call_1", "weather", ('{"city": "Rome"}',))))
    reply = ask_model(question, stream)
    assert reply.calls == [("call_1", "weather", {"city": "Rome"})]
    first.will(Failure(503, "overloaded"), Failure(503, "overloaded"))
    second.will(Answer((Text(("Warm.",)),)), text("Bye."))
    question = question.then(Past(reply), Result("call_1", "24"))
    reply = ask_model(question, stream)
    assert reply.text == "Warm."
    assert ask_model(question.then(Past(reply), User("Thanks.")), stream).text == "Bye."
