"""Requests and replies of a client, and the resulting upstream requests, in neutral terms."""

import base64
from dataclasses import dataclass, field, replace

from dialects.answers import Usage


@dataclass(frozen=True)
class Image:
    """An image, as a data: URL or a web address."""

    url: str


@dataclass(frozen=True)
class Pdf:
    """A PDF; `data` is in base64."""

    data: str
    name: str = "paper.pdf"


@dataclass(frozen=True)
class User:
    """A user's turn: texts, images and files, in this order."""

    parts: tuple

    def __init__(self, *parts):
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Assistant:
    text: str


@dataclass(frozen=True)
class Called:
    """An assistant's turn: text, if any, and calls (id, name, arguments)."""

    text: str
    calls: tuple


@dataclass(frozen=True)
class Past:
    """An earlier reply, returned in its original form."""

    reply: "Reply"


@dataclass(frozen=True)
class Result:
    """The result of a call; `parts` are texts and images."""

    id: str
    parts: tuple
    is_error: bool = False

    def __init__(self, id: str, *parts, is_error: bool = False):
        for name, value in (("id", id), ("parts", parts), ("is_error", is_error)):
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Tool:
    name: str
    parameters: dict
    description: str = "Does what its name says."


@dataclass(frozen=True)
class Question:
    """A request. `choice` is auto, required, none or a tool's name; `more` contains further members, which are sent
    unchanged."""

    turns: tuple
    system: str | None = None
    tools: tuple = ()
    choice: str | None = None
    parallel: bool | None = None
    schema: dict | None = None
    effort: str | None = None
    stop: tuple = ()
    limit: int | None = None
    user: str | None = None
    more: dict = field(default_factory=dict)

    def then(self, *turns) -> "Question":
        return replace(self, turns=self.turns + turns)


def ask(*parts, **members) -> Question:
    return Question((User(*parts),), **members)


@dataclass
class Reply:
    """A reply as the client received it. `finish` is the dialect's own word; `calls` are (id, name, arguments).

    `history` is the part that the client sends back in the next round.
    """

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    calls: list = field(default_factory=list)
    finish: object = None
    usage: Usage | None = None
    model: str = ""
    headers: object = None
    history: list = field(default_factory=list)


class StreamFailed(Exception):
    """An error event in a stream that the SDK hands to the application instead of raising it."""


class Incomplete(Exception):
    """A stream without an end event; a gateway must never make it look complete."""


def data_url(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
