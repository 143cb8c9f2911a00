"""A client of Chat Completions: the openai package."""

import json

import openai

from dialects.answers import Usage
from dialects.questions import Called, Image, Incomplete, Past, Pdf, Question, Reply, Result, Tool, User


class Client:
    dialect = "chat"
    # Base class of the SDK's exceptions.
    ERROR = openai.APIError

    def __init__(self, url: str, key: str):
        self.sdk = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=10)

    def close(self):
        self.sdk.close()

    def ask(self, model: str, question: Question, stream: bool = False) -> Reply:
        arguments = request(question)
        if stream:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        raw = self.sdk.chat.completions.with_raw_response.create(model=model, **arguments, extra_body=question.more)
        reply = _streamed(raw.parse()) if stream else _whole(raw.parse())
        reply.headers = raw.headers
        return reply


def request(question: Question) -> dict:
    messages = [{"role": "system", "content": question.system}] if question.system else []
    for turn in question.turns:
        messages += _messages(turn)
    choice = question.choice
    if choice not in (None, "auto", "required", "none"):
        choice = {"type": "function", "function": {"name": choice}}
    schema = question.schema and {
        "type": "json_schema", "json_schema": {"name": "answer", "schema": question.schema, "strict": True}}
    members = {
        "tools": [_tool(tool) for tool in question.tools],
        "tool_choice": choice, "parallel_tool_calls": question.parallel, "response_format": schema,
        "reasoning_effort": question.effort, "stop": list(question.stop), "max_completion_tokens": question.limit,
        "safety_identifier": question.user}
    return {"messages": messages, **{name: value for name, value in members.items() if value not in (None, [])}}


def _tool(tool: Tool) -> dict:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _messages(turn) -> list:
    if isinstance(turn, Past):
        return turn.reply.history
    if isinstance(turn, Result):
        return [{"role": "tool", "tool_call_id": turn.id, "content": "".join(turn.parts)}]
    if isinstance(turn, User):
        return [{"role": "user", "content": _content(turn.parts)}]
    message = {"role": "assistant", "content": turn.text or None}
    if isinstance(turn, Called):
        message["tool_calls"] = [_call(*call) for call in turn.calls]
    return [message]


def _call(id: str, name: str, arguments: dict) -> dict:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def _content(parts: tuple):
    return parts[0] if parts and isinstance(parts[0], str) and len(parts) == 1 else [_part(part) for part in parts]


def _part(part) -> dict:
    if isinstance(part, Image):
        return {"type": "image_url", "image_url": {"url": part.url}}
    if isinstance(part, Pdf):
        file = {"filename": part.name, "file_data": f"data:application/pdf;base64,{part.data}"}
        return {"type": "file", "file": file}
    return {"type": "text", "text": part}


def _whole(completion) -> Reply:
    [choice] = completion.choices
    assert completion.object == "chat.completion" and completion.id and completion.created and choice.index == 0
    # The message as received, which is how applications send it back.
    message = choice.message.model_dump(exclude_unset=True)
    return _reply(message, choice.finish_reason, completion.usage, completion.model)


def _streamed(stream) -> Reply:
    message = {}
    finish = usage = None
    heads = set()
    for chunk in stream:
        heads.add((chunk.id, chunk.created, chunk.model, chunk.object))
        if not chunk.choices:
            assert usage is None and finish, "the counts come once, after the end"
            usage = chunk.usage
            continue
        [choice] = chunk.choices
        assert finish is None, "nothing of a choice comes after its end"
        delta = choice.delta.model_dump(exclude_unset=True)
        assert message or delta.get("role") == "assistant", "a stream begins with the role"
        _add(message, delta)
        finish = choice.finish_reason
    if finish is None:
        raise Incomplete(message)
    assert len(heads) == 1, heads
    model = heads.pop()[2]
    return _reply(message, finish, usage, model)


def _add(message: dict, delta: dict):
    for name, value in delta.items():
        if name == "tool_calls":
            for fragment in value:
                _add_call(message.setdefault(name, []), dict(fragment))
        elif isinstance(value, str) and name != "role":
            message[name] = (message.get(name) or "") + value
        elif isinstance(value, list):
            message.setdefault(name, []).extend(value)
        else:
            message.setdefault(name, value)


def _add_call(calls: list, fragment: dict):
    index = fragment.pop("index")
    if index == len(calls):
        assert fragment["id"] and fragment["type"] == "function" and fragment["function"]["name"]
        return calls.append(fragment)
    assert index < len(calls), "calls are numbered one after the other"
    assert not fragment.get("id"), "a call begins once"
    calls[index]["function"]["arguments"] += fragment["function"]["arguments"]


def _reply(message: dict, finish: str, usage, model: str) -> Reply:
    calls = [
        (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in message.get("tool_calls") or []]
    return Reply(
        text=message.get("content") or "", reasoning=message.get("reasoning_content") or "",
        refusal=message.get("refusal") or "", calls=calls, finish=finish, usage=_usage(usage), model=model,
        history=[message])


def _usage(usage) -> Usage:
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    details = usage.prompt_tokens_details
    reasoning = usage.completion_tokens_details
    return Usage(
        input=usage.prompt_tokens, output=usage.completion_tokens, cached=details.cached_tokens or 0 if details else 0,
        written=details.cache_write_tokens or 0 if details else 0,
        reasoning=reasoning.reasoning_tokens or 0 if reasoning else 0)
