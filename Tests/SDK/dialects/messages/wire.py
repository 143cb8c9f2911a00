"""Response format of Messages."""

import json

from dialects.answers import (
    CALLS, CONTEXT, FILTERED, LENGTH, PAUSED, STOP, STOP_SEQUENCE, Answer, Call, Reasoning, Redacted, Refusal, Text)

PATH = "/v1/messages"
REQUEST_ID = "request-id"
# Prefix of this provider's signatures.
SIGNED = "TWVzc2FnZXM"
FINISHES = {
    STOP: "end_turn", STOP_SEQUENCE: "stop_sequence", LENGTH: "max_tokens", CONTEXT: "model_context_window_exceeded",
    CALLS: "tool_use", FILTERED: "refusal", PAUSED: "pause_turn"}
ERRORS = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 409: "conflict_error", 413: "request_too_large", 422: "invalid_request_error",
    429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error"}


def error_body(status: int, message: str, _refused=None) -> dict:
    kind = ERRORS.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_scripted"}


def whole(answer: Answer, request: dict) -> dict:
    content = [_block(piece) for piece in _pieces(answer, request)]
    return {**_message(request), "content": content, **_ending(answer), "usage": _usage(answer)}


def events(answer: Answer, request: dict) -> list:
    start = {**_message(request), "content": [], "stop_reason": None, "stop_sequence": None,
        "usage": {**_usage(answer), "output_tokens": 1}}
    result = [_event("message_start", message=start), _event("ping")]
    for index, piece in enumerate(_pieces(answer, request)):
        result.append(_event("content_block_start", index=index, content_block=_empty(piece)))
        result += [_event("content_block_delta", index=index, delta=delta) for delta in _deltas(piece)]
        result.append(_event("content_block_stop", index=index))
    result.append(_event("message_delta", delta=_ending(answer), usage={
        "output_tokens": answer.usage.output, "output_tokens_details": _usage(answer)["output_tokens_details"]}))
    return result + [_event("message_stop")]


def error_event(_number: int) -> bytes:
    return _event("error", error={"type": "overloaded_error", "message": "scripted error in the stream"},
        request_id="req_scripted")


def _pieces(answer: Answer, request: dict) -> list:
    """Returns the visible pieces: a model reasons only on request, and its text after a refusal is not content."""
    thinks = (request.get("thinking") or {"type": "disabled"})["type"] != "disabled"
    hidden = (Refusal,) if thinks else (Refusal, Reasoning, Redacted)
    return [piece for piece in answer.pieces if not isinstance(piece, hidden)]


def _block(piece) -> dict:
    if isinstance(piece, Text):
        return {"type": "text", "text": piece.whole, "citations": None}
    if isinstance(piece, Reasoning):
        return {"type": "thinking", "thinking": piece.whole, "signature": SIGNED + piece.signature}
    if isinstance(piece, Redacted):
        return {"type": "redacted_thinking", "data": SIGNED + piece.data}
    return {"type": "tool_use", "id": piece.id, "name": piece.name, "input": json.loads(piece.arguments or "{}")}


def _empty(piece) -> dict:
    members = {Text: {"text": ""}, Reasoning: {"thinking": "", "signature": ""}, Redacted: {}, Call: {"input": {}}}
    return {**_block(piece), **members[type(piece)]}


def _deltas(piece) -> list:
    if isinstance(piece, Redacted):
        return []
    if isinstance(piece, Call):
        # The first fragment of a real stream is always empty.
        return [{"type": "input_json_delta", "partial_json": part} for part in ("", *piece.fragments)]
    if isinstance(piece, Text):
        return [{"type": "text_delta", "text": delta} for delta in piece.deltas]
    deltas = [{"type": "thinking_delta", "thinking": delta} for delta in piece.deltas]
    return [*deltas, {"type": "signature_delta", "signature": SIGNED + piece.signature}]


def _ending(answer: Answer) -> dict:
    refusal = next((piece.whole for piece in answer.pieces if isinstance(piece, Refusal)), None)
    details = {"type": "refusal", "category": None, "explanation": refusal}
    return {
        "stop_reason": FINISHES[answer.finish], "stop_sequence": answer.stop_sequence,
        "stop_details": details if answer.finish == FILTERED else None}


def _usage(answer: Answer) -> dict:
    usage = answer.usage
    return {
        "input_tokens": usage.input - usage.cached - usage.written, "cache_creation_input_tokens": usage.written,
        "cache_read_input_tokens": usage.cached, "output_tokens": usage.output, "service_tier": "standard",
        "cache_creation": {"ephemeral_5m_input_tokens": usage.written, "ephemeral_1h_input_tokens": 0},
        "output_tokens_details": {"thinking_tokens": usage.reasoning}}


def _message(request: dict) -> dict:
    return {"id": "msg_scripted", "type": "message", "role": "assistant", "model": request["model"]}


def _event(kind: str, **members) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **members}, ensure_ascii=False)}\n\n".encode()
