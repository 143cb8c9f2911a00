"""What a provider shall answer, in words of no dialect."""

import threading
from dataclasses import dataclass

# How an answer ends; which dialect has which is in its `wire.FINISHES`.
STOP, STOP_SEQUENCE, LENGTH, CONTEXT, CALLS, FILTERED, PAUSED = (
    "stop", "stop sequence", "length", "context", "calls", "filtered", "paused")


@dataclass(frozen=True)
class _Piece:
    deltas: tuple

    @property
    def whole(self) -> str:
        return "".join(self.deltas)


@dataclass(frozen=True)
class Text(_Piece):
    pass


@dataclass(frozen=True)
class Reasoning(_Piece):
    """A provider that signs what it has thought puts a mark of its own before `signature`, and takes no other back."""

    signature: str = "c2lnbmVk"


@dataclass(frozen=True)
class Redacted:
    """Thoughts that are given in encrypted form only."""

    data: str


@dataclass(frozen=True)
class Refusal(_Piece):
    pass


@dataclass(frozen=True)
class Call:
    id: str
    name: str
    fragments: tuple

    @property
    def arguments(self) -> str:
        return "".join(self.fragments)


@dataclass(frozen=True)
class Usage:
    """Tokens; `input` has in it what was `cached` and what was `written` to a cache, `output` what was `reasoning`."""

    input: int = 21
    output: int = 9
    cached: int = 0
    written: int = 0
    reasoning: int = 0


@dataclass(frozen=True)
class Answer:
    """With `interleaved` the fragments of neighbouring calls come in turn, where a dialect allows it."""

    pieces: tuple
    finish: str = STOP
    usage: Usage = Usage()
    interleaved: bool = False
    stop_sequence: str | None = None


@dataclass(frozen=True)
class Failure:
    """An answer that is an error: `retry_after` as the header says it."""

    status: int
    message: str = "scripted failure"
    retry_after: str | None = None


@dataclass(frozen=True)
class Broken:
    """An answer that ends after so many events: by an error event, or else by the end of the connection."""

    answer: Answer
    events: int
    error: bool = False


@dataclass(frozen=True)
class Held:
    """An answer whose stream waits after so many events until it is released."""

    answer: Answer
    events: int
    released: threading.Event


def text(*deltas: str, **more) -> Answer:
    return Answer((Text(deltas),), **more)


def calls(*pieces, **more) -> Answer:
    return Answer(tuple(pieces), finish=CALLS, **more)
