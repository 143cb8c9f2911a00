"""Unknown members arrive byte for byte: random JSON over real connections."""

import json
import random

import pytest

from told import (
    ANTHROPIC_MODEL,
    EVENTS,
    HIDDEN_MODEL,
    JSON,
    OPENAI_MODEL,
    RENAMED_MODEL,
    ROUTES,
    Reply,
)

SEED = 20261121
CASES = 25
NAMES = [
    "x", "reasoning_content", "provider", "\u00e9t\u00e9", "\\u0061\\u00e9", "a b", "\\\"", "\U0001f30d", "__proto__",
    "0",
]  # fmt: skip
NUMBERS = [
    "0", "-0", "1", "-17", "0.10", "1E+2", "1e-7", "1.50e10", "123456789012345678901234567890", "0.1e00", "-0.0",
]  # fmt: skip
STRINGS = [
    "", "a", "w\u00f6rld", "\U0001f30d", "\\n", "\\u00e9", "\\ud83c\\udf0d", "\\/", "/", "\\\"", "[DONE]", "data: ",
    "\\u0000", "\u2028",
]  # fmt: skip


class Text:
    """Writes random JSON as no encoder would, with every spelling of numbers and strings, and white space anywhere."""

    def __init__(self, seed, spaces: str):
        self._random = random.Random(seed)
        self._spaces = spaces

    def space(self) -> str:
        return "".join(self._random.choices(self._spaces, k=self._random.choice([0, 0, 0, 1, 3])))

    def string(self) -> str:
        return '"' + "".join(self._random.choices(STRINGS, k=self._random.randrange(4))) + '"'

    def value(self, depth: int = 4) -> str:
        kind = self._random.randrange(7 if depth else 5)
        if kind < 2:
            return self._random.choice(["true", "false", "null", *NUMBERS])
        if kind < 5:
            return self.string()
        items = range(self._random.randrange(4))
        if kind == 5:
            return "[" + (",".join(self._padded(self.value(depth - 1)) for _ in items) or self.space()) + "]"
        return "{" + (",".join(self._pair(self.string(), self.value(depth - 1)) for _ in items) or self.space()) + "}"

    def unknown(self) -> list:
        """Returns members that the gateway never reads, as pairs of name and text."""
        names = self._random.sample(NAMES, self._random.randrange(1, 4))
        return [(name, self.value()) for name in names]

    def document(self, known: dict) -> str:
        """Returns the known members among unknown ones, in random order."""
        members = [(name, text) for name, text in known.items()] + self.unknown()
        self._random.shuffle(members)
        pairs = (self._pair(f'"{name}"', text) for name, text in members)
        return self.space() + "{" + ",".join(pairs) + "}" + self.space()

    def _pair(self, name: str, text: str) -> str:
        return f"{self._padded(name)}:{self._padded(text)}"

    def _padded(self, text: str) -> str:
        return self.space() + text + self.space()


@pytest.fixture(scope="module")
def send(front):
    """Returns a function that sends bodies in sequence over one connection."""
    connection = front.connection()
    # The sockets of all requests: if the gateway closed the connection, the next request would open another socket.
    sockets = set()

    def send(path: str, body: str) -> bytes:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {front.key}"}
        connection.request("POST", path, body.encode(), headers)
        sockets.add(connection.sock)
        answer = connection.getresponse()
        data = answer.read()
        assert answer.status == 200, (body, data)
        return data

    yield send
    connection.close()
    assert len(sockets) == 1


def texts(path: str, **changes) -> dict:
    return {name: json.dumps(value) for name, value in {**ROUTES[path], **changes}.items()}


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("case", range(CASES))
def test_whole_bodies_in_both_directions(front, send, path, case):
    text = Text(f"{SEED} {path} {case}", " \t\n\r")
    answer = text.document({"id": '"1"', "choices": "[]"}).encode()
    front.upstream.answers(Reply(answer, type="audio/mpeg" if path == "/v1/audio/speech" else JSON))
    body = text.document(texts(path))
    assert send(path, body) == answer
    assert front.upstream.requests[0].body == body.encode()


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses", "/v1/messages"])
@pytest.mark.parametrize("case", range(CASES))
def test_a_renamed_model_changes_nothing_but_its_name(front, send, path, case):
    public = f"claude-{RENAMED_MODEL}" if path == "/v1/messages" else RENAMED_MODEL
    text = Text(f"{SEED} renamed {path} {case}", " \t\n\r")
    answer = text.document({"model": f'"{HIDDEN_MODEL}"', "id": '"1"'})
    front.upstream.answers(Reply(answer.encode()))
    body = text.document(texts(path, model=public))
    assert send(path, body).decode() == answer.replace(f'"{HIDDEN_MODEL}"', f'"{public}"')
    assert front.upstream.requests[0].body.decode() == body.replace(f'"{public}"', f'"{HIDDEN_MODEL}"')


@pytest.mark.parametrize("model", [OPENAI_MODEL, RENAMED_MODEL])
@pytest.mark.parametrize("case", range(CASES))
def test_chunks_of_a_chat(front, send, model, case):
    text = Text(f"{SEED} chunks {model} {case}", " \t")
    upstreams_model = OPENAI_MODEL if model == OPENAI_MODEL else HIDDEN_MODEL
    head = {"id": '"c"', "object": '"chat.completion.chunk"', "model": f'"{upstreams_model}"'}
    chunks = [
        text.document({**head, "choices": f'[{text.document({"index": "0", "delta": text.document(delta)})}]'})
        for delta in ({"role": '"assistant"'}, {"content": text.string()}, {"tool_calls": "[]"}, {"content": '"x"'})
    ]
    chunks.append(text.document({**head, "choices": '[{"index":0,"delta":{},"finish_reason":"stop"}]'}))
    front.upstream.answers(stream([(None, chunk) for chunk in chunks]))
    options = {"stream": "true", "stream_options": '{"include_usage":true}'}
    body = text.document({**texts("/v1/chat/completions", model=model), **options})
    received = events(send("/v1/chat/completions", body))
    renamed = [chunk.replace(f'"{upstreams_model}"', f'"{model}"') for chunk in chunks]
    assert received == [(None, chunk) for chunk in renamed] + [(None, "[DONE]")]
    expected = body.replace(f'"{model}"', f'"{upstreams_model}"')
    assert front.upstream.requests[0].body.decode() == expected


@pytest.mark.parametrize("case", range(CASES))
def test_a_stream_request_only_gains_the_usage_option(front, send, case):
    text = Text(f"{SEED} usage {case}", " \t\n\r")
    chunk = text.document({"id": '"c"', "choices": '[{"index":0,"delta":{},"finish_reason":"stop"}]'})
    front.upstream.answers(stream([(None, chunk.translate({10: " ", 13: " "}))]))
    body = text.document({**texts("/v1/chat/completions"), "stream": "true"})
    send("/v1/chat/completions", body)
    got = front.upstream.requests[0].body.decode()
    assert got.replace('"stream_options":{"include_usage":true},', "", 1) == body
    assert len(got) > len(body)


@pytest.mark.parametrize(
    ("path", "model", "kinds"),
    [
        ("/v1/responses", OPENAI_MODEL, ["response.created", "response.unheard_of", "response.completed"]),
        ("/v1/messages", ANTHROPIC_MODEL, ["message_start", "content_block_delta", "unheard_of", "message_stop"]),
    ],
)
@pytest.mark.parametrize("case", range(CASES))
def test_typed_events(front, send, path, model, kinds, case):
    text = Text(f"{SEED} typed {path} {case}", " \t")
    deltas = {kind: text.document({"text": text.string()}) for kind in kinds}
    sent = [(kind, text.document({"type": f'"{kind}"', "delta": delta})) for kind, delta in deltas.items()]
    front.upstream.answers(stream(sent))
    body = text.document({**texts(path), "stream": "true"})
    received = events(send(path, body))
    assert received[: len(sent)] == sent
    assert received[len(sent) :] in ([], [(None, "[DONE]")])
    assert front.upstream.requests[0].body == body.encode()


def test_the_random_texts_are_valid_and_unusual_json():
    documents = [Text(seed, " \t\n\r").document({}) for seed in range(500)]
    assert all(isinstance(json.loads(document), dict) for document in documents)
    everything = "".join(documents)
    assert all(text in everything for text in [*NAMES, *NUMBERS, *STRINGS])


def stream(named: list) -> Reply:
    text = "".join((f"event: {name}\n" if name else "") + f"data: {data}\n\n" for name, data in named)
    end = "" if named[0][0] else "data: [DONE]\n\n"
    return Reply((text + end).encode(), type=EVENTS)


def events(data: bytes) -> list:
    """Returns pairs of name and data, as they were written."""
    found = []
    for block in data.decode().split("\n\n")[:-1]:
        lines = [line for line in block.split("\n") if not line.startswith(":")]
        name = next((line[7:] for line in lines if line.startswith("event: ")), None)
        (written,) = (line[6:] for line in lines if line.startswith("data: "))
        found.append((name, written))
    return found
