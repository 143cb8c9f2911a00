"""Refusals of Chat Completions."""

import json

from dialects.chat.turns import turns
from dialects.faults import need
from dialects.openai_rules import (
    BOOL_OR_NULL, EFFORTS, INT_OR_NULL, LIST_OR_NULL, NONE, NUMBER_OR_NULL, OBJECT_OR_NULL, TEXT, TEXT_OR_NULL, WORDING,
    chosen, common_members, format_schema, function, one_of)

_REQUIRED = {"model": TEXT, "messages": (list,)}
_OPTIONAL = {
    "audio": OBJECT_OR_NULL, "frequency_penalty": NUMBER_OR_NULL, "function_call": (str, dict), "functions": (list,),
    "logit_bias": OBJECT_OR_NULL, "logprobs": BOOL_OR_NULL, "max_completion_tokens": INT_OR_NULL,
    "max_tokens": INT_OR_NULL, "metadata": OBJECT_OR_NULL, "modalities": LIST_OR_NULL, "moderation": OBJECT_OR_NULL,
    "n": INT_OR_NULL, "parallel_tool_calls": (bool,), "prediction": OBJECT_OR_NULL,
    "presence_penalty": NUMBER_OR_NULL, "prompt_cache_key": TEXT_OR_NULL, "prompt_cache_options": (dict,),
    "prompt_cache_retention": TEXT_OR_NULL, "reasoning_effort": TEXT_OR_NULL, "response_format": (dict,),
    "safety_identifier": TEXT_OR_NULL, "seed": INT_OR_NULL, "service_tier": TEXT_OR_NULL, "stop": (str, list, NONE),
    "store": BOOL_OR_NULL, "stream": BOOL_OR_NULL, "stream_options": OBJECT_OR_NULL, "temperature": NUMBER_OR_NULL,
    "tool_choice": (str, dict), "tools": (list,), "top_logprobs": INT_OR_NULL, "top_p": NUMBER_OR_NULL, "user": TEXT,
    "verbosity": TEXT_OR_NULL, "web_search_options": (dict,),
}


def validate(body, _headers):
    WORDING.members(body, "", _REQUIRED, _OPTIONAL)
    common_members(body)
    _limits(body)
    turns(body["messages"])
    names = _tools(body)
    _choice(body, names)
    _format(body)


def _limits(body: dict):
    need(body.get("n") is None or body["n"] >= 1, "Invalid 'n': integer below minimum value.", "n")
    limits = [name for name in ("max_tokens", "max_completion_tokens") if body.get(name) is not None]
    need(len(limits) < 2, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        "max_tokens", "invalid_parameter_combination")
    for name in limits:
        need(body[name] >= 1, f"Invalid '{name}': integer below minimum value.", name, "integer_below_min_value")
    stop = body.get("stop")
    if isinstance(stop, list):
        need(1 <= len(stop) <= 4, "Invalid 'stop': array too long. Expected at most 4 strings.", "stop")
        for element, path in WORDING.items(stop, "stop"):
            WORDING.kind(element, path, str)
    if body.get("reasoning_effort") is not None:
        one_of(body["reasoning_effort"], EFFORTS, "reasoning_effort")
    if body.get("verbosity") is not None:
        one_of(body["verbosity"], ("low", "medium", "high"), "verbosity")
    for name in ("frequency_penalty", "presence_penalty"):
        need(-2 <= (body.get(name) or 0) <= 2, f"Invalid '{name}': expected a value between -2 and 2.", name)
    if body.get("stream_options") is not None:
        need(body.get("stream"), "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            "stream_options")
        WORDING.members(body["stream_options"], "stream_options", {}, {"include_obfuscation": (bool,),
            "include_usage": (bool,)})
    if body.get("top_logprobs") is not None:
        need(body.get("logprobs"), "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
            "top_logprobs")


def _tools(body: dict) -> set:
    """Checks the tools, and returns their names."""
    need(body.get("tools") != [], "Invalid 'tools': empty array. Expected at least 1 element.", "tools")
    names = set()
    for tool, path in WORDING.items(body.get("tools", []), "tools"):
        WORDING.members(tool, path, {"type": TEXT}, {"function": (dict,), "custom": (dict,)})
        one_of(tool["type"], ("function", "custom"), f"{path}.type")
        kind = tool["type"]
        need(kind in tool, f"Missing required parameter: '{path}.{kind}'.", f"{path}.{kind}")
        definition = tool[kind]
        if kind == "function":
            WORDING.members(definition, f"{path}.function", {"name": TEXT}, {
                "description": TEXT, "parameters": (dict,), "strict": BOOL_OR_NULL})
            function(definition, f"{path}.function")
        else:
            WORDING.members(definition, f"{path}.custom", {"name": TEXT}, {"description": TEXT, "format": (dict,)})
        names.add(definition["name"])
    return names


def _choice(body: dict, names: set):
    for name in ("tool_choice", "parallel_tool_calls"):
        need(name not in body or names, f"'{name}' is only allowed when 'tools' are specified.", name)
    choice = body.get("tool_choice", "auto")
    if isinstance(choice, str):
        return one_of(choice, ("none", "auto", "required"), "tool_choice")
    WORDING.members(choice, "tool_choice", {"type": TEXT}, {
        "function": (dict,), "custom": (dict,), "allowed_tools": (dict,)})
    one_of(choice["type"], ("function", "custom", "allowed_tools"), "tool_choice.type")
    kind = choice["type"]
    need(kind in choice, f"Missing required parameter: 'tool_choice.{kind}'.", f"tool_choice.{kind}")
    path = f"tool_choice.{kind}"
    if kind == "allowed_tools":
        WORDING.members(choice[kind], path, {"mode": TEXT, "tools": (list,)})
        one_of(choice[kind]["mode"], ("auto", "required"), f"{path}.mode")
        for tool in choice[kind]["tools"]:
            chosen(tool[tool["type"]]["name"], names, f"{path}.tools")
    else:
        WORDING.members(choice[kind], path, {"name": TEXT})
        chosen(choice[kind]["name"], names, path)


def _format(body: dict):
    wanted = body.get("response_format", {"type": "text"})
    path = "response_format"
    WORDING.members(wanted, path, {"type": TEXT}, {"json_schema": (dict,)})
    one_of(wanted["type"], ("text", "json_object", "json_schema"), f"{path}.type")
    if wanted["type"] == "json_schema":
        need("json_schema" in wanted, f"Missing required parameter: '{path}.json_schema'.", f"{path}.json_schema")
        WORDING.members(wanted["json_schema"], f"{path}.json_schema", {"name": TEXT}, {
            "description": TEXT, "schema": (dict,), "strict": BOOL_OR_NULL})
        format_schema(wanted["json_schema"], f"{path}.json_schema")
    if wanted["type"] == "json_object":
        said = "json" in json.dumps(body["messages"]).lower()
        need(said, "'messages' must contain the word 'json' in some form, to use 'response_format' of type "
            "'json_object'.", "messages")
