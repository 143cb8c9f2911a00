"""A client of Messages: the anthropic package."""

import json

import anthropic

from dialects.answers import Usage
from dialects.questions import Called, Image, Incomplete, Past, Pdf, Question, Reply, Result, Tool, User

_CHOICES = {"auto": "auto", "required": "any", "none": "none"}


class Client:
    dialect = "messages"
    # Base class of the SDK's exceptions.
    ERROR = anthropic.APIError

    def __init__(self, url: str, key: str):
        self.sdk = anthropic.Anthropic(base_url=url, api_key=key, max_retries=0, timeout=10)

    def close(self):
        self.sdk.close()

    def ask(self, model: str, question: Question, stream: bool = False) -> Reply:
        raw = self.sdk.messages.with_raw_response.create(
            model=model, **request(question), stream=stream, extra_body=question.more)
        reply = _streamed(raw.parse()) if stream else _whole(raw.parse())
        reply.headers = raw.headers
        return reply


def request(question: Question) -> dict:
    messages = []
    for turn in question.turns:
        _add_turn(messages, turn)
    choice = None
    if question.choice or question.parallel is not None:
        kind = _CHOICES.get(question.choice or "auto", "tool")
        choice = {"type": kind, **({"name": question.choice} if kind == "tool" else {})}
        if question.parallel is not None:
            choice["disable_parallel_tool_use"] = not question.parallel
    output = {
        **({"effort": question.effort} if question.effort else {}),
        **({"format": {"type": "json_schema", "schema": question.schema}} if question.schema else {})}
    members = {
        "system": question.system,
        "tools": [_tool(tool) for tool in question.tools],
        "tool_choice": choice, "output_config": output, "stop_sequences": list(question.stop),
        "thinking": {"type": "adaptive"} if question.effort else None,
        "metadata": {"user_id": question.user} if question.user else None}
    return {
        "max_tokens": question.limit or 1024, "messages": messages,
        **{name: value for name, value in members.items() if value not in (None, [], {})}}


def _tool(tool: Tool) -> dict:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def _add_turn(messages: list, turn):
    if isinstance(turn, Past):
        messages += turn.reply.history
    elif isinstance(turn, Result):
        block = {"type": "tool_result", "tool_use_id": turn.id, "content": [_block(part) for part in turn.parts]}
        if turn.is_error:
            block["is_error"] = True
        _add_blocks(messages, [block])
    elif isinstance(turn, User):
        _add_blocks(messages, [_block(part) for part in turn.parts])
    else:
        blocks = [_block(turn.text)] if turn.text else []
        if isinstance(turn, Called):
            blocks += [{"type": "tool_use", "id": id, "name": name, "input": input} for id, name, input in turn.calls]
        messages.append({"role": "assistant", "content": blocks})


def _add_blocks(messages: list, blocks: list):
    """Adds blocks to the user's turn, which also contains the results of calls."""
    if messages and messages[-1]["role"] == "user":
        messages[-1]["content"] = messages[-1]["content"] + blocks
    else:
        messages.append({"role": "user", "content": blocks})


def _block(part) -> dict:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, Pdf):
        source = {"type": "base64", "media_type": "application/pdf", "data": part.data}
        return {"type": "document", "source": source}
    if isinstance(part, Image) and part.url.startswith("data:"):
        kind, _, data = part.url.removeprefix("data:").partition(";base64,")
        return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}
    return {"type": "image", "source": {"type": "url", "url": part.url}}


def _whole(message) -> Reply:
    assert message.type == "message" and message.role == "assistant" and message.id
    blocks = [block.model_dump(exclude_unset=True) for block in message.content]
    return _reply(blocks, message.stop_reason, message.stop_sequence, message.usage.model_dump(), message.model)


def _streamed(stream) -> Reply:
    blocks = []
    message = None
    opened = ended = False
    parts = ""
    for event in stream:
        assert not ended, "nothing comes after the end"
        if event.type == "message_start":
            assert message is None
            message = event.message.model_dump()
            assert message["content"] == [] and message["stop_reason"] is None
        elif event.type == "content_block_start":
            assert not opened and event.index == len(blocks), "blocks come one after the other"
            opened, parts = True, ""
            blocks.append(event.content_block.model_dump(exclude_unset=True))
        elif event.type == "content_block_delta":
            assert opened and event.index == len(blocks) - 1
            parts += _add_delta(blocks[-1], event.delta)
        elif event.type == "content_block_stop":
            assert opened and event.index == len(blocks) - 1
            opened = False
            if blocks[-1]["type"] == "tool_use":
                blocks[-1]["input"] = json.loads(parts or "{}")
        elif event.type == "message_delta":
            assert not opened
            message |= event.delta.model_dump(exclude_unset=True)
            counts = event.usage.model_dump(exclude_none=True)
            message["usage"] = {**message["usage"], **counts}
        elif event.type == "message_stop":
            ended = True
    if not ended:
        raise Incomplete(blocks)
    assert message["stop_reason"], "a message ends for a reason"
    return _reply(blocks, message["stop_reason"], message["stop_sequence"], message["usage"], message["model"])


def _add_delta(block: dict, delta) -> str:
    """Applies a delta to a block. Returns the fragment of a call's input, if the delta is one."""
    names = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
    if delta.type == "input_json_delta":
        assert block["type"] == "tool_use"
        return delta.partial_json
    name = names[delta.type]
    assert block["type"] == ("text" if name == "text" else "thinking")
    block[name] += getattr(delta, name)
    return ""


def _reply(blocks: list, reason: str, sequence: str | None, usage: dict, model: str) -> Reply:
    def texts(kind: str, member: str) -> str:
        return "".join(block[member] for block in blocks if block["type"] == kind)

    cached, written = usage["cache_read_input_tokens"] or 0, usage["cache_creation_input_tokens"] or 0
    details = usage.get("output_tokens_details") or {}
    return Reply(
        text=texts("text", "text"), reasoning=texts("thinking", "thinking"),
        calls=[(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"],
        finish=(reason, sequence) if sequence else reason, model=model,
        usage=Usage(
            input=usage["input_tokens"] + cached + written, output=usage["output_tokens"], cached=cached,
            written=written, reasoning=details.get("thinking_tokens") or 0),
        history=[{"role": "assistant", "content": blocks}])
