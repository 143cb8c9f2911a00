"""Injected faults: what a client of each dialect sees of each kind, on the upstream side and on the client side."""

import http.client
import json
import re

import pytest

from dialects.answers import text
from dialects.clients import CLIENTS
from dialects.questions import ask
from dialects.upstream import DIALECTS, StrictUpstream
from exchanges import MESSAGES
from gateways import KEY, gateways, key_line, module_gateways  # noqa: F401  (fixtures)
from patience import PATIENCE_SECONDS

GUEST = "hg-guest-0123456789abcdef"
PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
KINDS = {"chat": "openai", "messages": "anthropic", "responses": "openai"}
ANSWER = text("Hel", "lo, ", "wörld")
# The last event of a complete stream, and the one that reports a truncated one.
ENDS = {"chat": "data: [DONE]", "messages": "event: message_stop", "responses": "event: response.completed"}
BROKEN = {"chat": 'data: {"error"', "messages": "event: error", "responses": "event: response.failed"}


class Before:
    """A gateway with a model at one upstream."""

    def __init__(self, gateways, dialect: str):  # noqa: F811
        self.dialect = dialect
        self.upstream = StrictUpstream(dialect)
        self.gateway = gateways.start(name=dialect, text=f"""
listen: 127.0.0.1:0
upstreams:
  up:
    kind: {KINDS[dialect]}
    base_url: "{self.upstream.url}"
    api_key: "${{UPSTREAM_KEY}}"
    timeouts: {{first_byte: 2s, silence: 500ms}}
models: {{m: {{upstream: up}}}}
keys: [{key_line()[:-1]}, admin: true}}, {key_line(GUEST, "guest")}]
fault_injection: {{enabled: true}}
""")

    def ask(self, fault: str | None = None, stream: bool = True, key: str = KEY):
        """Returns status, headers, the received part of the body, and whether the body was complete."""
        self.upstream.will(ANSWER)
        question = {"input": "Hi"} if self.dialect == "responses" else {"messages": MESSAGES, "max_tokens": 99}
        connection = http.client.HTTPConnection(
            self.gateway.urls[0].removeprefix("http://"), timeout=PATIENCE_SECONDS)
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        if fault is not None:
            headers["x-headgate-fault"] = fault
        connection.request("POST", PATHS[self.dialect], json.dumps({"model": "m", "stream": stream, **question}), headers)
        response = connection.getresponse()
        try:
            body, is_whole = response.read(), True
        except http.client.IncompleteRead as error:
            body, is_whole = error.partial, False
        connection.close()
        return response.status, response.headers, body.decode(), is_whole


@pytest.fixture(scope="module", params=DIALECTS)
def before(request, module_gateways):  # noqa: F811
    before = Before(module_gateways, request.param)
    yield before
    before.upstream.close()


def is_complete(before, body: str) -> bool:
    return ENDS[before.dialect] in body


# Faults before the first content, and the status and word that the client sees.
@pytest.mark.parametrize("fault, status, word", [
    ("status=429; retry_after=7", 429, "fault_injection"), ("status=503", 503, "fault_injection"),
    ("status=503; retry_after=7; towards=client", 503, "fault_injection"),
    ("status=401", 502, "key"), ("error_in_200=true", 502, "fault_injection"), ("reset_after_events=0", 502, "upstream"),
    ("cut_after_events=0", 502, "broke off"), ("delay_head=2s", 504, "upstream"), ("delay_content=600ms", 504, "upstream"),
    ("stall_after_events=0", 504, "upstream"), ("malformed_json=1", 502, "upstream"),
])
def test_fault_before_content_is_a_status_in_the_clients_dialect(before, fault, status, word):
    found, headers, body, is_whole = before.ask(fault)
    assert found == status and is_whole and not is_complete(before, body), body
    error = json.loads(body)["error"]
    assert word in error["message"]
    if "retry_after" in fault:
        assert headers["retry-after"] == "7"
    id = headers["x-request-id"]
    before.gateway.wait_for_log(rf'^(?=.*"request_id":"{id}").*"fault":"{re.escape(fault)}"')


# The first event with content, counted from 1.
CONTENT = {"chat": 2, "messages": 4, "responses": 5}


@pytest.mark.parametrize("fault", ["cut_after_events", "reset_after_events", "stall_after_events", "malformed_json"])
def test_fault_after_content_is_one_error_event_and_no_end(before, fault):
    # Events arrive in single bytes, so that the response has begun when it breaks off.
    status, _, body, is_whole = before.ask(f"split=1; {fault}={CONTENT[before.dialect] + 1}")
    assert status == 200 and is_whole
    assert "Hel" in body and BROKEN[before.dialect] in body and not is_complete(before, body)


def test_mislabelled_responses_arrive_whole(before):
    _, _, expected, _ = before.ask()
    status, headers, body, is_whole = before.ask("content_type=text/html")
    assert status == 200 and is_whole and headers.get_content_type() == "text/event-stream"
    # Each response has its own id and time.
    assert is_complete(before, body) and body.count("data:") == expected.count("data:")


@pytest.mark.parametrize("fault, status", [("status=429; retry_after=7", 429), ("error_in_200=true", 502)])
def test_whole_answers_fail_too(before, fault, status):
    found, _, body, _ = before.ask(fault, stream=False)
    assert found == status and "fault_injection" in json.loads(body)["error"]["message"]


def test_sdk_knows_the_error(before):
    client = CLIENTS[before.dialect](before.gateway.urls[0], KEY)
    try:
        client.sdk = client.sdk.with_options(default_headers={"x-headgate-fault": "status=429"}, max_retries=0)
        with pytest.raises(client.ERROR) as caught:
            client.ask("m", ask("Hi"), False)
        assert caught.value.status_code == 429
    finally:
        client.close()


# Faults towards the client make the gateway itself look broken.
@pytest.mark.parametrize("fault", ["cut_after_events=2", "reset_after_events=2"])
def test_response_can_be_cut_towards_the_client(before, fault):
    status, _, body, is_whole = before.ask(f"{fault}; towards=client")
    assert status == 200 and not is_whole and body.count("data:") == 2 and BROKEN[before.dialect] not in body


def test_event_can_be_malformed_towards_the_client(before):
    status, _, body, is_whole = before.ask("malformed_json=2; towards=client")
    events = [line.removeprefix("data: ") for line in body.split("\n") if line.startswith("data: {") or '":' in line]
    assert status == 200 and is_whole and is_complete(before, body)
    with pytest.raises(ValueError):
        [json.loads(event) for event in events if event.startswith(("{", '"'))]


@pytest.mark.parametrize("fault, status", [("status=418", 418), ("error_in_200=true", 200)])
def test_status_can_be_injected_towards_the_client(before, fault, status):
    found, _, body, _ = before.ask(f"{fault}; towards=client")
    assert found == status and "fault_injection" in json.loads(body)["error"]["message"]
    assert before.upstream.received == []


def test_content_type_can_be_wrong_towards_the_client(before):
    _, headers, body, _ = before.ask("content_type=text/html; towards=client")
    assert headers["content-type"] == "text/html" and is_complete(before, body)


def test_only_admins_can_request_faults(before):
    status, _, body, _ = before.ask("status=500", key=GUEST)
    assert status == 403 and "admin: true" in body and before.upstream.received == []


def test_unclear_fault_is_reported(before):
    status, _, body, _ = before.ask("cut_after=3")
    assert status == 400 and "cut_after_events=3" in json.loads(body)["error"]["message"]


def test_header_is_ignored_if_faults_are_off(gateways):  # noqa: F811
    before = Before(gateways, "chat")
    try:
        off = gateways.start(f"""
listen: 127.0.0.1:0
upstreams: {{up: {{kind: openai, base_url: "{before.upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}
models: {{m: {{upstream: up}}}}
keys: [{key_line()[:-1]}, admin: true}}]
""", name="off")
        before.gateway = off
        assert before.ask("status=500")[0] == 200
    finally:
        before.upstream.close()
