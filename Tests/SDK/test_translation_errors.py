"""Failures through a translation: each is one of the client's dialect, and nothing that is broken looks whole."""

import pytest

from dialects.answers import Broken, Call, Failure, Reasoning, Text, calls, text
from dialects.questions import Tool, ask
from translation import stream, way, ways  # noqa: F401  (fixtures)

WEATHER = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}})
QUESTION = ask("Weather?", tools=(WEATHER,), effort="low")
ANSWER = calls(
    Reasoning(("Hm", ".")), Text(("Let me ", "look.")), Call("call_1", "weather", ('{"city":', ' "Rome"}')),
    Call("call_2", "weather", ('{"city": ', '"Oslo"}')))
# The type of an error by its status, in both of OpenAI's dialects and in Anthropic's.
OPENAI = {
    400: "invalid_request_error", 403: "permission_error", 404: "invalid_request_error", 409: "invalid_request_error",
    413: "invalid_request_error", 422: "invalid_request_error", 429: "rate_limit_error", 500: "server_error",
    503: "server_error", 504: "server_error", 529: "server_error"}
ANTHROPIC = {
    400: "invalid_request_error", 403: "permission_error", 404: "not_found_error", 409: "conflict_error",
    413: "request_too_large", 422: "invalid_request_error", 429: "rate_limit_error", 500: "api_error",
    503: "overloaded_error", 504: "timeout_error", 529: "overloaded_error"}
# How many events of a stream come after the one that tells why it ended, which a stream may be cut after.
TAILS = {"chat": 2, "messages": 1, "responses": 0}


def failed(way, *answers, streamed=True):  # noqa: F811
    with pytest.raises(way.client.ERROR) as caught:
        way.ask(QUESTION, *answers, stream=streamed)
    return caught.value


def places(way) -> range:  # noqa: F811
    """After how many events of the answer a stream is not whole."""
    way.ask(QUESTION, ANSWER, stream=True)
    return range(len(way.upstream.wire.events(ANSWER, way.upstream.asked)) - TAILS[way.upstream.dialect])


@pytest.mark.parametrize("status", OPENAI)
def test_every_status_has_the_clients_type(way, stream, status):  # noqa: F811
    error = failed(way, Failure(status, "scripted words", retry_after="7"), streamed=stream)
    # What OpenAI's clients know as 503.
    assert error.status_code == (503 if status == 529 and way.client.dialect != "messages" else status)
    assert error.response.headers["retry-after"] == "7"
    assert "scripted words" in str(error)
    is_messages = way.client.dialect == "messages"
    told = error.body["error"] if is_messages else error.body
    if is_messages:
        assert (error.body["type"], told["type"]) == ("error", ANTHROPIC[status])
    else:
        # OpenAI itself says which limit it was.
        assert told["type"] in (OPENAI[status], "requests")


def test_refusal_of_the_gateways_key_is_not_the_clients_fault(way, stream):  # noqa: F811
    error = failed(way, Failure(401, "bad key"), streamed=stream)
    assert error.status_code == 502 and "key" in str(error)


def test_what_the_upstream_refuses_of_a_request_is_told(way, stream):  # noqa: F811
    """Nothing of a translation hides it."""
    with pytest.raises(way.client.ERROR) as caught:
        # OpenAI's form refuses the schema, which is mended for Messages; that refuses a name that comes twice.
        way.ask(ask("Hello", tools=(Tool("weather", {"type": "string"}),) * 2), text("Hi"), stream=stream)
    assert caught.value.status_code == 400


def test_answer_that_is_cut_is_an_error(way):  # noqa: F811
    assert failed(way, Broken(ANSWER, 0), streamed=False).status_code == 502


def test_stream_that_is_cut_anywhere_is_an_error(way):  # noqa: F811
    for events in places(way):
        failed(way, Broken(ANSWER, events))


def test_error_anywhere_in_a_stream_is_one(way):  # noqa: F811
    for events in places(way):
        error = failed(way, Broken(ANSWER, events, error=True))
        assert "scripted error" in str(error)


def test_gateway_takes_further_requests_after_all_that(way, stream):  # noqa: F811
    failed(way, Broken(ANSWER, 5))
    assert way.ask(QUESTION, ANSWER, stream=stream).text == "Let me look."
