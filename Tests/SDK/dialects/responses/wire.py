"""Response format of Responses."""

from dialects.answers import CALLS, CONTEXT, FILTERED, LENGTH, STOP, STOP_SEQUENCE, Answer, Call, Reasoning, Refusal
from dialects.openai_rules import error
from dialects.responses.stream import ItemStream, event

PATH = "/v1/responses"
REQUEST_ID = "x-request-id"
# Prefix of this provider's encrypted reasoning.
SIGNED = "UmVzcG9uc2Vz"
# The status of a response, and the reason if it is incomplete.
FINISHES = {
    STOP: ("completed", None), STOP_SEQUENCE: ("completed", None), CALLS: ("completed", None),
    LENGTH: ("incomplete", "max_output_tokens"), CONTEXT: ("incomplete", "max_output_tokens"),
    FILTERED: ("incomplete", "content_filter")}


def error_body(status: int, message: str, refused=None) -> dict:
    return error((status, message), *((refused.param, refused.code) if refused else ()))


def whole(answer: Answer, request: dict) -> dict:
    status, reason = FINISHES[answer.finish]
    usage = answer.usage
    return {
        **_response(request), "status": status, "completed_at": 1790000001,
        "incomplete_details": reason and {"reason": reason},
        "output": [_item(piece, index, request) for index, piece in enumerate(answer.pieces)],
        "usage": {
            "input_tokens": usage.input, "output_tokens": usage.output, "total_tokens": usage.input + usage.output,
            "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.written},
            "output_tokens_details": {"reasoning_tokens": usage.reasoning}}}


def events(answer: Answer, request: dict) -> list:
    empty = {**_response(request), "status": "in_progress"}
    final = whole(answer, request)
    stream = ItemStream()
    stream.add("response.created", response=empty)
    stream.add("response.in_progress", response=empty)
    for piece, item in zip(answer.pieces, final["output"]):
        stream.add_item(item, piece.fragments if isinstance(piece, Call) else piece.deltas)
    stream.add(f"response.{final['status']}", response=final)
    return stream.events


def error_event(number: int) -> bytes:
    failed = {
        **_response({"model": "scripted"}), "status": "failed",
        "error": {"code": "server_error", "message": "scripted error in the stream"}}
    return event("response.failed", number, response=failed)


def _item(piece, index: int, request: dict) -> dict:
    """Returns an output item. Reasoning summaries and encrypted reasoning are included only on request."""
    if isinstance(piece, Call):
        return {
            "id": f"fc_{index}", "type": "function_call", "status": "completed", "call_id": piece.id,
            "name": piece.name, "arguments": piece.arguments}
    if isinstance(piece, Reasoning):
        summarized = (request.get("reasoning") or {}).get("summary")
        kept = "reasoning.encrypted_content" in (request.get("include") or [])
        return {
            "id": f"rs_{index}", "type": "reasoning",
            "summary": [{"type": "summary_text", "text": piece.whole}] if summarized else [],
            **({"encrypted_content": SIGNED + piece.signature} if kept else {})}
    part = {"type": "refusal", "refusal": piece.whole} if isinstance(piece, Refusal) else {
        "type": "output_text", "text": piece.whole, "annotations": [], "logprobs": []}
    return {"id": f"msg_{index}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}


def _response(request: dict) -> dict:
    asked = {name: request.get(name) for name in (
        "instructions", "max_output_tokens", "previous_response_id", "safety_identifier", "user")}
    return {
        **asked, "id": "resp_scripted", "object": "response", "created_at": 1790000000, "model": request["model"],
        "error": None, "incomplete_details": None, "output": [], "usage": None, "background": False,
        "metadata": request.get("metadata") or {}, "parallel_tool_calls": request.get("parallel_tool_calls", True),
        "reasoning": request.get("reasoning") or {"effort": None, "summary": None}, "service_tier": "default",
        "store": request.get("store", True), "temperature": request.get("temperature", 1.0),
        "text": request.get("text") or {"format": {"type": "text"}}, "tool_choice": request.get("tool_choice", "auto"),
        "tools": request.get("tools") or [], "top_p": request.get("top_p", 1.0), "truncation": "disabled"}
