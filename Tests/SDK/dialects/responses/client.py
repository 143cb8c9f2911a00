"""A client of Responses: the openai package."""

import json

import openai

from dialects.answers import Usage
from dialects.questions import Called, Image, Incomplete, Past, Pdf, Question, Reply, Result, StreamFailed, User

_ENDS = ("response.completed", "response.incomplete")


class Client:
    """A client that stores its own history, as agents do."""

    dialect = "responses"
    # Base classes of the client's exceptions.
    ERROR = (openai.APIError, StreamFailed)

    def __init__(self, url: str, key: str):
        self.sdk = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=10)

    def close(self):
        self.sdk.close()

    def ask(self, model: str, question: Question, stream: bool = False) -> Reply:
        raw = self.sdk.responses.with_raw_response.create(
            model=model, **request(question), stream=stream, extra_body=question.more)
        reply = _reply(_final(raw.parse()) if stream else raw.parse())
        reply.headers = raw.headers
        return reply


def request(question: Question) -> dict:
    items = []
    for turn in question.turns:
        items += _items(turn)
    choice = question.choice
    if choice not in (None, "auto", "required", "none"):
        choice = {"type": "function", "name": choice}
    schema = question.schema and {
        "format": {"type": "json_schema", "name": "answer", "schema": question.schema, "strict": True}}
    thinks = question.effort is not None
    members = {
        "instructions": question.system,
        "tools": [{
            "type": "function", "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            "strict": False} for tool in question.tools],
        "tool_choice": choice, "parallel_tool_calls": question.parallel, "text": schema,
        "reasoning": {"effort": question.effort, "summary": "auto"} if thinks else None,
        "include": ["reasoning.encrypted_content"] if thinks else None, "max_output_tokens": question.limit,
        "safety_identifier": question.user}
    assert not question.stop, "this dialect has no stop sequences"
    given = {name: value for name, value in members.items() if value not in (None, [])}
    return {"input": items, "store": False, **given}


def _items(turn) -> list:
    if isinstance(turn, Past):
        return turn.reply.history
    if isinstance(turn, Result):
        plain = all(isinstance(part, str) for part in turn.parts)
        output = "".join(turn.parts) if plain else [_part(part) for part in turn.parts]
        return [{"type": "function_call_output", "call_id": turn.id, "output": output}]
    if isinstance(turn, User):
        return [{"role": "user", "content": [_part(part) for part in turn.parts]}]
    items = [{"role": "assistant", "content": turn.text}] if turn.text else []
    if isinstance(turn, Called):
        items += [
            {"type": "function_call", "call_id": id, "name": name, "arguments": json.dumps(arguments)}
            for id, name, arguments in turn.calls]
    return items


def _part(part) -> dict:
    if isinstance(part, Image):
        return {"type": "input_image", "detail": "auto", "image_url": part.url}
    if isinstance(part, Pdf):
        return {"type": "input_file", "filename": part.name, "file_data": f"data:application/pdf;base64,{part.data}"}
    return {"type": "input_text", "text": part}


def _final(stream):
    """Returns the response of the last event, which must agree with the earlier events."""
    told = _Told()
    final = None
    for number, event in enumerate(stream):
        assert event.sequence_number == number, "events are numbered one after the other"
        assert final is None, "nothing comes after the end"
        if event.type == "response.failed":
            raise StreamFailed(event.response.error)
        if event.type == "error":
            raise StreamFailed(event)
        assert (event.type == "response.created") == (number == 0), "a response is created first, and once"
        if event.type in _ENDS:
            final = event.response
        else:
            told.take(event)
    if final is None:
        raise Incomplete(told.items)
    assert [item.model_dump() for item in final.output] == told.items, "items are told as they are in the end"
    return final


class _Told:
    """Assembles items from their events. Several calls can be open at once, but other items only one after the
    other."""

    def __init__(self):
        self.items = []
        self._open = {}
        self._texts = {}

    def take(self, event):
        kind = event.type
        if kind == "response.output_item.added":
            index = len(self.items) + len(self._open)
            assert event.output_index == index, "items are numbered one after the other"
            beside = [*self._open.values(), event.item]
            assert len(beside) == 1 or {item.type for item in beside} == {"function_call"}
            assert not getattr(event.item, "content", None) and not getattr(event.item, "arguments", None)
            self._open[index], self._texts[index] = event.item, {}
        elif kind == "response.output_item.done":
            index, item = event.output_index, event.item
            assert index == len(self.items) and item.id == self._open.pop(index).id
            assert list(self._texts[index].values()) == _texts(item), "deltas add up to the whole"
            self.items.append(item.model_dump())
        elif kind.startswith("response.") and hasattr(event, "output_index"):
            assert event.item_id == self._open[event.output_index].id
            self._take_part(self._texts[event.output_index], event, kind)

    @staticmethod
    def _take_part(texts: dict, event, kind: str):
        place = getattr(event, "content_index", getattr(event, "summary_index", 0))
        if kind.endswith(".delta"):
            texts[place] = texts.get(place, "") + event.delta
        elif kind.endswith(("_text.done", "refusal.done", "arguments.done")):
            whole = next(getattr(event, name) for name in ("text", "refusal", "arguments") if hasattr(event, name))
            assert texts.setdefault(place, "") == whole, "deltas add up to the whole"


def _texts(item) -> list:
    if item.type == "function_call":
        return [item.arguments]
    if item.type == "reasoning":
        return [part.text for part in [*item.summary, *(item.content or [])]]
    return [part.text if part.type == "output_text" else part.refusal for part in item.content]


def _reply(response) -> Reply:
    assert response.object == "response" and response.id
    if response.error:
        raise StreamFailed(response.error)
    reply = Reply(model=response.model, usage=_usage(response.usage))
    reason = response.incomplete_details and response.incomplete_details.reason
    reply.finish = (response.status, reason) if reason else response.status
    ids = [item.id for item in response.output]
    assert len(set(ids)) == len(ids) and all(ids), "every item has an id of its own"
    for item in response.output:
        if item.type == "function_call":
            reply.calls.append((item.call_id, item.name, json.loads(item.arguments)))
        elif item.type == "reasoning":
            reply.reasoning += "".join(_texts(item))
        else:
            reply.text += "".join(part.text for part in item.content if part.type == "output_text")
            reply.refusal += "".join(part.refusal for part in item.content if part.type == "refusal")
    # The items as received, which is how applications send them back.
    reply.history = [item.model_dump(exclude_unset=True) for item in response.output]
    return reply


def _usage(usage) -> Usage:
    assert usage.total_tokens == usage.input_tokens + usage.output_tokens
    return Usage(
        input=usage.input_tokens, output=usage.output_tokens, cached=usage.input_tokens_details.cached_tokens,
        written=usage.input_tokens_details.cache_write_tokens or 0,
        reasoning=usage.output_tokens_details.reasoning_tokens)
