"""Answers that are kept: over sockets and over the gateway's loops, with the real SDKs."""

import collections
import hashlib
import http.client
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from connections import text_of
from dialects.answers import Broken, Failure, text
from dialects.clients import CLIENTS
from dialects.questions import ask
from dialects.upstream import DIALECTS, StrictUpstream
from exchanges import MESSAGES
from gateways import KEY, gateways, key_line, wait_until  # noqa: F401  (one is a fixture)
from patience import PATIENCE_SECONDS
from upstreams import TEXT, WORDS, local_upstream  # noqa: F401  (one is a fixture)

OTHER_KEY = "hg-other-0123456789abcdef"
PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
ANSWER = text("Hel", "lo, ", "wörld")


def configuration(url: str, kind: str = "openai", cache: str = "{ttl: 1m}") -> str:
    return f"""
listen: 127.0.0.1:0
loops: 2
upstreams: {{up: {{kind: {kind}, base_url: "{url}", api_key: "${{UPSTREAM_KEY}}"}}}}
models: {{m: {{upstream: up, cache: {cache}}}, gated: {{upstream: up, cache: {cache}}}}}
keys: [{key_line()}, {key_line(OTHER_KEY, "other")}]
"""


class Asker:
    def __init__(self, gateway, dialect: str):
        self.authority, self.dialect = gateway.urls[0].removeprefix("http://"), dialect

    def ask(self, stream: bool = True, key: str = KEY, model: str = "m", control: str | None = None, **members):
        """Header fields and body."""
        question = {"input": "Hi", "store": False} if self.dialect == "responses" else {"messages": MESSAGES, "max_tokens": 99}
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        if control:
            headers["Cache-Control"] = control
        connection = http.client.HTTPConnection(self.authority, timeout=PATIENCE_SECONDS)
        connection.request(
            "POST", PATHS[self.dialect], json.dumps({"model": model, "stream": stream, **question, **members}), headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.headers, body


@pytest.fixture(params=DIALECTS)
def kept(request, gateways):  # noqa: F811
    upstream = StrictUpstream(request.param)
    kind = "anthropic" if request.param == "messages" else "openai"
    gateway = gateways.start(configuration(upstream.url, kind))
    yield Asker(gateway, request.param), upstream
    upstream.close()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_answer_comes_again_byte_for_byte(kept, stream):
    asker, upstream = kept
    upstream.will(ANSWER)
    first, body = asker.ask(stream)
    again, same = asker.ask(stream)
    assert first["x-headgate-cache"] == "miss" and again["x-headgate-cache"] == "hit" and int(again["age"]) < 60
    assert hashlib.sha256(same).digest() == hashlib.sha256(body).digest() and b"lo" in body
    assert len(upstream.received) == 1 and again["content-type"] == first["content-type"]


def test_keys_do_not_see_each_others_answers(kept):
    asker, upstream = kept
    upstream.will(ANSWER, text("Other"))
    _, body = asker.ask()
    fields, other = asker.ask(key=OTHER_KEY)
    assert fields["x-headgate-cache"] == "miss" and b"Other" in other and other != body
    assert asker.ask(key=OTHER_KEY)[1] == other and asker.ask()[1] == body


def test_shared_answers_are_for_all_keys(gateways):  # noqa: F811
    upstream = StrictUpstream("chat")
    try:
        asker = Asker(gateways.start(configuration(upstream.url, cache="{shared: true}")), "chat")
        upstream.will(ANSWER)
        assert asker.ask()[1] == asker.ask(key=OTHER_KEY)[1]
    finally:
        upstream.close()


@pytest.mark.parametrize("answer", [Broken(ANSWER, 4), Broken(ANSWER, 4, error=True), Failure(429, "slow down")])
def test_what_went_wrong_is_not_kept(kept, answer):
    asker, upstream = kept
    upstream.will(answer, ANSWER)
    asker.ask()
    fields, body = asker.ask()
    assert fields["x-headgate-cache"] == "miss" and "wörld" in body.decode()


def test_client_decides_how_fresh_it_wants_its_answer(kept):
    asker, upstream = kept
    upstream.will(*[text(str(number)) for number in range(4)])
    results = [asker.ask(control=control)[0]["x-headgate-cache"] for control in (None, "no-store", "no-cache", "max-age=60")]
    assert results == ["miss", "bypass", "miss", "hit"] and len(upstream.received) == 3


def test_sdk_reads_a_stream_from_the_cache(kept):
    asker, upstream = kept
    if asker.dialect == "responses":
        pytest.skip("its SDK leaves out store: false, and so nothing is kept")
    client = CLIENTS[asker.dialect](f"http://{asker.authority}", KEY)
    try:
        upstream.will(ANSWER)
        replies = [client.ask("m", ask("Hi"), True) for _ in range(2)]
        assert [reply.headers["x-headgate-cache"] for reply in replies] == ["miss", "hit"]
        assert replies[0].text == replies[1].text == "Hello, wörld"
    finally:
        client.close()


def test_hundred_identical_requests_at_a_time_are_one(gateways, local_upstream):  # noqa: F811
    asker = Asker(gateways.start(configuration(local_upstream.url)), "chat")
    with ThreadPoolExecutor(100) as pool:
        futures = [pool.submit(asker.ask, model="gated") for _ in range(100)]
        wait_until(lambda: local_upstream.requests, "a request upstream")
        local_upstream.release.set()
        answers = [future.result() for future in futures]
    assert len({body for _, body in answers}) == 1 and answers[0][1].endswith(b"data: [DONE]\n\n")
    assert collections.Counter(fields["x-headgate-cache"] for fields, _ in answers) == {"miss": 1, "hit": 99}
    assert len(local_upstream.requests) == 1


def test_first_client_may_leave_without_ending_it_for_the_others(gateways, local_upstream):  # noqa: F811
    gateway = gateways.start(configuration(local_upstream.url))
    with gateway.connect(key=KEY) as first, gateway.connect(key=KEY) as second:
        left, stays = first.stream("gated"), None
        assert left.next_text() == WORDS[0]
        stays = second.stream("gated")
        assert stays.response.headers["x-headgate-cache"] == "hit" and stays.next_text() == WORDS[0]
        left.response.close()
        first.http.close()
        gateway.wait_for_log('"outcome":"client_gone"')
        local_upstream.release.set()
        rest = stays.rest()
        assert rest[-1] == "[DONE]" and "".join(map(text_of, rest[:-1])) == TEXT.removeprefix(WORDS[0])
    assert len(local_upstream.requests) == 1
