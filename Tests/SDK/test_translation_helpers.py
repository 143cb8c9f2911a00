"""The SDKs' stream helpers, which are stricter than a loop over events, through a translation."""

import json

import pytest

from dialects.answers import Call, Reasoning, Text, calls
from dialects.chat.client import request as chat_request
from dialects.messages.client import request as messages_request
from dialects.questions import Tool, ask
from dialects.responses.client import request as responses_request
from translation import way, ways  # noqa: F401  (fixtures)

WEATHER = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}})
QUESTION = ask("Which is warmer?", tools=(WEATHER,), effort="low")
ANSWER = calls(
    Reasoning(("Hm",)), Text(("Let me ", "look.")), Call("call_1", "weather", ('{"city":', ' "Rome"}')),
    Call("call_2", "weather", ('{"city": "Oslo"}',)))
CALLS = [("call_1", {"city": "Rome"}), ("call_2", {"city": "Oslo"})]


def _chat(sdk, model):
    with sdk.chat.completions.stream(model=model, **chat_request(QUESTION)) as stream:
        for _ in stream:
            pass
        message = stream.get_final_completion().choices[0].message
    return message.content, [(call.id, json.loads(call.function.arguments)) for call in message.tool_calls]


def _messages(sdk, model):
    with sdk.messages.stream(model=model, **messages_request(QUESTION)) as stream:
        blocks = stream.get_final_message().content
    text = "".join(block.text for block in blocks if block.type == "text")
    return text, [(block.id, block.input) for block in blocks if block.type == "tool_use"]


def _responses(sdk, model):
    with sdk.responses.stream(model=model, **responses_request(QUESTION)) as stream:
        response = stream.get_final_response()
    items = [item for item in response.output if item.type == "function_call"]
    return response.output_text, [(item.call_id, json.loads(item.arguments)) for item in items]


@pytest.mark.parametrize("interleaved", [False, True], ids=["in order", "interleaved"])
def test_helper_assembles_the_response(way, interleaved):  # noqa: F811
    way.upstream.will(calls(*ANSWER.pieces, interleaved=interleaved))
    helper = {"chat": _chat, "messages": _messages, "responses": _responses}[way.client.dialect]
    text, told = helper(way.client.sdk, way.model)
    assert text == "Let me look."
    assert told == CALLS
