"""Gemini's OpenAI endpoint, as a stand-in that requires signatures and does not number calls, with every kind of
client."""

import http.server
import json
import threading
from pathlib import Path

import pytest

from dialects.clients import CLIENTS
from dialects.questions import Past, Result, Tool, User, ask
from gateways import KEY, KEYS, Gateways, short_folder

WEATHER = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}})
SIGNATURE = "c2lnbmF0dXJl" * 20
MEMBERS = {
    "model", "messages", "stream", "stream_options", "tools", "tool_choice", "reasoning_effort", "extra_body", "stop",
    "max_tokens", "max_completion_tokens", "temperature", "top_p", "n", "response_format", "user",
}
USAGE = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 30}


def call(number: int, city: str, signed: bool) -> dict:
    """Returns a call as Gemini writes it: without an index, and with a signature only on the first call of a step."""
    member = {"id": f"function-call-{number}", "type": "function",
              "function": {"name": "weather", "arguments": json.dumps({"city": city})}}
    return member | ({"extra_content": {"google": {"thought_signature": SIGNATURE}}} if signed else {})


def refusal(body: dict) -> str | None:
    unknown = sorted(set(body) - MEMBERS)
    if unknown:
        return f'Invalid JSON payload received. Unknown name "{unknown[0]}": Cannot find field.'
    google = body.get("extra_body", {}).get("google", {})
    if "reasoning_effort" in body and "thinking_config" in google:
        return "Expected one of either `reasoning_effort` or custom `thinking_config`; found both."
    for place, message in enumerate(body["messages"]):
        calls = message.get("tool_calls")
        if calls and calls[0].get("extra_content", {}).get("google", {}).get("thought_signature") != SIGNATURE:
            return f"Function call `weather` in the {place}. content block is missing a `thought_signature`."
    return None


class Gemini(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body))
        if fault := refusal(body):
            error = [{"error": {"code": 400, "message": fault, "status": "INVALID_ARGUMENT"}}]
            return self.send(400, "application/json", json.dumps(error).encode())
        message = {"role": "assistant", "content": "Warm."}
        # Gemini's finish reason is "stop" for calls, too.
        if body["messages"][-1]["role"] == "user" and body.get("tools"):
            message = {"role": "assistant", "tool_calls": [call(1, "Rome", True), call(2, "Oslo", False)]}
        if not body.get("stream"):
            answer = {"choices": [{"finish_reason": "stop", "index": 0, "message": message}], "created": 1,
                      "id": "g1", "model": body["model"], "object": "chat.completion", "usage": USAGE}
            return self.send(200, "application/json", json.dumps(answer).encode())
        steps = [[one] for one in message.get("tool_calls", [])]
        if "at once" in body["messages"][-1]["content"]:
            steps = [message.get("tool_calls", [])]
        deltas = [{"role": "assistant", "tool_calls": calls} for calls in steps] if (
            "tool_calls" in message) else [{"role": "assistant", "content": word} for word in ("Wa", "rm.")]
        events = []
        for place, delta in enumerate(deltas):
            choice = {"delta": delta, "index": 0} | ({"finish_reason": "stop"} if place == len(deltas) - 1 else {})
            events.append({"choices": [choice], "created": 1, "id": "g1", "model": body["model"],
                           "object": "chat.completion.chunk", "usage": USAGE})
        text = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
        self.send(200, "text/event-stream", text.encode())

    def send(self, status: int, kind: str, body: bytes):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def running():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gemini)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    with short_folder() as folder:
        gateways = Gateways(Path(folder))
        try:
            server.gateway = gateways.start(
                "listen: 127.0.0.1:0\nledger: none\nupstreams:\n  gemini:\n    kind: openai\n    speaks: [chat]\n"
                f"    base_url: http://127.0.0.1:{server.server_port}/v1beta/openai\n    api_key: ${{UPSTREAM_KEY}}\n"
                f"models: {{gemini: {{upstream: gemini, model: gemini-3.8-flash}}}}\n{KEYS}")
            yield server
            gateways.end()
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


@pytest.fixture
def gemini(running):
    running.asked.clear()
    return running


@pytest.fixture(params=["messages", "responses"])
def client(request, gemini):
    client = CLIENTS[request.param](gemini.gateway.urls[0], KEY)
    yield client
    client.close()


@pytest.mark.parametrize("stream", [False, True])
def test_unnumbered_calls_stay_separate_and_signatures_return(gemini, client, stream):
    asked = ask("Weather?", tools=(WEATHER,))
    reply = client.ask("gemini", asked, stream)
    assert [(name, arguments) for _, name, arguments in reply.calls] == [
        ("weather", {"city": "Rome"}), ("weather", {"city": "Oslo"})]
    # The finish reason reports calls, although Gemini's does not.
    assert reply.finish in ("tool_use", "completed")
    ids = [id for id, _, _ in reply.calls]
    asked = asked.then(Past(reply), Result(ids[0], "24"), Result(ids[1], "3"))
    reply = client.ask("gemini", asked, stream)
    assert reply.text == "Warm."
    path, body = gemini.asked[-1]
    assert path == "/v1beta/openai/chat/completions" and body["model"] == "gemini-3.8-flash"
    [calls] = [message["tool_calls"] for message in body["messages"] if message.get("tool_calls")]
    assert [one["id"] for one in calls] == ["function-call-1", "function-call-2"]
    assert [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"] == [
        "function-call-1", "function-call-2"]


@pytest.mark.parametrize("effort", ["low", "medium", "high"])
def test_thinking_is_requested_in_geminis_terms(gemini, client, effort):
    assert client.ask("gemini", ask("Weather?", effort=effort)).text == "Warm."
    _, body = gemini.asked[-1]
    assert body["reasoning_effort"] == effort and "extra_body" not in body


def chat(gemini, **members):
    with gemini.gateway.connect() as connection:
        request = {"model": "gemini", "messages": [{"role": "user", "content": "Weather?"}]} | members
        return connection.ask("POST", "/v1/chat/completions", request)


def test_chat_clients_have_geminis_members_both_ways(gemini):
    tool = {"type": "function", "function": {"name": "weather", "parameters": WEATHER.parameters}}
    thinking = {"google": {"thinking_config": {"thinking_budget": 512, "include_thoughts": True}}}
    answer = chat(gemini, tools=[tool], extra_body=thinking)
    message = answer.document["choices"][0]["message"]
    assert message["tool_calls"][0]["extra_content"]["google"]["thought_signature"] == SIGNATURE
    assert gemini.asked[-1][1]["extra_body"] == thinking
    history = [{"role": "user", "content": "Weather?"}, message] + [
        {"role": "tool", "tool_call_id": one["id"], "content": "24"} for one in message["tool_calls"]]
    assert chat(gemini, messages=history, tools=[tool]).document["choices"][0]["message"]["content"] == "Warm."
    # A client that drops the signature receives Gemini's own error.
    del message["tool_calls"][0]["extra_content"]
    refused = chat(gemini, messages=history, tools=[tool])
    assert refused.status == 400 and "missing a `thought_signature`" in refused.message


@pytest.mark.parametrize("words", ["Weather?", "Weather at once?"])
def test_calls_of_a_chat_stream_are_numbered_for_the_sdk(gemini, words):
    tool = {"type": "function", "function": {"name": "weather", "parameters": WEATHER.parameters}}
    client = CLIENTS["chat"](gemini.gateway.urls[0], KEY)
    try:
        with client.sdk.chat.completions.stream(
                model="gemini", messages=[{"role": "user", "content": words}], tools=[tool]) as stream:
            calls = stream.get_final_completion().choices[0].message.tool_calls
    finally:
        client.close()
    assert [(one.id, one.function.name, json.loads(one.function.arguments)) for one in calls] == [
        ("function-call-1", "weather", {"city": "Rome"}), ("function-call-2", "weather", {"city": "Oslo"})]


def test_chat_streams_pass_with_their_members(gemini):
    tool = {"type": "function", "function": {"name": "weather", "parameters": WEATHER.parameters}}
    answer = chat(gemini, tools=[tool], stream=True)
    lines = [line[6:] for line in answer.body.decode().split("\n\n") if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    calls = [one for line in lines[:-1] for choice in json.loads(line)["choices"]
             for one in choice["delta"].get("tool_calls", [])]
    assert [(one["index"], one["id"]) for one in calls] == [(0, "function-call-1"), (1, "function-call-2")]
    assert calls[0]["extra_content"]["google"]["thought_signature"] == SIGNATURE


def test_members_unknown_to_gemini_are_named(gemini):
    refused = chat(gemini, logit_bias={})
    assert refused.status == 400 and 'Unknown name "logit_bias"' in refused.message
    assert chat(gemini, reasoning_effort="low").status == 200
    both = chat(gemini, reasoning_effort="low", extra_body={"google": {"thinking_config": {"thinking_budget": 1}}})
    assert both.status == 400 and "found both" in both.message
