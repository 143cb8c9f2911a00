"""The strict providers themselves: the real SDKs understand their responses, and the providers refuse invalid
requests."""

import pytest

from dialects.answers import (
    FILTERED, STOP, Answer, Broken, Call, Failure, Reasoning, Refusal, Text, Usage, calls, text)
from dialects.clients import CLIENTS
from dialects.questions import Image, Past, Pdf, Result, Tool, ask, data_url
from dialects.readings import turns
from dialects.upstream import DIALECTS, StrictUpstream

WEATHER = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}})
BOTH = (Call("call_1", "weather", ('{"city":', ' "Rome"}')), Call("call_2", "weather", ('{"ci', 'ty": "Os', 'lo"}')))


@pytest.fixture(scope="module", params=DIALECTS)
def provider(request):
    upstream = StrictUpstream(request.param)
    yield upstream
    upstream.close()


@pytest.fixture(scope="module")
def client(provider):
    client = CLIENTS[provider.dialect](f"http://127.0.0.1:{provider.port}", "key")
    yield client
    client.close()


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request):
    return request.param


def test_text_and_counts(provider, client, stream):
    usage = Usage(input=30, output=12, cached=10, written=4, reasoning=5)
    provider.will(text("Hel", "lo, ", "w\u00f6rld \U0001f30d", usage=usage))
    reply = client.ask("m", ask("Say hello.", system="Be brief."), stream)
    assert (reply.text, reply.usage, reply.model) == ("Hello, w\u00f6rld \U0001f30d", usage, "m")
    assert turns(provider.dialect, provider.asked) == [("system", "Be brief."), ("user", "Say hello.")]


def test_calls_and_their_results_in_the_next_round(provider, client, stream):
    provider.will(
        calls(Text(("Looking.",)), *BOTH, interleaved=True), text("Warm and cold."))
    question = ask("Which is warmer?", tools=(WEATHER,))
    reply = client.ask("m", question, stream)
    told = [("call_1", "weather", {"city": "Rome"}), ("call_2", "weather", {"city": "Oslo"})]
    assert (reply.text, reply.calls) == ("Looking.", told)
    assert reply.finish == {"chat": "tool_calls", "messages": "tool_use", "responses": "completed"}[client.dialect]
    question = question.then(Past(reply), Result("call_1", "24"), Result("call_2", "3"))
    assert client.ask("m", question, stream).text == "Warm and cold."
    assert turns(provider.dialect, provider.asked) == [
        ("user", "Which is warmer?"), ("assistant", "Looking."), *(("call", *call) for call in told),
        ("result", "call_1", "24"), ("result", "call_2", "3")]


def test_thoughts_are_accepted_back_unchanged(provider, client, stream):
    thought = Reasoning(("Let me ", "see."))
    provider.will(calls(thought, BOTH[0]), text("Warm."))
    question = ask("Weather?", tools=(WEATHER,), effort="low")
    reply = client.ask("m", question, stream)
    assert reply.reasoning == "Let me see."
    client.ask("m", question.then(Past(reply), Result("call_1", "24")), stream)
    signature = None if provider.dialect == "chat" else thought.signature
    assert ("thought", "Let me see.", signature) in turns(provider.dialect, provider.asked)


def test_every_end(provider, client, stream):
    for finish, word in provider.wire.FINISHES.items():
        provider.will(Answer((Text(("Well",)),), finish))
        status, reason = word if isinstance(word, tuple) else (word, None)
        assert client.ask("m", ask("Hello"), stream).finish == ((status, reason) if reason else status)


def test_refusal(provider, client, stream):
    provider.will(Answer((Refusal(("I ", "will not.")),), FILTERED if provider.dialect == "messages" else STOP))
    reply = client.ask("m", ask("Hello"), stream)
    assert reply.refusal == ("" if provider.dialect == "messages" else "I will not.") and reply.text == ""


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 429, 500, 503, 529])
def test_failures(provider, client, stream, status):
    provider.will(Failure(status, "No.", retry_after="7"))
    with pytest.raises(client.ERROR) as caught:
        client.ask("m", ask("Hello"), stream)
    error = caught.value
    assert error.status_code == status and error.response.headers["retry-after"] == "7" and "No." in error.message


def test_broken_streams_have_no_end(provider, client):
    answer = text("Hel", "lo")
    last = len(provider.wire.events(answer, {"model": "m"})) - 1
    for events in range(1, last):
        provider.will(Broken(answer, events, error=True), Broken(answer, events))
        with pytest.raises(client.ERROR):
            client.ask("m", ask("Hello"), stream=True)
        with pytest.raises(Exception, match="peer closed|Connection error"):
            client.ask("m", ask("Hello"), stream=True)


def test_images_and_files_are_accepted(provider, client):
    shown = [Image(data_url("image/png", b"\x89PNG")), Image("https://example.org/a.png"), Pdf("JVBERi0=")]
    provider.will(text("Nice."))
    client.ask("m", ask("What is this?", *shown))
    assert turns(provider.dialect, provider.asked) == [
        ("user", "What is this?"), ("image", shown[0].url), ("image", shown[1].url), ("file", "JVBERi0=")]
