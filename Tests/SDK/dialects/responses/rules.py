"""Refusals of Responses."""

import json

from dialects.faults import need
from dialects.openai_rules import (
    BOOL_OR_NULL, EFFORTS, INT_OR_NULL, LIST_OR_NULL, NONE, NUMBER_OR_NULL, OBJECT_OR_NULL, TEXT, TEXT_OR_NULL, WORDING,
    chosen, common_members, format_schema, function, one_of)
from dialects.responses.items import items

_REQUIRED = {"model": TEXT, "input": (str, list)}
_OPTIONAL = {
    "access_programs": (dict,), "background": BOOL_OR_NULL, "context_management": LIST_OR_NULL,
    "conversation": (str, dict, NONE), "image": (dict,), "include": LIST_OR_NULL, "instructions": TEXT_OR_NULL,
    "max_output_tokens": INT_OR_NULL, "max_tool_calls": INT_OR_NULL, "metadata": OBJECT_OR_NULL,
    "moderation": OBJECT_OR_NULL, "parallel_tool_calls": BOOL_OR_NULL, "previous_response_id": TEXT_OR_NULL,
    "prompt": OBJECT_OR_NULL, "prompt_cache_key": TEXT_OR_NULL, "prompt_cache_options": (dict,),
    "prompt_cache_retention": TEXT_OR_NULL, "reasoning": OBJECT_OR_NULL, "safety_identifier": TEXT_OR_NULL,
    "service_tier": TEXT_OR_NULL, "store": BOOL_OR_NULL, "stream": BOOL_OR_NULL, "stream_options": OBJECT_OR_NULL,
    "temperature": NUMBER_OR_NULL, "text": (dict,), "tool_choice": (str, dict), "tools": (list,),
    "top_logprobs": INT_OR_NULL, "top_p": NUMBER_OR_NULL, "truncation": TEXT_OR_NULL, "user": TEXT,
}
_INCLUDED = (
    "file_search_call.results", "web_search_call.results", "web_search_call.action.sources",
    "message.input_image.image_url", "computer_call_output.output.image_url", "code_interpreter_call.outputs",
    "reasoning.encrypted_content", "message.output_text.logprobs")
_FUNCTION = {
    "description": TEXT_OR_NULL, "parameters": OBJECT_OR_NULL, "strict": BOOL_OR_NULL, "async": (bool,),
    "defer_loading": (bool,), "output_schema": OBJECT_OR_NULL, "allowed_callers": LIST_OR_NULL}
# Hosted tools of the provider, whose settings are not checked.
_HOSTED = (
    "web_search", "web_search_2025_08_26", "file_search", "code_interpreter", "image_generation", "mcp", "local_shell",
    "shell", "apply_patch", "computer", "namespace", "tool_search")


def validate(body, _headers):
    WORDING.members(body, "", _REQUIRED, _OPTIONAL)
    common_members(body)
    _limits(body)
    for name in ("previous_response_id", "conversation"):
        need(body.get(name) is None, f"Previous response with id '{body.get(name)}' not found.", name,
            "previous_response_not_found")
    if isinstance(body["input"], list):
        items(body["input"])
    names = _tools(body)
    _choice(body, names)
    _format(body)
    _reasoning(body)


def _limits(body: dict):
    limit = body.get("max_output_tokens")
    need(limit is None or limit >= 16, "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= "
        f"16, but got {limit} instead.", "max_output_tokens", "integer_below_min_value")
    for value, path in WORDING.items(body.get("include") or [], "include"):
        one_of(value, _INCLUDED, path)
    if body.get("truncation") is not None:
        one_of(body["truncation"], ("auto", "disabled"), "truncation")
    if body.get("stream_options") is not None:
        need(body.get("stream"), "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            "stream_options")
        WORDING.members(body["stream_options"], "stream_options", {}, {"include_obfuscation": (bool,)})


def _tools(body: dict) -> set:
    names = set()
    for tool, path in WORDING.items(body.get("tools", []), "tools"):
        WORDING.kind(tool, path, dict)
        need("type" in tool, f"Missing required parameter: '{path}.type'.", f"{path}.type")
        one_of(tool["type"], ("function", "custom", *_HOSTED), f"{path}.type")
        if tool["type"] == "function":
            WORDING.members(tool, path, {"type": TEXT, "name": TEXT}, _FUNCTION)
            function(tool, path)
            names.add(tool["name"])
        elif tool["type"] == "custom":
            WORDING.members(tool, path, {"type": TEXT, "name": TEXT}, {"description": TEXT, "format": (dict,)})
            names.add(tool["name"])
        else:
            names.add(tool["type"])
    return names


def _choice(body: dict, names: set):
    choice = body.get("tool_choice", "auto")
    if isinstance(choice, str):
        one_of(choice, ("none", "auto", "required"), "tool_choice")
        need(choice != "required" or names, "Tool choice 'required' must be specified with 'tools' parameter.",
            "tool_choice")
        return
    need("type" in choice, "Missing required parameter: 'tool_choice.type'.", "tool_choice.type")
    one_of(choice["type"], ("function", "custom", "allowed_tools", *_HOSTED), "tool_choice.type")
    if choice["type"] in ("function", "custom"):
        WORDING.members(choice, "tool_choice", {"type": TEXT, "name": TEXT})
        chosen(choice["name"], names, "tool_choice")
    elif choice["type"] == "allowed_tools":
        WORDING.members(choice, "tool_choice", {"type": TEXT, "mode": TEXT, "tools": (list,)})
        one_of(choice["mode"], ("auto", "required"), "tool_choice.mode")
        for tool in choice["tools"]:
            chosen(tool.get("name", tool["type"]), names, "tool_choice.tools")


def _format(body: dict):
    text = body.get("text", {})
    WORDING.members(text, "text", {}, {"format": OBJECT_OR_NULL, "verbosity": TEXT_OR_NULL})
    if text.get("verbosity") is not None:
        one_of(text["verbosity"], ("low", "medium", "high"), "text.verbosity")
    wanted = text.get("format") or {"type": "text"}
    path = "text.format"
    need("type" in wanted, f"Missing required parameter: '{path}.type'.", f"{path}.type")
    one_of(wanted["type"], ("text", "json_object", "json_schema"), f"{path}.type")
    if wanted["type"] == "json_schema":
        WORDING.members(wanted, path, {"type": TEXT, "name": TEXT, "schema": (dict,)}, {
            "description": TEXT, "strict": BOOL_OR_NULL})
        format_schema(wanted, path)
    else:
        WORDING.members(wanted, path, {"type": TEXT})
    if wanted["type"] == "json_object":
        said = "json" in json.dumps([body["input"], body.get("instructions")]).lower()
        need(said, "Response input messages must contain the word 'json' in some form to use 'text.format' of type "
            "'json_object'.", "input")


def _reasoning(body: dict):
    reasoning = body.get("reasoning") or {}
    names = ("effort", "summary", "generate_summary", "context", "mode")
    WORDING.members(reasoning, "reasoning", {}, {name: TEXT_OR_NULL for name in names})
    if reasoning.get("effort") is not None:
        one_of(reasoning["effort"], EFFORTS, "reasoning.effort")
    if reasoning.get("summary") is not None:
        one_of(reasoning["summary"], ("auto", "concise", "detailed"), "reasoning.summary")
