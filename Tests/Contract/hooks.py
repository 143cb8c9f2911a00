"""Schemathesis hooks for Headgate: existing models, and the schema of a stream's events."""

import json
import os

import jsonschema
import schemathesis

from conversations import put_back
from keys import as_makes_sense, put_back_key

# test_schemathesis.py sets a model for each relay, served by an upstream of its dialect, and the file for successes.
_MODELS = json.loads(os.environ["CONTRACT_MODELS"])
_SUCCESSES = os.environ["CONTRACT_SUCCESSES"]
_STORE = os.environ["CONTRACT_STORE"]
_MARKERS = {
    "openai-chat": "data: [DONE]",
    "openai-completions": "data: [DONE]",
    "openai-responses": "event: response.completed",
    "openai-response-object": "event: response.completed",
    "anthropic-messages": "event: message_stop",
}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Replaces invented model names with real ones, so that requests reach the upstream."""
    if _relay(case) == "openai-conversations":
        put_back(_STORE)
    operation = case.operation.definition.raw["operationId"]
    if operation in ("retrieveKey", "revokeKey", "rotateKey"):
        put_back_key()
    if operation in ("createKey", "createPairing"):
        case.body = as_makes_sense(case.body)
    model = _MODELS.get(_relay(case))
    if model and isinstance(case.body, dict) and _is_a_name(case.body.get("model")):
        case.body = {**case.body, "model": model}
    if isinstance(case.body, dict) and case.media_type == "multipart/form-data":
        case.body = {name: value for name, value in case.body.items() if _is_a_part(name)}


@schemathesis.hook
def after_call(context, case, response):
    """Records operations that succeeded at least once: an operation that only refuses would pass every check."""
    if 200 <= response.status_code < 300:
        with open(_SUCCESSES, "a") as file:
            file.write(case.operation.definition.raw["operationId"] + "\n")


@schemathesis.check
def streams_conform(context, response, case):
    """Checks that every event's data fits the document's schema, and that the end marker comes once."""
    if not response.headers.get("content-type", [""])[0].startswith("text/event-stream"):
        return
    text = response.content.decode()
    assert text.endswith("\n\n"), "the stream's last event has no end"
    # A resumed stream is a chat.
    assert text.count(_MARKERS[_relay(case) or "openai-chat"]) == 1, "the marker of a complete answer does not come exactly once"
    document = case.operation.schema.raw_schema
    operation = case.operation.definition.raw
    schema = operation["responses"]["200"]["content"]["text/event-stream"]["x-event-schema"]
    validator = jsonschema.Draft202012Validator({**schema, "components": document["components"]})
    for event in text.split("\n\n"):
        data = "\n".join(line[6:] for line in event.split("\n") if line.startswith("data: "))
        if data and data != "[DONE]":
            validator.validate(json.loads(data))


def _relay(case) -> str | None:
    return case.operation.definition.raw.get("x-headgate-relay")


def _is_a_part(name: str) -> bool:
    """Returns whether a form's part name is printable and free of characters that some servers escape; a schema cannot
    say so."""
    return bool(name) and all("!" <= character <= "~" and character not in '"\\%' for character in name)


def _is_a_name(value) -> bool:
    return isinstance(value, str) and 0 < len(value) and len(json.dumps(value)) <= 514
