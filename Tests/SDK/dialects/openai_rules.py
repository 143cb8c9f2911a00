"""Refusals that Chat Completions and Responses share, and their messages."""

import re

from dialects.faults import Wording, data_url, is_web_address, need, number

WORDING = Wording(
    missing="Missing required parameter: '{path}'.",
    unknown="Unknown parameter: '{path}'.",
    wrong="Invalid type for '{path}': expected {wanted}, but got {got} instead.",
    has_brackets=True)

NONE = type(None)
TEXT = (str,)
TEXT_OR_NULL = (str, NONE)
BOOL_OR_NULL = (bool, NONE)
INT_OR_NULL = (int, NONE)
NUMBER_OR_NULL = (float, NONE)
OBJECT_OR_NULL = (dict, NONE)
LIST_OR_NULL = (list, NONE)

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def one_of(value, allowed: tuple, path: str):
    choices = ", ".join(f"'{name}'" for name in allowed)
    need(value in allowed, f"Invalid value: '{value}'. Supported values are: {choices}.", path, "invalid_value")


def tool_name(name: str, path: str):
    fits = re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name)
    need(fits, f"Invalid '{path}': string does not match pattern '^[a-zA-Z0-9_-]{{1,64}}$'.", path, "invalid_value")


def at_most(text: str, length: int, path: str):
    message = f"Invalid '{path}': string too long. Expected a string with maximum length {length}, but got {len(text)}."
    need(len(text) <= length, message, path, "string_above_max_length")


def image(url: str, path: str):
    fits = is_web_address(url) or data_url(url) in IMAGES
    need(fits, f"Invalid '{path}': expected a URL or a data URL of a supported image.", path, "invalid_image_url")


def file(part: dict, path: str):
    """Checks a file part: a PDF with its data and name, or the id of a file at the provider."""
    if "file_data" in part:
        need("filename" in part, f"Missing required parameter: '{path}.filename'.", f"{path}.filename")
        fits = data_url(part["file_data"]) == "application/pdf"
        need(fits, f"Invalid '{path}.file_data': expected a base64-encoded data URL of a PDF.", path, "invalid_value")
    else:
        has_source = "file_id" in part or "file_url" in part
        need(has_source, f"Missing required parameter: '{path}.file_id'.", path, "missing_required_parameter")


def common_members(body: dict):
    """Checks sampling, metadata and limits, whose names are the same in both dialects."""
    for name, low, high in (("temperature", 0, 2), ("top_p", 0, 1), ("top_logprobs", 0, 20)):
        value = body.get(name)
        message = f"Invalid '{name}': expected a value between {low} and {high}, but got {value} instead."
        need(value is None or number(value, low, high), message, name, "decimal_above_max_value")
    metadata = body.get("metadata") or {}
    need(len(metadata) <= 16, "Invalid 'metadata': too many properties.", "metadata")
    for name, value in metadata.items():
        WORDING.kind(value, f"metadata.{name}", str)
    for name in ("safety_identifier", "prompt_cache_key"):
        at_most(body.get(name) or "", 64, name)
    if body.get("service_tier") is not None:
        one_of(body["service_tier"], ("auto", "default", "flex", "scale", "priority", "fast"), "service_tier")


def strict_schema(schema, path: str):
    """Checks that a strict schema requires all its members and allows no others."""
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object":
        closed = schema.get("additionalProperties") is False
        need(closed, f"Invalid schema for '{path}': 'additionalProperties' is required to be false.", path)
        properties = schema.get("properties", {})
        complete = set(schema.get("required", [])) == set(properties)
        need(complete, f"Invalid schema for '{path}': 'required' must hold every key in properties.", path)
        for name, member in properties.items():
            strict_schema(member, f"{path}.{name}")
    elif schema.get("type") == "array":
        strict_schema(schema.get("items"), f"{path}.items")


def function(definition: dict, path: str):
    tool_name(definition["name"], f"{path}.name")
    parameters = definition.get("parameters") or {}
    is_object = parameters.get("type", "object") == "object"
    need(is_object, f"Invalid schema for function '{definition['name']}': schema must be of 'type: \"object\"'.", path)
    if definition.get("strict"):
        strict_schema(parameters, f"{path}.parameters")


def format_schema(definition: dict, path: str):
    """Checks the name, schema and strictness of structured output."""
    tool_name(definition["name"], f"{path}.name")
    if definition.get("strict"):
        strict_schema(definition.get("schema"), f"{path}.schema")


def chosen(name: str, names: set, path: str):
    need(name in names, f"Tool choice '{name}' not found in 'tools' parameter.", path, "invalid_value")


def error(failure: tuple, param: str | None = None, code: str | None = None) -> dict:
    """Returns the body of an error with that status and message."""
    status, message = failure
    kind, usual = ERRORS.get(status, ("server_error", None))
    return {"error": {"message": message, "type": kind, "param": param, "code": code or usual}}


ERRORS = {
    400: ("invalid_request_error", None),
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("permission_error", "unsupported_country_region_territory"),
    404: ("invalid_request_error", "model_not_found"),
    409: ("invalid_request_error", None),
    413: ("invalid_request_error", None),
    422: ("invalid_request_error", None),
    429: ("requests", "rate_limit_exceeded"),
    503: ("server_error", "slow_down"),
}
