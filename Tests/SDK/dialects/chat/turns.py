"""Refusals of Chat Completions for the history of a conversation."""

from dialects.faults import is_json, need
from dialects.openai_rules import NONE, TEXT, TEXT_OR_NULL, WORDING, at_most, file, image, one_of, tool_name

_CACHE = {"prompt_cache_breakpoint": (dict,)}
# The members of a message by its role, required ones first. `reasoning_content` is an extension of other vendors:
# OpenAI's own models show no reasoning here.
_MEMBERS = {
    "developer": ({"content": (str, list)}, {"name": TEXT}),
    "system": ({"content": (str, list)}, {"name": TEXT}),
    "user": ({"content": (str, list)}, {"name": TEXT}),
    "assistant": ({}, {
        "content": (str, list, NONE), "name": TEXT, "refusal": TEXT_OR_NULL, "tool_calls": (list,),
        "reasoning_content": TEXT, "annotations": (list,), "audio": (dict, NONE)}),
    "tool": ({"content": (str, list), "tool_call_id": TEXT}, {}),
}
# The content part types of each role, and the members of each type.
_PARTS = {
    "developer": ("text",), "system": ("text",), "user": ("text", "image_url", "input_audio", "file"),
    "assistant": ("text", "refusal"), "tool": ("text",)}
_PART_MEMBERS = {
    "text": ({"text": TEXT}, _CACHE), "image_url": ({"image_url": (dict,)}, _CACHE),
    "input_audio": ({"input_audio": (dict,)}, _CACHE), "file": ({"file": (dict,)}, _CACHE),
    "refusal": ({"refusal": TEXT}, {})}


def turns(messages: list):
    """Checks that the messages after a message with calls answer each call once, and no other."""
    need(messages, "Invalid 'messages': empty array. Expected at least 1 element.", "messages")
    open_calls = {}
    for message, path in WORDING.items(messages, "messages"):
        WORDING.kind(message, path, dict)
        role = message.get("role")
        need(role is not None, f"Missing required parameter: '{path}.role'.", f"{path}.role")
        one_of(role, tuple(_MEMBERS), f"{path}.role")
        required, optional = _MEMBERS[role]
        WORDING.members(message, path, {"role": TEXT, **required}, optional)
        _content(message, role, path)
        if role == "tool":
            _result(message, path, open_calls)
            continue
        _all_answered(open_calls, path)
        open_calls = _calls(message, path)
    _all_answered(open_calls, "messages")


def _result(message: dict, path: str, open_calls: dict):
    need(open_calls, "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
        "'tool_calls'.", f"{path}.role")
    id = message["tool_call_id"]
    need(id in open_calls, f"Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous "
        "message.", f"{path}.tool_call_id")
    need(not open_calls[id], f"Duplicate value for 'tool_call_id' of '{id}'.", f"{path}.tool_call_id")
    open_calls[id] = True


def _all_answered(open_calls: dict, path: str):
    missing = ", ".join(id for id, answered in open_calls.items() if not answered)
    need(not missing, "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        f"'tool_call_id'. The following tool_call_ids did not have response messages: {missing}", path)


def _calls(message: dict, path: str) -> dict:
    """Returns the ids of a message's calls, all without a result so far."""
    ids = {}
    if message["role"] != "assistant":
        return ids
    says = message.get("content") is not None or message.get("refusal") is not None
    need(says or "tool_calls" in message, f"Invalid value for '{path}.content': expected a string, got null.", path)
    need(message.get("tool_calls") != [], f"Invalid '{path}.tool_calls': empty array.", f"{path}.tool_calls")
    for call, at in WORDING.items(message.get("tool_calls", []), f"{path}.tool_calls"):
        WORDING.members(call, at, {"id": TEXT, "type": TEXT}, {"function": (dict,), "custom": (dict,)})
        at_most(call["id"], 40, f"{at}.id")
        need(call["id"] not in ids, f"Duplicate value for '{at}.id'.", f"{at}.id")
        one_of(call["type"], ("function", "custom"), f"{at}.type")
        kind = call["type"]
        need(kind in call, f"Missing required parameter: '{at}.{kind}'.", f"{at}.{kind}")
        member = "arguments" if kind == "function" else "input"
        WORDING.members(call[kind], f"{at}.{kind}", {"name": TEXT, member: TEXT})
        tool_name(call[kind]["name"], f"{at}.{kind}.name")
        if kind == "function":
            need(is_json(call[kind][member]), f"Invalid '{at}.function.arguments': not JSON.", at, "invalid_value")
        ids[call["id"]] = False
    return ids


def _content(message: dict, role: str, path: str):
    content = message.get("content")
    if not isinstance(content, list):
        return
    path = f"{path}.content"
    need(content, f"Invalid '{path}': empty array. Expected at least 1 element.", path, "empty_array")
    for part, at in WORDING.items(content, path):
        WORDING.kind(part, at, dict)
        need("type" in part, f"Missing required parameter: '{at}.type'.", f"{at}.type")
        one_of(part["type"], _PARTS[role], f"{at}.type")
        required, optional = _PART_MEMBERS[part["type"]]
        WORDING.members(part, at, {"type": TEXT, **required}, optional)
        if part["type"] == "image_url":
            WORDING.members(part["image_url"], f"{at}.image_url", {"url": TEXT}, {"detail": TEXT})
            detail = part["image_url"].get("detail", "auto")
            one_of(detail, ("auto", "low", "high", "original"), f"{at}.image_url.detail")
            image(part["image_url"]["url"], f"{at}.image_url.url")
        elif part["type"] == "file":
            names = {"file_data": TEXT, "file_id": TEXT, "filename": TEXT}
            WORDING.members(part["file"], f"{at}.file", {}, names)
            file(part["file"], f"{at}.file")
        elif part["type"] == "input_audio":
            WORDING.members(part["input_audio"], f"{at}.input_audio", {"data": TEXT, "format": TEXT})
            one_of(part["input_audio"]["format"], ("wav", "mp3"), f"{at}.input_audio.format")
