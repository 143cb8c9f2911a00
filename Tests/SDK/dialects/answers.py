"""Planned responses of a provider, in neutral terms."""

import threading
from dataclasses import dataclass

# Finish reasons; `wire.FINISHES` maps them to the words of each dialect.
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
    """Reasoning. A provider that signs it prefixes `signature` with its own mark, and accepts no other."""

    signature: str = "c2lnbmVk"


@dataclass(frozen=True)
class Redacted:
    """Reasoning that is available only in encrypted form."""

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
    """Token counts. `input` includes `cached` and `written` (to a cache); `output` includes `reasoning`."""

    input: int = 21
    output: int = 9
    cached: int = 0
    written: int = 0
    reasoning: int = 0


@dataclass(frozen=True)
class Answer:
    """A response. With `interleaved`, the fragments of neighboring calls alternate if the dialect allows it."""

    pieces: tuple
    finish: str = STOP
    usage: Usage = Usage()
    interleaved: bool = False
    stop_sequence: str | None = None


@dataclass(frozen=True)
class Failure:
    """An error response; `retry_after` is the header's value."""

    status: int
    message: str = "scripted failure"
    retry_after: str | None = None


@dataclass(frozen=True)
class Broken:
    """A response that ends after `events` events, with an error event or a closed connection."""

    answer: Answer
    events: int
    error: bool = False


@dataclass(frozen=True)
class Held:
    """A response whose stream waits after `events` events for its release."""

    answer: Answer
    events: int
    released: threading.Event


def text(*deltas: str, **more) -> Answer:
    return Answer((Text(deltas),), **more)


def calls(*pieces, **more) -> Answer:
    return Answer(tuple(pieces), finish=CALLS, **more)
