"""Refusals of Responses for input items."""

from dialects.faults import is_json, need
from dialects.openai_rules import (
    LIST_OR_NULL, TEXT, TEXT_OR_NULL, WORDING, at_most, file, image, one_of, tool_name)
from dialects.responses.wire import SIGNED

_CACHE = {"prompt_cache_breakpoint": (dict,)}
_STATUS = {"id": TEXT_OR_NULL, "status": TEXT_OR_NULL}
# Required and optional members of each item type.
_ITEMS = {
    "message": ({"role": TEXT, "content": (str, list)}, {**_STATUS, "phase": TEXT_OR_NULL}),
    "function_call": ({"arguments": TEXT, "call_id": TEXT, "name": TEXT}, {**_STATUS, "namespace": TEXT}),
    "function_call_output": ({"call_id": TEXT, "output": (str, list)}, _STATUS),
    "custom_tool_call": ({"input": TEXT, "call_id": TEXT, "name": TEXT}, _STATUS),
    "custom_tool_call_output": ({"call_id": TEXT, "output": (str, list)}, _STATUS),
    "reasoning": ({"summary": (list,)}, {**_STATUS, "content": LIST_OR_NULL, "encrypted_content": TEXT_OR_NULL}),
    "item_reference": ({"id": TEXT}, {}),
}
# Prefixes of the ids of the provider's items.
_PREFIXES = {"function_call": "fc", "reasoning": "rs", "custom_tool_call": "ctc"}
_IN = ("input_text", "input_image", "input_file")
_PARTS = {
    "input_text": ({"text": TEXT}, _CACHE),
    "input_image": ({}, {**_CACHE, "detail": TEXT_OR_NULL, "file_id": TEXT_OR_NULL, "image_url": TEXT_OR_NULL}),
    "input_file": ({}, {
        **_CACHE, "detail": TEXT, "file_data": TEXT, "file_id": TEXT, "file_url": TEXT, "filename": TEXT}),
    "output_text": ({"text": TEXT}, {"annotations": (list,), "logprobs": LIST_OR_NULL}),
    "refusal": ({"refusal": TEXT}, {}),
}


def items(given: list):
    """Checks that every call has one output after it, and every output a call before it."""
    open_calls = {}
    for index, (item, path) in enumerate(WORDING.items(given, "input")):
        WORDING.kind(item, path, dict)
        kind = item.get("type", "message")
        one_of(kind, tuple(_ITEMS), f"{path}.type")
        required, optional = _ITEMS[kind]
        WORDING.members(item, path, required, {"type": TEXT, **optional})
        prefix = _PREFIXES.get(kind, "msg" if kind == "message" and item["role"] == "assistant" else "")
        fits = (item.get("id") or prefix).startswith(prefix)
        need(fits, f"Invalid '{path}.id': '{item.get('id')}'. Expected an ID that begins with '{prefix}'.",
            f"{path}.id", "invalid_value")
        if kind == "message":
            _message(item, path)
        elif kind == "reasoning":
            _reasoning(item, path, given[index + 1:index + 2])
        elif kind == "item_reference":
            need(False, f"Item with id '{item['id']}' not found.", path)
        elif kind.endswith("_call"):
            _call(item, kind, path, open_calls)
        else:
            _output(item, path, open_calls)
    missing = ", ".join(id for id, answered in open_calls.items() if not answered)
    need(not missing, f"No tool output found for function call {missing}.", "input")


def _call(item: dict, kind: str, path: str, open_calls: dict):
    id = item["call_id"]
    need(id, f"Invalid '{path}.call_id': empty string.", f"{path}.call_id")
    at_most(id, 64, f"{path}.call_id")
    tool_name(item["name"], f"{path}.name")
    need(id not in open_calls, f"Duplicate item found with call_id {id}.", f"{path}.call_id")
    if kind == "function_call":
        need(is_json(item["arguments"]), f"Invalid '{path}.arguments': not JSON.", f"{path}.arguments", "invalid_value")
    open_calls[id] = False


def _output(item: dict, path: str, open_calls: dict):
    id = item["call_id"]
    need(id in open_calls, f"No tool call found for function call output with call_id {id}.", f"{path}.call_id")
    need(not open_calls[id], f"Duplicate output found for call_id {id}.", f"{path}.call_id")
    open_calls[id] = True
    if isinstance(item["output"], list):
        _parts(item["output"], f"{path}.output", _IN)


def _message(item: dict, path: str):
    one_of(item["role"], ("user", "assistant", "system", "developer"), f"{path}.role")
    if isinstance(item["content"], list):
        allowed = {"user": _IN, "assistant": ("output_text", "refusal")}.get(item["role"], ("input_text",))
        _parts(item["content"], f"{path}.content", allowed)


def _parts(parts: list, path: str, allowed: tuple):
    for part, at in WORDING.items(parts, path):
        WORDING.kind(part, at, dict)
        need("type" in part, f"Missing required parameter: '{at}.type'.", f"{at}.type")
        one_of(part["type"], allowed, f"{at}.type")
        required, optional = _PARTS[part["type"]]
        WORDING.members(part, at, {"type": TEXT, **required}, optional)
        if part["type"] == "input_image":
            need(part.get("image_url") or part.get("file_id"), f"Missing required parameter: '{at}.image_url'.", at)
            if part.get("image_url"):
                image(part["image_url"], f"{at}.image_url")
        elif part["type"] == "input_file":
            file(part, at)


def _reasoning(item: dict, path: str, following: list):
    for member, kind in (("summary", "summary_text"), ("content", "reasoning_text")):
        for part, at in WORDING.items(item.get(member) or [], f"{path}.{member}"):
            WORDING.members(part, at, {"type": TEXT, "text": TEXT})
            one_of(part["type"], (kind,), f"{at}.type")
    encrypted = item.get("encrypted_content")
    id = item.get("id")
    need(encrypted, f"Item with id '{id}' not found. Items are not persisted when `store` is set to false.", path)
    need(encrypted.startswith(SIGNED), f"The encrypted content for item {id} could not be verified.", path,
        "invalid_encrypted_content")
    follows = following and (following[0].get("type") in ("reasoning", "function_call", "custom_tool_call")
        or following[0].get("role") == "assistant")
    need(follows, f"Item '{id}' of type 'reasoning' was provided without its required following item.", path)
