"""Failures through a translation: each is an error of the client's dialect, and no broken reply looks complete."""

import pytest

from dialects.answers import Broken, Call, Failure, Reasoning, Text, calls, text
from dialects.questions import Tool, ask
from translation import stream, way, ways  # noqa: F401  (fixtures)

WEATHER = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}})
QUESTION = ask("Weather?", tools=(WEATHER,), effort="low")
ANSWER = calls(
    Reasoning(("Hm", ".")), Text(("Let me ", "look.")), Call("call_1", "weather", ('{"city":', ' "Rome"}')),
    Call("call_2", "weather", ('{"city": ', '"Oslo"}')))
# Error types by status, in OpenAI's two dialects and in Anthropic's.
OPENAI = {
    400: "invalid_request_error", 403: "permission_error", 404: "invalid_request_error", 409: "invalid_request_error",
    413: "invalid_request_error", 422: "invalid_request_error", 429: "rate_limit_error", 500: "server_error",
    503: "server_error", 504: "server_error", 529: "server_error"}
ANTHROPIC = {
    400: "invalid_request_error", 403: "permission_error", 404: "not_found_error", 409: "conflict_error",
    413: "request_too_large", 422: "invalid_request_error", 429: "rate_limit_error", 500: "api_error",
    503: "overloaded_error", 504: "timeout_error", 529: "overloaded_error"}
# Number of events after the one with the finish reason; a stream that lacks only these still counts as complete.
TAILS = {"chat": 2, "messages": 1, "responses": 0}


def failed(way, *answers, streamed=True):  # noqa: F811
    with pytest.raises(way.client.ERROR) as caught:
        way.ask(QUESTION, *answers, stream=streamed)
    return caught.value


def places(way) -> range:  # noqa: F811
    """Returns the numbers of events after which a cut stream is incomplete."""
    way.ask(QUESTION, ANSWER, stream=True)
    return range(len(way.upstream.wire.events(ANSWER, way.upstream.asked)) - TAILS[way.upstream.dialect])


@pytest.mark.parametrize("status", OPENAI)
def test_every_status_has_the_clients_type(way, stream, status):  # noqa: F811
    error = failed(way, Failure(status, "scripted words", retry_after="7"), streamed=stream)
    # Only Messages clients receive 529; OpenAI's clients receive 503 instead.
    assert error.status_code == (503 if status == 529 and way.client.dialect != "messages" else status)
    assert error.response.headers["retry-after"] == "7"
    assert "scripted words" in str(error)
    is_messages = way.client.dialect == "messages"
    told = error.body["error"] if is_messages else error.body
    if is_messages:
        assert (error.body["type"], told["type"]) == ("error", ANTHROPIC[status])
    else:
        # OpenAI's own error type names the limit.
        assert told["type"] in (OPENAI[status], "requests")


def test_refusal_of_the_gateways_key_is_not_the_clients_fault(way, stream):  # noqa: F811
    error = failed(way, Failure(401, "bad key"), streamed=stream)
    assert error.status_code == 502 and "key" in str(error)


def test_upstreams_refusal_is_reported(way, stream):  # noqa: F811
    """Checks that the translation does not hide a refusal."""
    with pytest.raises(way.client.ERROR) as caught:
        # OpenAI refuses this schema, which the gateway repairs for Messages. Messages refuses a repeated tool name.
        way.ask(ask("Hello", tools=(Tool("weather", {"type": "string"}),) * 2), text("Hi"), stream=stream)
    assert caught.value.status_code == 400


def test_truncated_response_is_an_error(way):  # noqa: F811
    assert failed(way, Broken(ANSWER, 0), streamed=False).status_code == 502


def test_stream_truncated_anywhere_is_an_error(way):  # noqa: F811
    for events in places(way):
        failed(way, Broken(ANSWER, events))


def test_error_anywhere_in_a_stream_is_one(way):  # noqa: F811
    for events in places(way):
        error = failed(way, Broken(ANSWER, events, error=True))
        assert "scripted error" in str(error)


def test_gateway_serves_further_requests_after_failures(way, stream):  # noqa: F811
    failed(way, Broken(ANSWER, 5))
    assert way.ask(QUESTION, ANSWER, stream=stream).text == "Let me look."
