"""Ollama's Python client, unchanged, on models of every provider."""

import json
import urllib.error
import urllib.request

import ollama
import pytest
from pydantic import BaseModel

from dialects.answers import (
    FILTERED, LENGTH, PAUSED, STOP, Answer, Broken, Call, Failure, Reasoning, Text, Usage, calls, text)
from dialects.upstream import StrictUpstream
from gateways import KEY, UPSTREAM_KEY, gateways  # noqa: F401  (fixture)
from ollama_ways import PNG, UPSTREAM_MODEL, configuration, stream, way, ways  # noqa: F401  (fixtures)

SCHEMA = {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
WEATHER = {"type": "function", "function": {"name": "weather", "description": "Tells it.", "parameters": SCHEMA}}
ROME = Call("call_Rome", "weather", ('{"ci', 'ty": "Ro', 'me"}'))
OSLO = Call("call_Oslo", "weather", ('{"city":', ' "\u00d8slo \\"N\\""}'))
ENDS = {STOP: "stop", LENGTH: "length", FILTERED: "content_filter", PAUSED: "length"}


def test_text_arrives_unchanged(way, stream):  # noqa: F811
    deltas = ("Hel", "lo, ", "w\u00f6rld", " \U0001f30d", "\n\nline \"two\"\\")
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say hello."}]
    reply = way.chat(messages, text(*deltas), stream=stream)
    assert reply.message.content == "".join(deltas)
    assert (reply.model, reply.done, reply.done_reason) == (way.model, True, "stop")
    assert way.turns == [("system", "Be brief."), ("user", "Say hello.")]
    [received] = way.upstream.received
    assert received.body["model"] == UPSTREAM_MODEL
    assert UPSTREAM_KEY in (received.headers.get("x-api-key") or received.headers["authorization"])


def test_end_counts_tokens_and_time(way, stream):  # noqa: F811
    reply = way.chat("Hello", text("Hi", usage=Usage(input=50, output=20)), stream=stream)
    assert (reply.prompt_eval_count, reply.eval_count) == (50, 20)
    assert reply.total_duration == reply.prompt_eval_duration + reply.eval_duration > 0
    assert reply.eval_duration > 0 and reply.load_duration == 0
    assert reply.created_at.endswith("Z")


@pytest.mark.parametrize("finish", ENDS)
def test_every_end_has_its_word(way, stream, finish):  # noqa: F811
    if finish not in way.upstream.wire.FINISHES:
        pytest.skip(f"the {way.upstream.dialect} dialect has no such end")
    assert way.chat("Hello", Answer((Text(("Well",)),), finish), stream=stream).done_reason == ENDS[finish]


def test_tools_go_through_two_rounds(way, stream):  # noqa: F811
    messages = [{"role": "user", "content": "Which is warmer?"}]
    reply = way.chat(messages, calls(Text(("Let me ", "look.")), ROME, OSLO), stream=stream, tools=[WEATHER])
    assert reply.message.content == "Let me look."
    told = [(call.function.name, call.function.arguments) for call in reply.message.tool_calls]
    assert told == [("weather", {"city": "Rome"}), ("weather", {"city": "\u00d8slo \"N\""})]
    assert way.wishes["tools"] == {"weather": SCHEMA}
    # The client stores no call ids, so results must be in the order of their calls.
    messages += [reply.message, {"role": "tool", "tool_name": "weather", "content": "24"},
        {"role": "tool", "tool_name": "weather", "content": "3"}]
    reply = way.chat(messages, text("Rome."), stream=stream, tools=[WEATHER])
    assert reply.message.content == "Rome."
    first, second = (turn[1] for turn in way.turns if turn[0] == "call")
    assert first != second
    assert way.turns == [
        ("user", "Which is warmer?"), ("assistant", "Let me look."), ("call", first, *told[0]),
        ("call", second, *told[1]), ("result", first, "24"), ("result", second, "3")]


def test_python_function_is_a_tool(way):  # noqa: F811
    def weather(city: str, days: int = 1) -> str:
        """
        Tells the weather.

        Args:
            city: Where.
            days: How many.
        """

    reply = way.chat("Weather?", calls(ROME), tools=[weather])
    assert reply.message.tool_calls[0].function.arguments == {"city": "Rome"}
    assert way.wishes["tools"]["weather"]["properties"]["days"]["type"] == "integer"


def test_images_are_shown(way):  # noqa: F811
    way.chat([{"role": "user", "content": "What is this?", "images": [PNG]}], text("A dot."))
    [url] = [turn[1] for turn in way.turns if turn[0] == "image"]
    assert url.startswith("data:image/png;base64,iVBOR")


def test_thinking_is_requested_and_shown(way, stream):  # noqa: F811
    answer = Answer((Reasoning(("Hm", ", so.")), Text(("Yes.",))))
    model = "claude-sonnet-4-6" if way.upstream.dialect == "messages" else None
    reply = way.chat("Is it?", answer, stream=stream, think="high", model=model)
    assert reply.message.content == "Yes."
    if way.upstream.dialect != "chat" or reply.message.thinking:
        assert reply.message.thinking == "Hm, so."
    assert way.wishes["effort"] == "high"


def test_reply_has_the_requested_form(way, stream):  # noqa: F811
    class Place(BaseModel):
        city: str

    model = "claude-sonnet-4-6" if way.upstream.dialect == "messages" else None
    reply = way.chat("Where?", text('{"city": "Rome"}'), stream=stream, format=Place.model_json_schema(), model=model)
    assert Place.model_validate_json(reply.message.content).city == "Rome"
    schema = way.wishes["schema"]
    assert schema["properties"]["city"]["type"] == "string" and schema["additionalProperties"] is False


def test_options_reach_the_upstream_and_others_are_named(way):  # noqa: F811
    way.upstream.will(text("Hi"))
    body = {
        "model": way.model, "messages": [{"role": "user", "content": "Hello"}], "stream": False, "keep_alive": "5m",
        "options": {"temperature": 0.5, "num_predict": 33, "num_ctx": 8192}}
    request = urllib.request.Request(
        way.url + "/api/chat", json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"})
    with urllib.request.urlopen(request) as response:
        assert response.headers["x-headgate-dropped"] == "options.num_ctx"
    assert way.upstream.asked["temperature"] == 0.5
    assert way.wishes["limit"] == 33


def test_prompt_is_answered(way, stream):  # noqa: F811
    way.upstream.will(text("Rome", "."))
    answer = way.client.generate(way.model, "Where?", system="Be brief.", stream=stream)
    told = "".join(part.response for part in answer) if stream else answer.response
    assert told == "Rome."
    assert way.turns == [("system", "Be brief."), ("user", "Where?")]


# MARK: Failures


@pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503])
def test_error_is_a_text_with_the_status(way, stream, status):  # noqa: F811
    with pytest.raises(ollama.ResponseError, match="scripted words") as caught:
        way.chat("Hello", Failure(status, "scripted words"), stream=stream)
    assert caught.value.status_code == status


def test_truncated_stream_is_never_done(way):  # noqa: F811
    answer = text("Hel", "lo")
    way.chat("Hello", answer, stream=True)
    tail = {"chat": 2, "messages": 1, "responses": 0}[way.upstream.dialect]
    events = len(way.upstream.wire.events(answer, way.upstream.asked)) - tail
    for count in range(1, events):
        for error in (False, True):
            way.upstream.will(Broken(answer, count, error=error))
            lines = []
            with pytest.raises(ollama.ResponseError) as caught:
                lines += way.client.chat(way.model, [{"role": "user", "content": "Hello"}], stream=True)
            assert caught.value.error and not any(line.done for line in lines)


def test_without_a_key_nothing_is_answered(ways):  # noqa: F811
    url = ways["chat"].url
    with ollama.Client(url) as client:
        with pytest.raises(ollama.ResponseError) as caught:
            client.chat("chat-model", [{"role": "user", "content": "Hello"}])
    assert caught.value.status_code == 401 and caught.value.error


def test_key_of_the_environment_is_sent(ways, monkeypatch):  # noqa: F811
    monkeypatch.setenv("OLLAMA_API_KEY", KEY)
    monkeypatch.setenv("OLLAMA_HOST", ways["chat"].url)
    with ollama.Client() as client:
        assert client.show("chat-model").capabilities == ["completion", "tools"]


# MARK: Models


def test_models_are_listed_and_shown(ways):  # noqa: F811
    client = ways["chat"].client
    listed = client.list().models
    assert [model.model for model in listed] == ["chat-model", "messages-model", "responses-model", "claude-sonnet-4-6"]
    assert all(len(model.digest) == 64 and model.modified_at for model in listed)
    assert client.show("messages-model:latest").capabilities == ["completion", "tools", "vision"]
    # These upstreams are local.
    assert len(client.ps().models) == 4
    with pytest.raises(ollama.ResponseError) as caught:
        client.show("nobody")
    assert caught.value.status_code == 404


def test_model_is_loaded_and_unloaded_without_a_prompt(ways):  # noqa: F811
    client = ways["chat"].client
    assert client.generate("chat-model").done_reason == "load"
    assert client.generate("chat-model", keep_alive=0).done_reason == "unload"
    assert client.chat("chat-model", []).done_reason == "load"


@pytest.mark.parametrize("call", [
    lambda client: client.pull("chat-model"), lambda client: client.push("chat-model"),
    lambda client: client.delete("chat-model"), lambda client: client.copy("chat-model", "other"),
    lambda client: client.create("other", from_="chat-model")])
def test_model_files_are_not_managed(ways, call):  # noqa: F811
    with pytest.raises(ollama.ResponseError, match="keeps no files of models") as caught:
        call(ways["chat"].client)
    assert caught.value.status_code == 501


# MARK: A separate listener


def get(url: str, key: str | None = None) -> tuple[int, str, str]:
    """Returns status, content type and body."""
    fields = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=fields)) as response:
            return response.status, response.headers["Content-Type"], response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read().decode()


def test_separate_listener_serves_only_ollamas_routes(gateways):  # noqa: F811
    upstream = StrictUpstream("chat")
    try:
        listen = "['127.0.0.1:0', {address: '127.0.0.1:0', api: ollama}]"
        gateway = gateways.start(configuration({"chat": upstream}, listen, more=False))
        whole, own = gateway.urls
        assert get(own + "/") == (200, "text/plain; charset=utf-8", "Ollama is running")
        assert get(whole + "/")[1].startswith("text/html")
        for path in ("/livez", "/status", "/docs", "/openapi.yaml", "/models", "/web/chat.js"):
            status, _, body = get(own + path)
            assert status == 404 and "Ollama's API" in json.loads(body)["error"]["message"], path
        assert get(own + "/v1/models", KEY)[0] == get(own + "/api/version")[0] == 200
        assert get(own + "/api/tags")[0] == 401
        upstream.will(text("Hi"))
        with ollama.Client(own, headers={"Authorization": f"Bearer {KEY}"}) as client:
            answer = client.chat("chat-model:latest", [{"role": "user", "content": "Hello"}])
        assert answer.message.content == "Hi"
        # A reload keeps the listener open, and changes its routes.
        gateway.write(configuration({"chat": upstream}, listen.replace(", api: ollama", ""), more=False))
        assert gateway.reload().returncode == 0
        assert get(own + "/livez")[0] == 200
    finally:
        upstream.close()
