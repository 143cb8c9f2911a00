"""Refusals of Messages for the history of a conversation."""

import re

from dialects.faults import Wording, is_web_address, need
from dialects.messages.wire import SIGNED

WORDING = Wording(
    missing="{path}: Field required", unknown="{path}: Extra inputs are not permitted",
    wrong="{path}: Input should be a valid value: {wanted}, not {got}", has_brackets=False)
CACHE = {"cache_control": (dict, type(None))}
_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_CONTENT = (str, list)
# Required and optional members of each block type.
_BLOCKS = {
    "text": ({"text": (str,)}, {**CACHE, "citations": (list, type(None))}),
    "image": ({"source": (dict,)}, CACHE),
    "document": ({"source": (dict,)}, {
        **CACHE, "citations": (dict, type(None)), "context": (str, type(None)), "title": (str, type(None))}),
    "search_result": ({"content": (list,), "source": (str,), "title": (str,)}, {**CACHE, "citations": (dict,)}),
    "thinking": ({"thinking": (str,), "signature": (str,)}, {}),
    "redacted_thinking": ({"data": (str,)}, {}),
    "tool_use": ({"id": (str,), "input": (dict,), "name": (str,)}, {**CACHE, "caller": (dict,)}),
    "tool_result": ({"tool_use_id": (str,)}, {**CACHE, "content": _CONTENT, "is_error": (bool,)}),
}
_ALLOWED = {
    "user": ("text", "image", "document", "search_result", "tool_result"),
    "assistant": ("text", "thinking", "redacted_thinking", "tool_use"),
    "system": ("text",),
    "tool_result": ("text", "image", "document", "search_result"),
}
_SOURCES = {
    "image": {"base64": ("media_type", "data"), "url": ("url",), "file": ("file_id",)},
    "document": {
        "base64": ("media_type", "data"), "url": ("url",), "file": ("file_id",), "text": ("media_type", "data"),
        "content": ("content",)},
}


def text_block(block: dict, path: str):
    _block(block, path, "system")


def turns(messages: list, thinks: bool):
    """Checks the messages. Adjacent messages of one role are one turn, and a user turn after calls starts with their
    results."""
    need(messages, "messages: at least one message is required")
    merged = []
    for message, path in WORDING.items(messages, "messages"):
        WORDING.members(message, path, {"role": (str,), "content": _CONTENT})
        role = message["role"]
        need(role in ("user", "assistant", "system"), f"{path}.role: Input should be 'user', 'assistant' or 'system'")
        blocks = _blocks(message["content"], f"{path}.content", role)
        if merged and merged[-1][0] == role:
            merged[-1][1].extend(blocks)
        else:
            merged.append((role, blocks, path))
    need(merged[0][0] == "user", "messages: first message must use the \"user\" role")
    last_role, last_blocks, path = merged[-1]
    if last_role == "assistant" and last_blocks and last_blocks[-1]["type"] == "text":
        ends_well = last_blocks[-1]["text"] == last_blocks[-1]["text"].rstrip()
        need(ends_well, "messages: final assistant content cannot end with trailing whitespace")
    _calls_are_answered(merged)
    if thinks:
        _last_calls_were_thought_about(merged)


def has_tool_blocks(messages: list) -> bool:
    return any(
        isinstance(block, dict) and block.get("type") in ("tool_use", "tool_result")
        for message in messages if isinstance(message["content"], list) for block in message["content"])


def _calls_are_answered(merged: list):
    known = set()
    for index, (role, blocks, path) in enumerate(merged):
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        before = merged[index - 1][1] if index and merged[index - 1][0] == "assistant" else []
        called = [block["id"] for block in before if block["type"] == "tool_use"]
        for id in results:
            need(id in called, f"{path}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message.")
        need(len(set(results)) == len(results), f"{path}: each tool_use must have a single result.")
        first = [block["tool_use_id"] for block in blocks[:len(results)] if block["type"] == "tool_result"]
        missing = [id for id in called if id not in first]
        need(not missing, f"{path}: `tool_use` ids were found without `tool_result` blocks immediately after: "
            f"{', '.join(missing)}.")
        if role == "assistant":
            calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
            need(len(set(calls)) == len(calls) and not known & set(calls), f"{path}: `tool_use` ids must be unique")
            known |= set(calls)
            last = index == len(merged) - 1
            need(not (last and calls), f"{path}: `tool_use` ids were found without `tool_result` blocks immediately "
                f"after: {', '.join(calls)}.")


def _last_calls_were_thought_about(merged: list):
    assistants = [(blocks, path) for role, blocks, path in merged if role == "assistant"]
    if assistants and any(block["type"] == "tool_use" for block in assistants[-1][0]):
        blocks, path = assistants[-1]
        first = blocks[0]["type"]
        need(first in ("thinking", "redacted_thinking"), f"{path}.content.0.type: Expected `thinking` or "
            f"`redacted_thinking`, but found `{first}`. When `thinking` is enabled, a final `assistant` message must "
            "start with a thinking block.")


def _blocks(content, path: str, role: str) -> list:
    if isinstance(content, str):
        need(content or role == "assistant", f"{path}: content must be non-empty")
        return [{"type": "text", "text": content}]
    need(content or role == "assistant", f"{path}: content must be non-empty")
    for block, at in WORDING.items(content, path):
        _block(block, at, role)
    return list(content)


def _block(block, path: str, place: str):
    WORDING.kind(block, path, dict)
    kind = block.get("type")
    need(kind is not None, f"{path}.type: Field required")
    allowed = ", ".join(f"'{name}'" for name in _ALLOWED[place])
    need(kind in _ALLOWED[place], f"{path}: Input tag '{kind}' found using 'type' does not match any of the expected "
        f"tags: {allowed}")
    required, optional = _BLOCKS[kind]
    WORDING.members(block, f"{path}.{kind}", {"type": (str,), **required}, optional)
    if block.get("cache_control") is not None:
        WORDING.members(block["cache_control"], f"{path}.cache_control", {"type": (str,)}, {"ttl": (str,)})
        fits = block["cache_control"]["type"] == "ephemeral" and block["cache_control"].get("ttl", "5m") in ("5m", "1h")
        need(fits, f"{path}.cache_control: Input should be 'ephemeral'")
    if kind == "text":
        need(block["text"], "messages: text content blocks must be non-empty")
        need(block["text"].strip(), "messages: text content blocks must contain non-whitespace text")
    elif kind == "thinking":
        need(block["signature"].startswith(SIGNED), f"{path}: Invalid `signature` in `thinking` block")
    elif kind == "redacted_thinking":
        need(block["data"].startswith(SIGNED), f"{path}: Invalid `data` in `redacted_thinking` block")
    elif kind in ("image", "document"):
        _source(block["source"], f"{path}.{kind}.source", kind)
    elif kind == "tool_use":
        _id(block["id"], f"{path}.tool_use.id")
        fits = re.fullmatch(r"[a-zA-Z0-9_-]{1,200}", block["name"])
        need(fits, f"{path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{{1,200}}$'")
    elif kind == "tool_result":
        _id(block["tool_use_id"], f"{path}.tool_result.tool_use_id")
        if isinstance(block.get("content"), list):
            for part, at in WORDING.items(block["content"], f"{path}.tool_result.content"):
                _block(part, at, "tool_result")


def _id(id: str, path: str):
    need(re.fullmatch(r"[a-zA-Z0-9_-]+", id), f"{path}: String should match pattern '^[a-zA-Z0-9_-]+$'")


def _source(source: dict, path: str, kind: str):
    names = _SOURCES[kind].get(source.get("type"))
    need(names, f"{path}: Input tag '{source.get('type')}' found using 'type' does not match any of the expected tags")
    path = f"{path}.{source['type']}"
    WORDING.members(source, path, {"type": (str,), **{name: () for name in names}})
    if source["type"] == "base64":
        types = _IMAGES if kind == "image" else ("application/pdf",)
        allowed = " or ".join(f"'{name}'" for name in types)
        need(source["media_type"] in types, f"{path}.media_type: Input should be {allowed}")
        fits = re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", source["data"])
        need(fits, f"{path}.data: Invalid base64 data")
    elif source["type"] == "text":
        need(source["media_type"] == "text/plain", f"{path}.media_type: Input should be 'text/plain'")
    elif source["type"] == "url":
        need(is_web_address(source["url"]), f"{path}.url: Only HTTPS URLs are supported.")
