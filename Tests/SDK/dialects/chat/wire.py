"""Response format of Chat Completions."""

import json

from dialects.answers import (
    CALLS, CONTEXT, FILTERED, LENGTH, STOP, STOP_SEQUENCE, Answer, Call, Reasoning, Refusal, Text)
from dialects.openai_rules import error

PATH = "/v1/chat/completions"
REQUEST_ID = "x-request-id"
FINISHES = {
    STOP: "stop", STOP_SEQUENCE: "stop", LENGTH: "length", CONTEXT: "length", CALLS: "tool_calls",
    FILTERED: "content_filter"}
_MEMBERS = {Text: "content", Reasoning: "reasoning_content", Refusal: "refusal"}


def error_body(status: int, message: str, refused=None) -> dict:
    return error((status, message), *((refused.param, refused.code) if refused else ()))


def whole(answer: Answer, request: dict) -> dict:
    message = {"role": "assistant", "content": None, "refusal": None, "annotations": []}
    for piece in answer.pieces:
        if isinstance(piece, Call):
            call = {"id": piece.id, "type": "function", "function": {"name": piece.name, "arguments": piece.arguments}}
            message.setdefault("tool_calls", []).append(call)
        else:
            member = _MEMBERS[type(piece)]
            message[member] = (message.get(member) or "") + piece.whole
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": FINISHES[answer.finish]}
    return {**_head(request, "chat.completion"), "choices": [choice], "usage": _usage(answer)}


def events(answer: Answer, request: dict) -> list:
    asked = (request.get("stream_options") or {}).get("include_usage")
    shared = {"usage": None} if asked else {}

    def chunk(delta: dict, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _event({**_head(request, "chat.completion.chunk"), "choices": [choice], **shared})

    result = [chunk({"role": "assistant", "content": "", "refusal": None})]
    result += [chunk(delta) for delta in _deltas(answer)]
    result.append(chunk({}, FINISHES[answer.finish]))
    if asked:
        result.append(_event({**_head(request, "chat.completion.chunk"), "choices": [], "usage": _usage(answer)}))
    return result + [b"data: [DONE]\n\n"]


def error_event(_number: int) -> bytes:
    return _event(error((500, "scripted error in the stream")))


def _deltas(answer: Answer) -> list:
    result = []
    calls = [piece for piece in answer.pieces if isinstance(piece, Call)]
    for piece in answer.pieces:
        if not isinstance(piece, Call):
            result += [{_MEMBERS[type(piece)]: delta} for delta in piece.deltas]
        elif not answer.interleaved:
            result += _fragments(piece, calls.index(piece))
    if answer.interleaved:
        rows = [_fragments(call, index) for index, call in enumerate(calls)]
        longest = max(map(len, rows), default=0)
        result += [row[place] for place in range(longest) for row in rows if place < len(row)]
    return result


def _fragments(call: Call, index: int) -> list:
    start = {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
    rest = [{"index": index, "function": {"arguments": fragment}} for fragment in call.fragments]
    return [{"tool_calls": [fragment]} for fragment in [start, *rest]]


def _usage(answer: Answer) -> dict:
    usage = answer.usage
    return {
        "prompt_tokens": usage.input, "completion_tokens": usage.output, "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {
            "cached_tokens": usage.cached, "cache_write_tokens": usage.written, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": usage.reasoning, "audio_tokens": 0, "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0}}


def _head(request: dict, kind: str) -> dict:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 1790000000, "model": request["model"],
        "service_tier": "default", "system_fingerprint": None}


def _event(document: dict) -> bytes:
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n".encode()
