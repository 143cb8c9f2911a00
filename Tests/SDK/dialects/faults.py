"""Validation of requests: the parts that all providers share."""

import json
import re

_NAMES = {str: "a string", int: "an integer", float: "a number", bool: "a boolean", list: "an array", dict: "an object",
    type(None): "null"}


class Refused(Exception):
    """A provider's refusal of a request."""

    def __init__(self, message: str, param: str | None = None, code: str | None = None):
        super().__init__(message)
        self.message = message
        self.param = param
        self.code = code


def need(condition, message: str, param: str | None = None, code: str | None = None):
    if not condition:
        raise Refused(message, param, code)


def number(value, low, high) -> bool:
    return type(value) in (int, float) and low <= value <= high


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def is_web_address(url: str) -> bool:
    return re.match(r"https?://[^/\s]+", url) is not None


def data_url(url: str) -> str | None:
    """Returns the media type of a base64 data: URL, or None if `url` is not one."""
    match = re.fullmatch(r"data:([a-z]+/[a-z0-9.+-]+);base64,[A-Za-z0-9+/]+={0,2}", url)
    return match and match[1]


class Wording:
    """A provider's messages for missing, unknown or mistyped members, and its syntax of paths."""

    def __init__(self, missing: str, unknown: str, wrong: str, has_brackets: bool):
        self._missing = missing
        self._unknown = unknown
        self._wrong = wrong
        self._has_brackets = has_brackets

    def at(self, path: str, step: str | int) -> str:
        if isinstance(step, int) and self._has_brackets:
            return f"{path}[{step}]"
        return f"{path}.{step}" if path else str(step)

    def kind(self, value, path: str, *kinds):
        # In Python, unlike in JSON, a boolean is an integer.
        fits = type(value) in kinds or (float in kinds and type(value) is int)
        wanted = " or ".join(_NAMES[kind] for kind in kinds)
        need(fits, self._wrong.format(path=path, wanted=wanted, got=_NAMES[type(value)]), path, "invalid_type")

    def members(self, value, path: str, required: dict, optional: dict = {}):
        """Checks that an object has these members, and that each has one of its types; a member without types accepts
        any."""
        self.kind(value, path, dict)
        for name in required:
            at = self.at(path, name)
            need(name in value, self._missing.format(path=at), at, "missing_required_parameter")
        for name, member in value.items():
            at = self.at(path, name)
            known = name in required or name in optional
            need(known, self._unknown.format(path=at), at, "unknown_parameter")
            kinds = required.get(name, optional.get(name))
            if kinds:
                self.kind(member, at, *kinds)

    def items(self, value, path: str):
        """Returns the elements of an array, each with its path."""
        self.kind(value, path, list)
        return [(element, self.at(path, index)) for index, element in enumerate(value)]
