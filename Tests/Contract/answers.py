"""Responses of the scripted upstream on every relay route, in the shapes that the SDKs' strict models require."""

import base64
import json
import struct

# Maps each public model name to the upstream that serves it. The document's examples use these names.
MODELS = {
    "smollm2": "openai",
    "text-embedding-3-small": "openai",
    "omni-moderation-latest": "openai",
    "gpt-image-1": "openai",
    "gpt-4o-mini-tts": "openai",
    "whisper-1": "openai",
    "rerank-v3.5": "openai",
    "gpt-6-luna": "openai",
    "claude-haiku-4-5": "anthropic",
}

TEXT = "Hello, w\u00f6rld \U0001f30d."
PIECES = ["Hello, ", "w\u00f6rld", " \U0001f30d."]
VECTOR = [0.5, -0.25, 1.0]
SOUND = bytes(range(256)) * 8
RESPONSE_ID = "resp_1"
# The id of a response that is unknown everywhere else, as if each deletion had removed it.
DELETED_ID = "resp_2"

_CHAT = {"id": "chatcmpl-1", "created": 1700000000, "model": "smollm2"}
_USAGE = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
_TOKENS = {"input_tokens": 9, "output_tokens": 3}
_CATEGORIES = (
    "harassment", "harassment/threatening", "hate", "hate/threatening", "illicit", "illicit/violent", "self-harm",
    "self-harm/instructions", "self-harm/intent", "sexual", "sexual/minors", "violence", "violence/graphic",
)  # fmt: skip
CALLS = [("call_1", "weather", '{"city":"Oslo"}'), ("call_2", "time", '{"zone":"CET"}')]


def script(upstream_key: str) -> dict:
    """Returns the complete script; the upstream uses the first exchange that matches, any number of times."""
    bearer = {"authorization": f"Bearer {upstream_key}"}
    api_key = {"x-api-key": upstream_key}
    exchanges = [
        _exchange("POST", "/v1/chat/completions", bearer, _events(_chat_stream()), stream=True),
        _exchange("POST", "/v1/chat/completions", bearer, _json(_chat())),
        _exchange("POST", "/v1/completions", bearer, _events(_completion_stream()), stream=True),
        _exchange("POST", "/v1/completions", bearer, _json(_completion("stop", TEXT, usage=_USAGE))),
        _exchange("POST", "/v1/embeddings", bearer, _json(_embeddings(_base64())), contains=['"base64"']),
        _exchange("POST", "/v1/embeddings", bearer, _json(_embeddings(VECTOR))),
        _exchange("POST", "/v1/moderations", bearer, _json(_moderation())),
        _exchange("POST", "/v1/images/generations", bearer, _json(_images())),
        _exchange("POST", "/v1/images/edits", bearer, _json(_images())),
        _exchange("POST", "/v1/images/variations", bearer, _json(_images())),
        _exchange("POST", "/v1/audio/speech", bearer, _sound()),
        _exchange("POST", "/v1/audio/transcriptions", bearer, _json({"text": "The gate is open."})),
        _exchange("POST", "/v1/audio/translations", bearer, _json({"text": "The gate is open."})),
        _exchange("POST", "/v1/rerank", bearer, _json({"model": "rerank-v3.5", "results": []})),
        _exchange("POST", "/v1/responses", bearer, _events(_response_stream()), stream=True),
        _exchange("POST", "/v1/responses", bearer, _json(_response())),
        _exchange("POST", "/v1/responses/compact", bearer, _json(_compaction())),
        _exchange(
            "POST", "/v1/responses/input_tokens", bearer,
            _json({"object": "response.input_tokens", "input_tokens": 9})),
        _exchange("GET", f"/v1/responses/{RESPONSE_ID}?stream=true", bearer, _events(_response_stream())),
        _exchange("GET", f"/v1/responses/{RESPONSE_ID}", bearer, _json(_response())),
        _exchange("DELETE", f"/v1/responses/{DELETED_ID}", bearer, _json(_deleted())),
        _exchange("POST", f"/v1/responses/{RESPONSE_ID}/cancel", bearer, _json(_response(status="cancelled"))),
        _exchange("GET", f"/v1/responses/{RESPONSE_ID}/input_items", bearer, _json(_input_items())),
        _exchange("POST", "/v1/messages", api_key, _events(_message_stream()), stream=True),
        _exchange("POST", "/v1/messages", api_key, _json(_message())),
        _exchange("POST", "/v1/messages/count_tokens", api_key, _json({"input_tokens": 9})),
        # This id is unknown to the upstream; a request that arrives without the upstream's key is a fault of the
        # gateway.
        {"expect": {"headers": bearer}, "response": _json(_not_found(), status=404)},
        {"response": {"status": 418, "headers": {"Content-Type": "text/plain"}, "body": "not the upstream's key"}},
    ]
    return {"exchanges": exchanges, "repeat": True}


def _exchange(method, path, headers, response, stream=None, contains=()) -> dict:
    expect = {"method": method, "path": path, "headers": headers, "body_contains": list(contains)}
    if stream is not None:
        expect["stream"] = stream
    return {"name": f"{method} {path}", "expect": expect, "response": response}


def _json(document, status=200) -> dict:
    body = json.dumps(document, ensure_ascii=False)
    return {"status": status, "headers": {"Content-Type": "application/json"}, "body": body}


def _events(text: str) -> dict:
    # The pieces never end at the end of an event.
    chunks = [{"text": text[start : start + 41]} for start in range(0, len(text), 41)]
    return {"status": 200, "headers": {"Content-Type": "text/event-stream"}, "chunks": chunks}


def _sound() -> dict:
    chunks = [{"base64": base64.b64encode(SOUND).decode()}]
    return {"status": 200, "headers": {"Content-Type": "audio/mpeg"}, "chunks": chunks}


def _data(document, event=None) -> str:
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {json.dumps(document, ensure_ascii=False)}\n\n"


def _not_found() -> dict:
    return {"error": {"message": "Not found.", "type": "invalid_request_error", "param": None, "code": None}}


# --- OpenAI ----------------------------------------------------------------------------------------------------------


def _chat() -> dict:
    calls = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in CALLS]
    message = {"role": "assistant", "content": TEXT, "refusal": None, "tool_calls": calls, "annotations": []}
    logprobs = {"content": [{"token": "H", "bytes": [72], "logprob": -0.5, "top_logprobs": []}], "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": logprobs, "finish_reason": "stop"}
    return {**_CHAT, "object": "chat.completion", "choices": [choice], "usage": _USAGE}


def _chat_stream() -> str:
    def chunk(delta, finish=None):
        choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
        return _data({**_CHAT, "object": "chat.completion.chunk", "choices": choices, "usage": None})

    def call(index, name):
        identifier, function, _ = CALLS[index]
        fragment = {"index": index, "id": identifier, "type": "function"}
        return {"tool_calls": [{**fragment, "function": {"name": function, "arguments": name}}]}

    def arguments(index):
        return {"tool_calls": [{"index": index, "function": {"arguments": CALLS[index][2]}}]}

    deltas = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in PIECES)]
    # The stream has two calls at once, whose fragments alternate.
    deltas += [call(0, ""), call(1, ""), arguments(1), arguments(0)]
    usage = _data({**_CHAT, "object": "chat.completion.chunk", "choices": [], "usage": _USAGE})
    return "".join(map(chunk, deltas)) + chunk({}, "stop") + usage + "data: [DONE]\n\n"


def _completion(finish, text, **more) -> dict:
    choice = {"index": 0, "text": text, "logprobs": None, "finish_reason": finish}
    return {**_CHAT, "id": "cmpl-1", "object": "text_completion", "choices": [choice], **more}


def _completion_stream() -> str:
    # OpenAI's streams end with a piece that has the finish reason. Its SDK's model does not allow null in the others.
    pieces = "".join(_data(_completion("stop", piece)) for piece in PIECES)
    usage = _data({**_completion("stop", ""), "choices": [], "usage": _USAGE})
    return pieces + usage + "data: [DONE]\n\n"


def _embeddings(vector) -> dict:
    data = [{"object": "embedding", "index": 0, "embedding": vector}]
    usage = {"prompt_tokens": 9, "total_tokens": 9}
    return {"object": "list", "data": data, "model": "text-embedding-3-small", "usage": usage}


def _base64() -> str:
    return base64.b64encode(struct.pack(f"<{len(VECTOR)}f", *VECTOR)).decode()


def _moderation() -> dict:
    result = {
        "flagged": False,
        "categories": dict.fromkeys(_CATEGORIES, False),
        "category_scores": dict.fromkeys(_CATEGORIES, 0.01),
        "category_applied_input_types": {name: ["text"] for name in _CATEGORIES},
    }
    return {"id": "modr-1", "model": "omni-moderation-latest", "results": [result]}


def _images() -> dict:
    details = {"image_tokens": 0, "text_tokens": 9}
    usage = {"input_tokens": 9, "input_tokens_details": details, "output_tokens": 100, "total_tokens": 109}
    return {"created": 1700000000, "data": [{"b64_json": base64.b64encode(b"picture").decode()}], "usage": usage}


# --- Responses -------------------------------------------------------------------------------------------------------


def _part(text) -> dict:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _item(status, *parts) -> dict:
    return {"id": "msg_1", "type": "message", "role": "assistant", "status": status, "content": list(parts)}


def _response(status="completed", output=None) -> dict:
    usage = {
        **_TOKENS,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 12,
    }
    return {
        "id": RESPONSE_ID,
        "object": "response",
        "created_at": 1700000000,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "model": "gpt-6-luna",
        "output": [_item("completed", _part(TEXT))] if output is None else output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": None if status == "in_progress" else usage,
    }


def _response_stream() -> str:
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    running = _response("in_progress", [])
    events = [
        {"type": "response.created", "response": running},
        {"type": "response.in_progress", "response": running},
        {"type": "response.output_item.added", "output_index": 0, "item": _item("in_progress")},
        {"type": "response.content_part.added", **place, "part": _part("")},
        *({"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []} for piece in PIECES),
        {"type": "response.output_text.done", **place, "text": TEXT, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": _part(TEXT)},
        {"type": "response.output_item.done", "output_index": 0, "item": _item("completed", _part(TEXT))},
        {"type": "response.completed", "response": _response()},
    ]
    numbered = ({**event, "sequence_number": number} for number, event in enumerate(events))
    return "".join(_data(event, event["type"]) for event in numbered)


def _compaction() -> dict:
    item = {"type": "compaction", "id": "cmp_1", "encrypted_content": "AAAA"}
    return {
        "id": "resp_3", "object": "response.compaction", "created_at": 1700000000, "output": [item],
        "usage": {
            "input_tokens": 9, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 3, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 12},
    }


def _deleted() -> dict:
    return {"id": DELETED_ID, "object": "response", "deleted": True}


def _input_items() -> dict:
    content = [{"type": "input_text", "text": "Say hello."}]
    item = {"id": "msg_0", "type": "message", "role": "user", "status": "completed", "content": content}
    return {"object": "list", "data": [item], "first_id": "msg_0", "last_id": "msg_0", "has_more": False}


# --- Anthropic -------------------------------------------------------------------------------------------------------


def _message(**changes) -> dict:
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": [{"type": "text", "text": TEXT}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": _TOKENS,
    }
    return {**message, **changes}


def _message_stream() -> str:
    def delta(**members):
        return {"type": "content_block_delta", **members}

    start = _message(content=[], stop_reason=None, usage={"input_tokens": 9, "output_tokens": 1})
    tool = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}
    events = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *(delta(index=0, delta={"type": "text_delta", "text": piece}) for piece in PIECES),
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": tool},
        delta(index=1, delta={"type": "input_json_delta", "partial_json": '{"city":'}),
        delta(index=1, delta={"type": "input_json_delta", "partial_json": '"Oslo"}'}),
        {"type": "content_block_stop", "index": 1},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"output_tokens": 3},
        },
        {"type": "message_stop"},
    ]
    return "".join(_data(event, event["type"]) for event in events)
