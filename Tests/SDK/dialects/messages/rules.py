"""Refusals of Messages."""

import re

from dialects.faults import need, number
from dialects.messages.turns import CACHE, WORDING, has_tool_blocks, text_block, turns

_NONE = type(None)
_REQUIRED = {"model": (str,), "max_tokens": (int,), "messages": (list,)}
_OPTIONAL = {
    "cache_control": (dict, _NONE), "container": (dict, str, _NONE), "diagnostics": (dict, _NONE),
    "inference_geo": (str, _NONE), "metadata": (dict,), "output_config": (dict,), "service_tier": (str,),
    "speed": (str, _NONE), "stop_sequences": (list,), "stream": (bool,), "system": (str, list), "thinking": (dict,),
    "tool_choice": (dict,), "tools": (list,), "user_profile_id": (str,), "workspace_id": (str,),
}
# Sampling members of the older API version, which the newer one rejects.
_SAMPLING = {"temperature": (float,), "top_p": (float,), "top_k": (int,)}
_VERSIONS = {"2023-06-01": {**_OPTIONAL, **_SAMPLING}, "2026-10-21": _OPTIONAL}
_TOOL = {
    "type": (str, _NONE), "description": (str,), "strict": (bool,), "eager_input_streaming": (bool, _NONE),
    "defer_loading": (bool,), "input_examples": (list,), "allowed_callers": (list,), **CACHE}
_EFFORTS = ("low", "medium", "high", "xhigh", "max")


def one_of(value, allowed: tuple, path: str):
    choices = ", ".join(f"'{name}'" for name in allowed)
    need(value in allowed, f"{path}: Input should be {choices}")


def validate(body, headers):
    version = headers.get("anthropic-version")
    need(version is not None, "anthropic-version: header is required")
    need(version in _VERSIONS, f"anthropic-version: \"{version}\" is not a valid version")
    WORDING.members(body, "", _REQUIRED, _VERSIONS[version])
    need(body["max_tokens"] > 0, "max_tokens: Input should be greater than or equal to 1")
    _sampling(body)
    _system(body)
    turns(body["messages"], (body.get("thinking") or {}).get("type") == "enabled")
    names = _tools(body)
    need(names or not has_tool_blocks(body["messages"]),
        "tools: Requests which include `tool_use` or `tool_result` blocks must define tools")
    _choice(body, names)
    _thinking(body)
    _rest(body)
    need(_marks(body) <= 4, f"A maximum of 4 blocks with cache_control may be provided. Found {_marks(body)}.")


def _sampling(body: dict):
    for name in ("temperature", "top_p"):
        need(number(body.get(name, 1), 0, 1), f"{name}: range: 0..1")
    for sequence, path in WORDING.items(body.get("stop_sequences", []), "stop_sequences"):
        WORDING.kind(sequence, path, str)
        need(sequence.strip(), f"{path}: each stop sequence must contain non-whitespace")


def _system(body: dict):
    if isinstance(body.get("system"), list):
        for block, path in WORDING.items(body["system"], "system"):
            text_block(block, path)


def _tools(body: dict) -> set:
    names = set()
    for tool, path in WORDING.items(body.get("tools", []), "tools"):
        WORDING.members(tool, path, {"name": (str,), "input_schema": (dict,)}, _TOOL)
        one_of(tool.get("type") or "custom", ("custom",), f"{path}.type")
        fits = re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", tool["name"])
        need(fits, f"{path}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        is_object = tool["input_schema"].get("type") == "object"
        need(is_object, f"{path}.custom.input_schema.type: Input should be 'object'")
        need(tool["name"] not in names, "tools: Tool names must be unique.")
        names.add(tool["name"])
    return names


def _choice(body: dict, names: set):
    if "tool_choice" not in body:
        return
    choice = body["tool_choice"]
    need(names, "tool_choice: tool_choice may only be specified while providing tools")
    more = {"auto": {}, "any": {}, "tool": {"name": (str,)}, "none": {}}
    one_of(choice.get("type"), tuple(more), "tool_choice.type")
    parallel = {} if choice["type"] == "none" else {"disable_parallel_tool_use": (bool,)}
    WORDING.members(choice, f"tool_choice.{choice['type']}", {"type": (str,), **more[choice["type"]]}, parallel)
    if choice["type"] == "tool":
        need(choice["name"] in names, f"tool_choice.tool.name: Tool '{choice['name']}' not found in provided tools")
    forced = choice["type"] in ("any", "tool")
    need(not (forced and _thinks(body)), "Thinking may not be enabled when tool_choice forces tool use.")


def _thinks(body: dict) -> bool:
    return (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")


def _thinking(body: dict):
    thinking = body.get("thinking")
    if thinking is None:
        return
    one_of(thinking.get("type"), ("enabled", "disabled", "adaptive", "between_tools"), "thinking.type")
    kind = thinking["type"]
    required = {"type": (str,), **({"budget_tokens": (int,)} if kind == "enabled" else {})}
    display = {"display": (str, _NONE)} if kind in ("enabled", "adaptive") else {}
    WORDING.members(thinking, f"thinking.{kind}", required, display)
    if kind == "enabled":
        budget = thinking["budget_tokens"]
        need(budget >= 1024, "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
        need(budget < body["max_tokens"], "`max_tokens` must be greater than `thinking.budget_tokens`.")
    if _thinks(body):
        need(body.get("temperature", 1) == 1, "`temperature` may only be set to 1 when thinking is enabled.")
        need(body.get("top_p", 1) >= 0.95, "`top_p` must be greater than or equal to 0.95 when thinking is enabled.")
        need("top_k" not in body, "`top_k` must be unset when thinking is enabled.")


def _rest(body: dict):
    if "metadata" in body:
        WORDING.members(body["metadata"], "metadata", {}, {"user_id": (str, _NONE)})
        fits = len(body["metadata"].get("user_id") or "") <= 256
        need(fits, "metadata.user_id: String should have at most 256 characters")
    if "service_tier" in body:
        one_of(body["service_tier"], ("auto", "standard_only"), "service_tier")
    config = body.get("output_config", {})
    WORDING.members(config, "output_config", {}, {"effort": (str, _NONE), "format": (dict, _NONE)})
    if config.get("effort") is not None:
        one_of(config["effort"], _EFFORTS, "output_config.effort")
    if config.get("format") is not None:
        WORDING.members(config["format"], "output_config.format", {"type": (str,), "schema": (dict,)})
        one_of(config["format"]["type"], ("json_schema",), "output_config.format.type")
        _closed(config["format"]["schema"])


def _closed(schema):
    """Checks that the objects of a strict schema allow no unnamed members."""
    if not isinstance(schema, dict):
        return
    is_closed = schema.get("type") != "object" or schema.get("additionalProperties") is False
    need(is_closed, "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to "
        "false")
    for member in [*schema.get("properties", {}).values(), schema.get("items")]:
        _closed(member)


def _marks(value) -> int:
    """Returns the number of cache marks on blocks, tools, and the body itself."""
    if isinstance(value, dict):
        return (value.get("cache_control") is not None) + sum(map(_marks, value.values()))
    return sum(map(_marks, value)) if isinstance(value, list) else 0
