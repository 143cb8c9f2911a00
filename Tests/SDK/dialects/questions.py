"""What a client asks, what it is told and what an upstream is asked in the end, in words of no dialect."""

import base64
from dataclasses import dataclass, field, replace

from dialects.answers import Usage


@dataclass(frozen=True)
class Image:
    """By a data: URL, or one of the web."""

    url: str


@dataclass(frozen=True)
class Pdf:
    """In base64."""

    data: str
    name: str = "paper.pdf"


@dataclass(frozen=True)
class User:
    """Says texts and shows images and files, in this order."""

    parts: tuple

    def __init__(self, *parts):
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Assistant:
    text: str


@dataclass(frozen=True)
class Called:
    """What the assistant said, if anything, and called: (id, name, arguments)."""

    text: str
    calls: tuple


@dataclass(frozen=True)
class Past:
    """What a client was told, given back in the form in which it came."""

    reply: "Reply"


@dataclass(frozen=True)
class Result:
    """Of a call; `parts` are texts and images."""

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
    """`choice` is auto, required, none or the name of a tool. `more` are members of the request, as they are."""

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
    """What a client was told: `finish` in the words of its dialect, `calls` as (id, name, arguments).

    `history` is what it gives back of it in the next round.
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
    """A stream that ended without an end: what a gateway must never let a client see."""


def data_url(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
