"""The scripted upstream's exchanges: the requests that it expects, and its responses.

The upstream's name for a model, which replaces the public name, selects the exchange.
"""

import json

MESSAGES = [{"role": "user", "content": "Say hello."}]

# Deltas that a careless relay would split, merge or re-encode.
DELTAS = ["Hel", "lo, ", "w\u00f6rld", " \U0001f30d", "\n\nline \"two\""]
TEXT = "".join(DELTAS)
USAGE = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}

# Maps each public model name to the upstream's name for it.
MODELS = {
    "chat": "scripted-chat",
    "cut": "scripted-cut",
    "refused": "scripted-refused",
    "busy": "scripted-busy",
}

_STREAM_HEADERS = {"Content-Type": "text/event-stream"}
_JSON_HEADERS = {"Content-Type": "application/json"}


def script(upstream_key: str) -> dict:
    """Returns the complete script; the upstream uses the first exchange that matches, any number of times."""
    exchanges = [
        _exchange(
            upstream_key, "scripted-chat", ['"include_usage"'], _response(_STREAM_HEADERS, _in_pieces(_stream()))),
        _exchange(upstream_key, "scripted-chat", [], _response(_JSON_HEADERS, [_completion()])),
        _exchange(upstream_key, "scripted-cut", ['"include_usage"'], _cut(_STREAM_HEADERS, _cut_stream())),
        _exchange(upstream_key, "scripted-cut", [], _cut(_JSON_HEADERS, _completion()[:40])),
        _exchange(upstream_key, "scripted-refused", [], _refusal(upstream_key)),
        _exchange(upstream_key, "scripted-busy", [], _busy()),
    ]
    return {"exchanges": exchanges, "repeat": True}


def streamed(text: str) -> dict:
    """Returns the script of an upstream that streams the same text for every chat."""
    events = _chunk(role="assistant") + _chunk(text)
    events += _event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]) + "data: [DONE]\n\n"
    expect = {"method": "POST", "path": "/v1/chat/completions"}
    return {"exchanges": [{"expect": expect, "response": _response(_STREAM_HEADERS, [events])}], "repeat": True}


def _exchange(upstream_key: str, model: str, body_contains: list, response: dict) -> dict:
    expect = {
        "method": "POST",
        "path": "/v1/chat/completions",
        "headers": {"authorization": f"Bearer {upstream_key}"},
        "body_contains": [f'"{model}"', *body_contains],
    }
    return {"expect": expect, "response": response}


def _response(headers: dict, texts: list, status: int = 200, end: str = "clean") -> dict:
    chunks = [{"text": text, "delay_ms": 1} for text in texts]
    return {"status": status, "headers": headers, "chunks": chunks, "end": end}


def _cut(headers: dict, text: str) -> dict:
    return _response(headers, [text], end="cut")


def _stream() -> str:
    events = [_chunk(text) for text in DELTAS]
    events.append(_event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]))
    events.append(_event(choices=[], usage=USAGE))
    return _chunk(role="assistant") + "".join(events) + "data: [DONE]\n\n"


def _cut_stream() -> str:
    return _chunk(role="assistant") + _chunk(DELTAS[0])


def _chunk(content: str = "", **delta) -> str:
    return _event(choices=[{"index": 0, "delta": {"content": content, **delta}, "finish_reason": None}])


def _event(**members) -> str:
    return f"data: {_document('chat.completion.chunk', **members)}\n\n"


def _completion() -> str:
    message = {"role": "assistant", "content": TEXT}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return _document("chat.completion", choices=choices, usage=USAGE)


def _document(kind: str, **members) -> str:
    head = {"id": "chatcmpl-1", "object": kind, "created": 1700000000, "model": "scripted-chat"}
    return json.dumps({**head, **members}, ensure_ascii=False)


def _in_pieces(text: str, size: int = 37) -> list:
    """Splits the text into pieces that never end at the end of an event."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def _refusal(upstream_key: str) -> dict:
    """Returns a refusal that echoes the upstream's key in the body and in a header."""
    message = f"Incorrect API key provided: {upstream_key}."
    body = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": "invalid_api_key"}}
    headers = {**_JSON_HEADERS, "X-Refused-Key": upstream_key}
    return _response(headers, [json.dumps(body)], status=401)


def _busy() -> dict:
    body = {"error": {"message": "Slow down.", "type": "requests", "param": None, "code": "rate_limit_exceeded"}}
    return _response({**_JSON_HEADERS, "Retry-After": "7"}, [json.dumps(body)], status=429)
