"""Cached responses, over sockets and across the gateway's loops, with the real SDKs."""

import collections
import hashlib
import http.client
import json
import re
import secrets
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from dialects.answers import Broken, text
from dialects.clients import CLIENTS
from dialects.questions import ask
from dialects.upstream import DIALECTS, StrictUpstream
from gateways import (  # noqa: F401  (two are fixtures)
    KEY, UPSTREAM_KEY, command, gateways, key_line, module_gateways, wait_until)
from patience import PATIENCE_SECONDS
from redis_servers import redis_server  # noqa: F401  (a fixture)
from upstreams import local_upstream  # noqa: F401  (a fixture)

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
    def __init__(self, gateway, dialect: str, words: str = "Hi"):
        self.authority, self.dialect, self.words = gateway.urls[0].removeprefix("http://"), dialect, words

    def ask(self, stream: bool = True, key: str = KEY, model: str = "m", control: str | None = None, **members):
        """Sends a request; returns the headers and the body of the response."""
        question = {"messages": [{"role": "user", "content": self.words}], "max_tokens": 99}
        if self.dialect == "responses":
            question = {"input": self.words, "store": False}
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


@pytest.fixture(scope="module", params=DIALECTS)
def keeping(request, module_gateways):  # noqa: F811
    """Starts a gateway and its upstream."""
    upstream = StrictUpstream(request.param)
    kind = "anthropic" if request.param == "messages" else "openai"
    yield module_gateways.start(configuration(upstream.url, kind), name=request.param), upstream
    upstream.close()


@pytest.fixture
def kept(keeping):
    gateway, upstream = keeping
    # The gateway can have cached responses for other tests, so the prompt is random.
    return Asker(gateway, upstream.dialect, f"Hi {secrets.token_hex(8)}"), upstream


def test_stream_with_an_error_is_not_cached(kept):
    asker, upstream = kept
    upstream.will(Broken(ANSWER, 4, error=True), ANSWER)
    asker.ask()
    fields, body = asker.ask()
    assert fields["x-headgate-cache"] == "miss" and "wörld" in body.decode()


def test_client_chooses_the_freshness_of_its_response(kept):
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
        replies = [client.ask("m", ask(asker.words), True) for _ in range(2)]
        assert [reply.headers["x-headgate-cache"] for reply in replies] == ["miss", "hit"]
        assert replies[0].text == replies[1].text == "Hello, wörld"
    finally:
        client.close()


def test_hundred_concurrent_identical_requests_are_one(gateways, local_upstream):  # noqa: F811
    asker = Asker(gateways.start(configuration(local_upstream.url)), "chat")
    with ThreadPoolExecutor(100) as pool:
        futures = [pool.submit(asker.ask, model="gated") for _ in range(100)]
        wait_until(lambda: local_upstream.requests, "a request upstream")
        local_upstream.release.set()
        answers = [future.result() for future in futures]
    assert len({body for _, body in answers}) == 1 and answers[0][1].endswith(b"data: [DONE]\n\n")
    assert collections.Counter(fields["x-headgate-cache"] for fields, _ in answers) == {"miss": 1, "hit": 99}
    assert len(local_upstream.requests) == 1


SAID = {"chat": lambda body: body["choices"][0]["message"]["content"],
        "messages": lambda body: "".join(block["text"] for block in body["content"]),
        "responses": lambda body: body["output"][-1]["content"][0]["text"]}


@pytest.mark.parametrize("first", [True, False], ids=["stream-first", "whole-first"])
def test_one_form_of_a_response_serves_the_other(kept, first):
    asker, upstream = kept
    upstream.will(ANSWER)
    bodies = {}
    for stream in (first, not first):
        fields, bodies[stream] = asker.ask(stream)
        assert fields["x-headgate-cache"] == ("miss" if stream is first else "hit")
        assert fields["content-type"].startswith("text/event-stream" if stream else "application/json")
    assert len(upstream.received) == 1
    assert SAID[asker.dialect](json.loads(bodies[False])) == "Hello, wörld"
    assert asker.ask(not first)[1] == bodies[not first]


@pytest.mark.parametrize("first", [True, False], ids=["stream-first", "whole-first"])
def test_sdk_reads_the_other_form(kept, first):
    asker, upstream = kept
    if asker.dialect == "responses":
        pytest.skip("its SDK leaves out store: false, and so nothing is kept")
    client = CLIENTS[asker.dialect](f"http://{asker.authority}", KEY)
    try:
        upstream.will(ANSWER)
        replies = [client.ask("m", ask(asker.words), stream) for stream in (first, not first)]
        assert [reply.headers["x-headgate-cache"] for reply in replies] == ["miss", "hit"]
        assert replies[0].text == replies[1].text == "Hello, wörld"
        assert replies[1].usage is not None
    finally:
        client.close()


def test_usage_is_sent_only_on_request(gateways):  # noqa: F811
    upstream = StrictUpstream("chat")
    try:
        asker = Asker(gateways.start(configuration(upstream.url)), "chat")
        upstream.will(ANSWER)
        (_, plain), (fields, told) = asker.ask(), asker.ask(stream_options={"include_usage": True})
        assert fields["x-headgate-cache"] == "hit" and b"prompt_tokens" in told and b"prompt_tokens" not in plain
        assert len(upstream.received) == 1
    finally:
        upstream.close()


def on_disk(url: str, kind: str = "openai", more: str = "") -> str:
    return configuration(url, kind) + f"cache: {{folder: kept{more}}}\n"


@pytest.fixture(params=DIALECTS)
def stored(request, gateways):  # noqa: F811
    """A client of a restarted gateway, whose predecessor left its responses on disk."""
    upstream = StrictUpstream(request.param)
    kind = "anthropic" if request.param == "messages" else "openai"
    running = []

    def restart():
        for gateway in running:
            assert gateway.stop() == 0
        running[:] = [gateways.start(on_disk(upstream.url, kind))]
        return Asker(running[0], request.param)

    yield restart, upstream, gateways.folder / "kept"
    upstream.close()


def test_cached_responses_survive_a_restart(stored):
    restart, upstream, folder = stored
    upstream.will(ANSWER, text("Other"))
    asker = restart()
    _, body = asker.ask()
    _, other = asker.ask(key=OTHER_KEY)
    asker = restart()
    fields, again = asker.ask()
    assert fields["x-headgate-cache"] == "hit" and again == body and len(upstream.received) == 2
    # Each key has its own entries. The form that is not stored is derived from the stored one.
    assert asker.ask(key=OTHER_KEY)[1] == other != body
    assert SAID[asker.dialect](json.loads(asker.ask(stream=False)[1])) == "Hello, wörld"
    assert len(upstream.received) == 2
    files = list(folder.iterdir())
    assert len(files) == 2 and {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for octets in (path.read_bytes() for path in files):
        for secret in (KEY, OTHER_KEY, UPSTREAM_KEY, hashlib.sha256(KEY.encode()).hexdigest()):
            assert secret.encode() not in octets


def test_damaged_files_count_as_missing(stored):
    restart, upstream, folder = stored
    upstream.will(ANSWER, ANSWER, ANSWER)
    asker = restart()
    asker.ask()
    for damage in (lambda octets: octets[:-1], lambda octets: octets[:200] + bytes([octets[200] ^ 1]) + octets[201:]):
        asker = restart()
        (file,) = folder.iterdir()
        file.write_bytes(damage(file.read_bytes()))
        fields, body = asker.ask()
        assert fields["x-headgate-cache"] == "miss" and "wörld" in body.decode()
    assert len(upstream.received) == 3


def test_reload_that_changes_requests_invalidates_the_cache(gateways):  # noqa: F811
    upstream, other = StrictUpstream("chat"), StrictUpstream("chat")
    try:
        gateway = gateways.start(on_disk(upstream.url))
        asker = Asker(gateway, "chat")
        upstream.will(ANSWER, text("New"))
        other.will(text("Elsewhere"))
        asker.ask()
        gateway.path.write_text(on_disk(upstream.url).replace("api_key:", "parameters: {overrides: {top_p: 0.5}}, api_key:"))
        gateway.reload()
        assert "New" in asker.ask()[1].decode()
        gateway.path.write_text(on_disk(other.url))
        gateway.reload()
        assert "Elsewhere" in asker.ask()[1].decode()
        gateway.path.write_text(on_disk(upstream.url))
        gateway.reload()
        assert asker.ask()[0]["x-headgate-cache"] == "hit"
    finally:
        upstream.close()
        other.close()


def test_lost_folder_fails_no_request_and_is_reported_once(gateways):  # noqa: F811
    upstream = StrictUpstream("chat")
    try:
        gateway = gateways.start(on_disk(upstream.url))
        asker = Asker(gateway, "chat")
        upstream.will(*[ANSWER] * 3)
        (gateways.folder / "kept").rmdir()
        assert [asker.ask(seed=number)[0]["x-headgate-cache"] for number in range(3)] == ["miss"] * 3
        gateway.wait_for_log("an answer is not kept")
        assert asker.ask(seed=0)[0]["x-headgate-cache"] == "hit"
        assert gateway.log_after_exit().count("an answer is not kept") == 1
    finally:
        upstream.close()


def test_foreign_folder_is_refused(gateways):  # noqa: F811
    path = gateways.folder / "check.yaml"
    path.write_text(on_disk("http://127.0.0.1:9/v1"))
    (gateways.folder / "kept").mkdir(mode=0o755)
    result = command(gateways.folder, "check", "--quiet", "--config", path)
    assert result.returncode == 78 and "may be read or written by others" in result.stderr, result
    (gateways.folder / "kept").chmod(0o700)
    assert command(gateways.folder, "check", "--quiet", "--config", path).returncode == 0


def test_folder_and_store_of_a_running_gateway_are_refused(gateways):  # noqa: F811
    text = on_disk("http://127.0.0.1:9/v1")
    first = gateways.start(text + "responses: {store: 1d}\n")
    second = gateways.folder / "second.yaml"
    for more, problem in {
        "responses: {store: 1d}\n": f"responses.db is in use by another gateway (process {first.pid}): stop that one",
        "": "kept is in use by another gateway: stop that one",
    }.items():
        second.write_text(text + more)
        refused = command(gateways.folder, "serve", "--config", second)
        assert refused.returncode == 78 and problem in refused.stderr, refused
    assert command(gateways.folder, "check", "--quiet", "--config", second).returncode == 0
    first.kill()
    # The kernel has released both locks of the killed gateway.
    assert gateways.start(text + "responses: {store: 1d}\n", "again").stop() == 0


@pytest.fixture
def sharing(gateways, redis_server):  # noqa: F811
    """Starts two gateways with a response cache in one Redis server, and their upstream."""
    upstream = StrictUpstream("chat")
    text = configuration(upstream.url) + f"cache: {{redis: counters}}\ncounters: {redis_server.url}\nmetrics: true\n"
    text = text.replace(f"keys: [{key_line()}", f"keys: [{key_line()[:-1]}, admin: true}}")
    both = [gateways.start(text, name, HEADGATE_LEDGER="memory") for name in ("first", "second")]
    for gateway in both:
        wait_until(lambda: metric(gateway, "headgate_cache_store_up") == 1, "the gateway to reach Redis")
    yield both, [Asker(gateway, "chat") for gateway in both], upstream
    upstream.close()


def metric(gateway, name: str) -> float:
    with gateway.connect() as admin:
        text = admin.ask("GET", "/metrics").body.decode()
    return float(re.search(rf"^{name} (\S+)$", text, re.M).group(1))


def test_answer_of_one_gateway_is_a_hit_on_another(sharing, redis_server):  # noqa: F811
    both, (first, second), upstream = sharing
    upstream.will(ANSWER, text("Other"), text("Third"))
    asked, body = first.ask()
    assert asked["x-headgate-cache"] == "miss" and len(upstream.received) == 1
    # The entry is stored only after the response was sent.
    wait_until(lambda: redis_server.ask("KEYS", "headgate:cache:*"), "the answer to be kept")
    again, same = second.ask()
    assert again["x-headgate-cache"] == "hit" and same == body and len(upstream.received) == 1
    # The other form is derived from the stored one, and another key cannot read the entry.
    whole, _ = second.ask(stream=False)
    assert whole["x-headgate-cache"] == "hit"
    other, apart = second.ask(key=OTHER_KEY)
    assert other["x-headgate-cache"] == "miss" and apart != body and len(upstream.received) == 2
    names = redis_server.ask("KEYS", "headgate:cache:*").split()
    assert all(re.fullmatch(r"headgate:cache:[0-9a-f]{64}", name) for name in names), names
    # A foreign value is not a response, and makes no request fail.
    for name in names:
        redis_server.ask("SET", name, "headgate cache 1" + "\u00ff" * 200)
    assert [second.ask(key=OTHER_KEY)[0]["x-headgate-cache"]] == ["hit"], "its own memory has it"
    assert first.ask(key=OTHER_KEY)[0]["x-headgate-cache"] == "miss"
    assert metric(both[0], "headgate_cache_store_damaged_total") >= 1


def test_cache_server_can_fail(sharing, redis_server):  # noqa: F811
    both, (first, second), upstream = sharing
    upstream.will(ANSWER, ANSWER)
    redis_server.kill()
    wait_until(lambda: metric(both[0], "headgate_cache_store_up") == 0, "the gateway to notice")
    assert first.ask()[0]["x-headgate-cache"] == "miss" and first.ask()[0]["x-headgate-cache"] == "hit"
    both[0].wait_for_log("no answer is found there, and none is kept")
    redis_server.start()
    wait_until(lambda: metric(both[1], "headgate_cache_store_up") == 1, "the gateway to come back")
    assert second.ask()[0]["x-headgate-cache"] == "miss"
