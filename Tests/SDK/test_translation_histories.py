"""Histories of any shape arrive upstream unchanged: roles, texts, images, calls, results and their order."""

import random

import pytest

from dialects.answers import text
from dialects.questions import Assistant, Called, Image, Question, Result, Tool, User, ask, data_url
from translation import way, ways  # noqa: F401  (fixtures)

TOOLS = (Tool("weather", {"type": "object", "properties": {}}), Tool("clock", {"type": "object", "properties": {}}))
TEXTS = [
    "Hello", "w\u00f6rld \U0001f30d", "\"quoted\" \\ and\ttabbed", "two\n\nlines", "{\"json\": [1]}", "</s> [DONE]",
    "a" * 5000]
VALUES = [
    None, True, 0, -1, 1.25e-7, 2 ** 53 + 1, "", "\u00e9\u4e2d\U0001f600", "\"\\\n\u2028", [], {},
    [1, ["a", {"b": None}]], {"nested": {"deeper": [False, 0.5]}}]
IMAGES = [Image(data_url("image/png", b"\x89PNG")), Image("https://example.org/a.png")]


class Conversation:
    """A random history, as the client sends it and as an upstream must read it."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._ids = 0
        self.turns = []
        self.expected = []
        for _ in range(self._random.randint(1, 5)):
            self._user()
            for _ in range(self._random.randint(0, 2)):
                self._calls()
            if self._random.random() < 0.7:
                self._say(Assistant, "assistant")
        self._user()

    def _user(self):
        # No texts are adjacent, because the upstream would decide whether they are one.
        parts = [self._random.choice(TEXTS), *self._random.choices(IMAGES, k=self._random.randint(0, 2))]
        if self._random.random() < 0.3 and len(parts) > 1:
            parts.append(self._random.choice(TEXTS))
        if self.expected and self.expected[-1][0] == "user":
            parts.pop(0)
            parts = parts or [self._random.choice(IMAGES)]
        self.turns.append(User(*parts))
        self.expected += [("image", part.url) if isinstance(part, Image) else ("user", part) for part in parts]

    def _say(self, kind, role: str):
        said = self._random.choice(TEXTS)
        self.turns.append(kind(said))
        self.expected.append((role, said))

    def _calls(self):
        calls = []
        for _ in range(self._random.randint(1, 3)):
            self._ids += 1
            names = self._random.sample(["city", "\u00fcber", "a b"], self._random.randint(0, 3))
            arguments = {name: self._random.choice(VALUES) for name in names}
            calls.append((f"call_{self._ids}-aB", self._random.choice(TOOLS).name, arguments))
        said = self._random.choice(["", self._random.choice(TEXTS)])
        self.turns.append(Called(said, tuple(calls)))
        self.expected += [("assistant", said)] if said else []
        self.expected += [("call", *call) for call in calls]
        for id, _, _ in calls:
            result = self._random.choice(TEXTS)
            self.turns.append(Result(id, result))
            self.expected.append(("result", id, result))


@pytest.mark.parametrize("seed", range(12))
def test_any_history_arrives_unchanged(way, seed):  # noqa: F811
    conversation = Conversation(seed)
    question = Question(tuple(conversation.turns), system="Be brief.", tools=TOOLS)
    way.ask(question, text("Well."))
    assert way.turns == [("system", "Be brief."), *conversation.expected]


@pytest.mark.parametrize("id", ["functions.weather:0", "call 1", "call_" + "x" * 59, "\u00fcber|fc_1"])
def test_call_ids_invalid_upstream_are_replaced(way, id):  # noqa: F811
    """Uses the ids of another provider, which can have served the conversation before."""
    other = id[:-1] + "2"
    calls = Called("", ((id, "weather", {}), (other, "weather", {"city": "Oslo"})))
    question = ask("Weather?", tools=TOOLS).then(calls, Result(id, "24"), Result(other, "3"))
    way.ask(question, text("Warm."))
    [first, second] = [turn[1] for turn in way.turns if turn[0] == "call"]
    assert first != second
    assert [turn[1:] for turn in way.turns if turn[0] == "result"] == [(first, "24"), (second, "3")]


def test_turns_of_one_role_can_follow_each_other(way):  # noqa: F811
    question = ask("One.").then(User("Two."), Assistant("Three."), Assistant("Four."), User("Five."))
    way.ask(question, text("Six."))
    said = [(turn[0], "".join(turn[1].split())) for turn in way.turns]
    merged = []
    for role, words in said:
        if merged and merged[-1][0] == role:
            merged[-1] = (role, merged[-1][1] + words)
        else:
            merged.append((role, words))
    assert merged == [("user", "One.Two."), ("assistant", "Three.Four."), ("user", "Five.")]
