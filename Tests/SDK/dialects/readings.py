"""Requests to an upstream, in neutral terms.

Turns are ("system" | "user" | "assistant", text), ("image", url), ("file", base64), ("thought", text, signature),
("call", id, name, arguments) and ("result", id, text); wishes are the parameters in the request, by name.
"""

import json

import dialects.messages.wire
import dialects.responses.wire


def turns(dialect: str, body: dict) -> list:
    return {"chat": _chat, "messages": _messages, "responses": _responses}[dialect](body)


def wishes(dialect: str, body: dict) -> dict:
    found = {"chat": _chat_wishes, "messages": _messages_wishes, "responses": _responses_wishes}[dialect](body)
    return {name: value for name, value in found.items() if value not in (None, [], {})}


def _role(name: str) -> str:
    return "system" if name == "developer" else name


def _chat(body: dict) -> list:
    result = []
    for message in body["messages"]:
        role = _role(message["role"])
        if message.get("reasoning_content"):
            result.append(("thought", message["reasoning_content"], None))
        if role == "tool":
            result.append(("result", message["tool_call_id"], _joined(message["content"])))
        else:
            result += _contents(role, message.get("content"))
        for call in message.get("tool_calls") or []:
            function = call["function"]
            result.append(("call", call["id"], function["name"], json.loads(function["arguments"])))
    return result


def _messages(body: dict) -> list:
    result = _contents("system", body.get("system"))
    for message in body["messages"]:
        result += _contents(message["role"], message["content"])
    return result


def _responses(body: dict) -> list:
    result = _contents("system", body.get("instructions"))
    given = body["input"]
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
        kind = item.get("type", "message")
        if kind == "message":
            result += _contents(_role(item["role"]), item["content"])
        elif kind == "function_call":
            result.append(("call", item["call_id"], item["name"], json.loads(item["arguments"])))
        elif kind == "function_call_output":
            result.append(("result", item["call_id"], _joined(item["output"])))
            result += _images(item["output"])
        else:
            text = "".join(part["text"] for part in item["summary"] or item.get("content") or [])
            signed = item["encrypted_content"].removeprefix(dialects.responses.wire.SIGNED)
            result.append(("thought", text, signed))
    return result


def _contents(role: str, content) -> list:
    if not content:
        return []
    if isinstance(content, str):
        return [(role, content)]
    result = []
    for part in content:
        kind = part["type"]
        if kind in ("text", "input_text", "output_text", "refusal"):
            result.append((role, part.get("text") or part.get("refusal")))
        elif kind == "thinking":
            signed = part["signature"].removeprefix(dialects.messages.wire.SIGNED)
            result.append(("thought", part["thinking"], signed))
        elif kind == "redacted_thinking":
            result.append(("thought", "", part["data"].removeprefix(dialects.messages.wire.SIGNED)))
        elif kind == "tool_use":
            result.append(("call", part["id"], part["name"], part["input"]))
        elif kind == "tool_result":
            result.append(("result", part["tool_use_id"], _joined(part.get("content", ""))))
            result += _images(part.get("content", ""))
        else:
            result += _images([part])
    return result


def _images(parts) -> list:
    """Returns images and files, each as a complete URL or as its data."""
    result = []
    for part in parts if isinstance(parts, list) else []:
        kind = part["type"]
        source = part.get("source", {})
        if kind in ("image_url", "input_image"):
            result.append(("image", part["image_url"]["url"] if kind == "image_url" else part["image_url"]))
        elif kind == "image":
            data = f"data:{source.get('media_type')};base64,{source.get('data')}"
            result.append(("image", source.get("url", data)))
        elif kind in ("file", "input_file"):
            result.append(("file", part.get("file", part)["file_data"].partition(";base64,")[2]))
        elif kind == "document":
            result.append(("file", source["data"]))
    return result


def _joined(content) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _chat_wishes(body: dict) -> dict:
    choice = body.get("tool_choice")
    wanted = body.get("response_format", {}).get("json_schema", {})
    return {
        "tools": {tool["function"]["name"]: tool["function"].get("parameters") for tool in body.get("tools", [])},
        "choice": choice["function"]["name"] if isinstance(choice, dict) else choice,
        "parallel": body.get("parallel_tool_calls"), "schema": wanted.get("schema"),
        "effort": body.get("reasoning_effort"), "stop": body.get("stop"),
        "limit": body.get("max_completion_tokens", body.get("max_tokens")),
        "user": body.get("safety_identifier", body.get("user"))}


def _messages_wishes(body: dict) -> dict:
    choice = body.get("tool_choice", {})
    kind = {"any": "required", "tool": choice.get("name")}.get(choice.get("type"), choice.get("type"))
    parallel = choice.get("disable_parallel_tool_use")
    output = body.get("output_config", {})
    thinking = body.get("thinking") or {}
    return {
        "tools": {tool["name"]: tool["input_schema"] for tool in body.get("tools", [])}, "choice": kind,
        "parallel": None if parallel is None else not parallel, "schema": (output.get("format") or {}).get("schema"),
        "effort": output.get("effort"), "budget": thinking.get("budget_tokens"), "stop": body.get("stop_sequences"),
        "limit": body["max_tokens"], "user": (body.get("metadata") or {}).get("user_id")}


def _responses_wishes(body: dict) -> dict:
    choice = body.get("tool_choice")
    wanted = (body.get("text") or {}).get("format") or {}
    return {
        "tools": {tool["name"]: tool.get("parameters") for tool in body.get("tools", [])},
        "choice": choice["name"] if isinstance(choice, dict) else choice, "parallel": body.get("parallel_tool_calls"),
        "schema": wanted.get("schema"), "effort": (body.get("reasoning") or {}).get("effort"),
        "limit": body.get("max_output_tokens"), "user": body.get("safety_identifier", body.get("user"))}
