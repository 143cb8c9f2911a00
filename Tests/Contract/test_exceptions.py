"""Failures arrive as the SDKs' own exception classes, with their message, code, request id and retry hints."""

import anthropic
import openai
import pytest

from told import ANTHROPIC_MODEL, ASK, OPENAI_MODEL, Reply

OPENAI_CALLS = {
    "chat": lambda client, model=OPENAI_MODEL: client.chat.completions.create(model=model, messages=ASK),
    "chat stream": lambda client, model=OPENAI_MODEL: client.chat.completions.create(
        model=model, messages=ASK, stream=True
    ),
    "completions": lambda client, model=OPENAI_MODEL: client.completions.create(model=model, prompt="Say"),
    "embeddings": lambda client, model=OPENAI_MODEL: client.embeddings.create(model=model, input="Hello"),
    "moderations": lambda client, model=OPENAI_MODEL: client.moderations.create(model=model, input="Hello"),
    "images": lambda client, model=OPENAI_MODEL: client.images.generate(model=model, prompt="A gate"),
    "speech": lambda client, model=OPENAI_MODEL: client.audio.speech.create(model=model, voice="alloy", input="Hello"),
    "responses": lambda client, model=OPENAI_MODEL: client.responses.create(model=model, input="Hello"),
    "responses stream": lambda client, model=OPENAI_MODEL: client.responses.create(
        model=model, input="Hello", stream=True
    ),
}
ANTHROPIC_CALLS = {
    "messages": lambda client, model=ANTHROPIC_MODEL: client.messages.create(
        model=model, max_tokens=64, messages=ASK
    ),
    "messages stream": lambda client, model=ANTHROPIC_MODEL: client.messages.create(
        model=model, max_tokens=64, messages=ASK, stream=True
    ),
    "count_tokens": lambda client, model=ANTHROPIC_MODEL: client.messages.count_tokens(model=model, messages=ASK),
}
OPENAI_CLASSES = {
    400: openai.BadRequestError,
    404: openai.NotFoundError,
    409: openai.ConflictError,
    413: openai.APIStatusError,
    422: openai.UnprocessableEntityError,
    429: openai.RateLimitError,
    500: openai.InternalServerError,
    503: openai.InternalServerError,
    529: openai.InternalServerError,
}
# Maps each status to its exception class, and to the error type that Anthropic gives with it.
ANTHROPIC_CLASSES = {
    400: ("BadRequestError", "invalid_request_error"),
    404: ("NotFoundError", "not_found_error"),
    409: ("ConflictError", "conflict_error"),
    413: ("ContentTooLargeError", "request_too_large"),
    422: ("UnprocessableEntityError", "invalid_request_error"),
    429: ("RateLimitError", "rate_limit_error"),
    500: ("InternalServerError", "api_error"),
    503: ("ServiceUnavailableError", "overloaded_error"),
    529: ("OverloadedError", "overloaded_error"),
}
HINTS = {"Retry-After": "7", "Retry-After-Ms": "6500", "X-Should-Retry": "true", "X-Request-Id": "upstreams-own"}


@pytest.fixture
def openai_client(front):
    with front.openai() as client:
        yield client


@pytest.fixture
def anthropic_client(front):
    with front.anthropic() as client:
        yield client


def raised(call, client, **options):
    """Returns the exception of a call. Exceptions of streams are raised when the stream is read."""
    with pytest.raises((openai.APIError, anthropic.APIError)) as caught:
        list(call(client, **options))
    return caught.value


@pytest.mark.parametrize("call", OPENAI_CALLS)
@pytest.mark.parametrize("status", OPENAI_CLASSES)
def test_an_upstreams_error_in_openais_form(front, openai_client, status, call):
    error = {"message": f"Wörd {status}", "type": "some_type", "param": "some.param", "code": "some_code"}
    front.upstream.answers(Reply.document({"error": error}, status=status, headers=HINTS))
    caught = raised(OPENAI_CALLS[call], openai_client)
    assert type(caught) is OPENAI_CLASSES[status]
    assert (caught.status_code, caught.body) == (status, error)
    assert (caught.code, caught.param, caught.type) == ("some_code", "some.param", "some_type")
    assert f"Wörd {status}" in caught.message
    headers = caught.response.headers
    assert caught.request_id == headers["x-request-id"] != "upstreams-own"
    assert (headers["retry-after"], headers["retry-after-ms"], headers["x-should-retry"]) == ("7", "6500", "true")
    assert len(front.upstream.requests) == 1


@pytest.mark.parametrize("call", ANTHROPIC_CALLS)
@pytest.mark.parametrize("status", ANTHROPIC_CLASSES)
def test_an_upstreams_error_in_anthropics_form(front, anthropic_client, status, call):
    name, kind = ANTHROPIC_CLASSES[status]
    body = {"type": "error", "error": {"type": kind, "message": f"Wörd {status}"}, "request_id": "req_upstreams"}
    front.upstream.answers(Reply.document(body, status=status, headers=HINTS))
    caught = raised(ANTHROPIC_CALLS[call], anthropic_client)
    assert type(caught).__name__ == name
    assert (caught.status_code, caught.type, caught.api_message) == (status, kind, f"Wörd {status}")
    headers = caught.response.headers
    assert caught.request_id == caught.body["request_id"] == headers["x-request-id"]
    assert (headers["retry-after"], headers["retry-after-ms"], headers["x-should-retry"]) == ("7", "6500", "true")
    assert len(front.upstream.requests) == 1


@pytest.mark.parametrize("call", OPENAI_CALLS)
def test_the_gateways_own_refusals_in_openais_form(front, call):
    call = OPENAI_CALLS[call]
    front.upstream.answers(Reply(status=500))
    with front.openai() as client:
        refused(raised(call, client, model=""), openai.BadRequestError, 400, None, "model")
        caught = raised(call, client, model="unknown")
        refused(caught, openai.NotFoundError, 404, "model_not_found", "model")
        assert "The model 'unknown' is not configured here." in str(caught) and "/v1/models" in str(caught)
    with front.openai(api_key="hg-wrong") as client:
        caught = raised(call, client)
        refused(caught, openai.AuthenticationError, 401, "invalid_api_key", None)
        assert caught.response.headers["www-authenticate"].startswith("Bearer")
        # LiteLLM's library recognizes an invalid key by these words.
        assert "Incorrect API key provided" in str(caught) and "hg-wrong" not in str(caught)
    with front.openai(api_key=front.narrow_key) as client:
        caught = raised(call, client)
        refused(caught, openai.PermissionDeniedError, 403, "model_not_allowed", "model")
    with front.openai(default_headers={"Origin": "https://foreign.example"}) as client:
        caught = raised(call, client)
        assert type(caught) is openai.PermissionDeniedError and caught.status_code == 403
    assert not front.upstream.requests


def refused(caught, kind, status, code, parameter):
    assert type(caught) is kind
    assert (caught.status_code, caught.code, caught.param) == (status, code, parameter)
    assert caught.type == "invalid_request_error"
    assert caught.request_id


def test_an_upstreams_403_is_a_permission_error(front):
    words = f"Country not supported, {front.upstream_key}"
    front.upstream.answers(Reply.document({"error": {"message": words, "code": "unsupported_country"}}, status=403))
    with front.openai() as client:
        caught = raised(OPENAI_CALLS["chat"], client)
    assert type(caught) is openai.PermissionDeniedError
    assert (caught.status_code, caught.code) == (403, "unsupported_country")
    assert "Country not supported, [redacted]" in str(caught)
    with front.anthropic() as client:
        caught = raised(ANTHROPIC_CALLS["messages"], client)
    assert type(caught) is anthropic.PermissionDeniedError
    assert (caught.status_code, caught.type) == (403, "permission_error")
    assert "Country not supported, [redacted]" in str(caught)


@pytest.mark.parametrize("call", ANTHROPIC_CALLS)
def test_the_gateways_own_refusals_in_anthropics_form(front, call):
    call = ANTHROPIC_CALLS[call]
    front.upstream.answers(Reply(status=500))
    foreign = {"default_headers": {"Origin": "https://foreign.example"}}
    cases = [
        ({}, {"model": ""}, anthropic.BadRequestError, 400, "invalid_request_error"),
        ({}, {"model": "unknown"}, anthropic.NotFoundError, 404, "not_found_error"),
        ({"api_key": "hg-wrong"}, {}, anthropic.AuthenticationError, 401, "authentication_error"),
        ({"api_key": front.narrow_key}, {}, anthropic.PermissionDeniedError, 403, "permission_error"),
        (foreign, {}, anthropic.PermissionDeniedError, 403, "permission_error"),
    ]
    for options, arguments, kind, status, type_name in cases:
        with front.anthropic(**options) as client:
            caught = raised(call, client, **arguments)
        assert type(caught) is kind
        assert (caught.status_code, caught.type) == (status, type_name)
        assert caught.api_message and caught.request_id == caught.body["request_id"]
    assert not front.upstream.requests


def test_a_refused_gateway_key_is_not_the_clients_fault(front):
    front.upstream.answers(Reply.document({"error": {"message": f"Bad key {front.upstream_key}"}}, status=401))
    with front.openai() as client:
        caught = raised(OPENAI_CALLS["chat"], client)
    assert type(caught) is openai.InternalServerError
    assert (caught.status_code, caught.code) == (502, "upstream_auth")
    assert front.upstream_key not in str(caught)
    with front.anthropic() as client:
        caught = raised(ANTHROPIC_CALLS["messages"], client)
    assert isinstance(caught, anthropic.InternalServerError)
    assert (caught.status_code, caught.type) == (502, "api_error")
    assert front.upstream_key not in str(caught)


@pytest.mark.parametrize(
    ("status", "hints", "attempts"),
    [
        (429, {"Retry-After-Ms": "1"}, 3),
        (529, {"Retry-After-Ms": "1"}, 3),
        (429, {"X-Should-Retry": "false"}, 1),
        (400, {"X-Should-Retry": "true", "Retry-After-Ms": "1"}, 3),
        (400, {}, 1),
    ],
)
def test_the_sdks_follow_the_upstreams_retry_hints(front, status, hints, attempts):
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Later.", "code": None, "param": None}}
    front.upstream.answers(Reply.document(body, status=status, headers=hints))
    with front.openai(max_retries=2) as client:
        raised(OPENAI_CALLS["chat"], client)
    assert len(front.upstream.requests) == attempts
    front.upstream.requests.clear()
    with front.anthropic(max_retries=2) as client:
        raised(ANTHROPIC_CALLS["messages"], client)
    assert len(front.upstream.requests) == attempts


def test_an_empty_account_is_not_retried(front):
    error = {"message": "No money.", "type": "insufficient_quota", "param": None, "code": "insufficient_quota"}
    front.upstream.answers(Reply.document({"error": error}, status=429, headers={"Retry-After-Ms": "1"}))
    with front.openai(max_retries=2) as client:
        assert type(raised(OPENAI_CALLS["chat"], client)) is openai.RateLimitError
    assert len(front.upstream.requests) == 1


# --- In the middle of a stream ---------------------------------------------------------------------------------------

CHUNK = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": OPENAI_MODEL}
DELTA = {**CHUNK, "choices": [{"index": 0, "delta": {"content": "Hel"}, "finish_reason": None}]}
PIECE = {**CHUNK, "object": "text_completion", "choices": [{"index": 0, "text": "Hel", "finish_reason": None}]}
STREAM_ERROR = {"error": {"message": "Wörn out", "type": "server_error", "param": "p", "code": "worn_out"}}
TORN = 'data: {"id":'


@pytest.mark.parametrize("call", ["chat", "completions"])
@pytest.mark.parametrize("failure", ["told", "cut"])
def test_chunks_end_with_an_api_error(front, openai_client, call, failure):
    chunk = DELTA if call == "chat" else PIECE
    told = Reply.events(chunk, late=[STREAM_ERROR], end="data: [DONE]\n\n")
    front.upstream.answers(told if failure == "told" else Reply.events(chunk, end=TORN, is_cut=True))
    ask = {"messages": ASK} if call == "chat" else {"prompt": "Say"}
    resource = openai_client.chat.completions if call == "chat" else openai_client.completions
    received, caught = until_raised(front, resource.create(model=OPENAI_MODEL, stream=True, **ask))
    assert [piece.to_dict()["choices"] for piece in received] == [chunk["choices"]]
    # The class is not a subclass, because the failure came as an error event and not as a broken connection.
    assert type(caught) is openai.APIError
    if failure == "told":
        assert (caught.message, caught.code, caught.param) == ("Wörn out", "worn_out", "p")
    else:
        assert (caught.code, caught.type) == ("upstream_incomplete", "server_error")


MESSAGE_START = {
    "type": "message_start",
    "message": {
        **{"id": "msg_1", "type": "message", "role": "assistant", "model": ANTHROPIC_MODEL, "content": []},
        **{"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 1}},
    },
}


BLOCK_DELTA = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}}


@pytest.mark.parametrize(
    ("error", "type_name"),
    [({"type": "overloaded_error", "message": "Wörn out"}, "overloaded_error"), (None, "api_error")],
    ids=["told", "cut"],
)
def test_messages_end_with_an_error_event(front, anthropic_client, error, type_name):
    late = [{"type": "error", "error": error, "request_id": "req_upstreams"}]
    told = Reply.events(MESSAGE_START, BLOCK_DELTA, late=late)
    front.upstream.answers(told if error else Reply.events(MESSAGE_START, BLOCK_DELTA, end=TORN, is_cut=True))
    received, caught = until_raised(front, ANTHROPIC_CALLS["messages stream"](anthropic_client))
    assert [event.type for event in received] == ["message_start", "content_block_delta"]
    assert isinstance(caught, anthropic.APIStatusError)
    assert caught.type == type_name
    assert caught.request_id == caught.body["request_id"] != "req_upstreams"
    if error:
        assert caught.api_message == "Wörn out"


RESPONSE = {
    **{"id": "resp_7", "object": "response", "created_at": 1, "status": "in_progress", "error": None, "output": []},
    **{"incomplete_details": None, "instructions": None, "metadata": {}, "model": OPENAI_MODEL, "tools": []},
    **{"parallel_tool_calls": True, "temperature": None, "tool_choice": "auto", "top_p": None},
}
CREATED = {"type": "response.created", "sequence_number": 0, "response": RESPONSE}
TEXT_DELTA = {
    **{"type": "response.output_text.delta", "sequence_number": 1, "item_id": "msg_1", "output_index": 0},
    **{"content_index": 0, "delta": "Hel", "logprobs": []},
}
RESPONSE_FAILED = {
    "type": "response.failed",
    "sequence_number": 2,
    "response": {**RESPONSE, "status": "failed", "error": {"code": "server_error", "message": "Wörn out"}},
}
ERROR_EVENT = {"type": "error", "sequence_number": 2, "code": "rate_limit_exceeded", "message": "Slow", "param": None}


@pytest.mark.parametrize(
    ("reply", "code", "message"),
    [
        (Reply.events(CREATED, TEXT_DELTA, late=[RESPONSE_FAILED]), "server_error", "Wörn out"),
        (Reply.events(CREATED, TEXT_DELTA, late=[ERROR_EVENT]), "rate_limit_exceeded", "Slow"),
        (Reply.events(CREATED, TEXT_DELTA, late=[STREAM_ERROR]), "server_error", "Wörn out"),
        (Reply.events(CREATED, TEXT_DELTA, end=TORN, is_cut=True), "server_error", None),
    ],
    ids=["failed", "error event", "error object", "cut"],
)
def test_responses_end_with_a_failed_response(front, reply, code, message):
    front.upstream.answers(reply)
    with front.openai(_strict_response_validation=True) as client:
        events = []
        for event in OPENAI_CALLS["responses stream"](client):
            events.append(event)
            if len(events) == 2:
                front.upstream.go_on()
    types = ["response.created", "response.output_text.delta", "response.failed"]
    assert [(event.sequence_number, event.type) for event in events] == list(enumerate(types))
    failed = events[-1].response
    assert (failed.id, failed.model, failed.status) == ("resp_7", OPENAI_MODEL, "failed")
    assert failed.error.code == code
    assert failed.error.message == message or (message is None and failed.error.message)


def test_an_error_with_status_200_is_an_error(front, openai_client, anthropic_client):
    front.upstream.answers(Reply.document(STREAM_ERROR))
    caught = raised(OPENAI_CALLS["chat"], openai_client)
    assert type(caught) is openai.InternalServerError and caught.code == "worn_out"
    kind = {"type": "overloaded_error", "message": "Wörn out"}
    front.upstream.answers(Reply.document({"type": "error", "error": kind}))
    caught = raised(ANTHROPIC_CALLS["messages"], anthropic_client)
    assert isinstance(caught, anthropic.InternalServerError) and caught.api_message == "Wörn out"


def test_prose_instead_of_an_error_is_explained(front, openai_client, anthropic_client):
    front.upstream.answers(Reply(b"<html>Bad gateway", status=503, type="text/html"))
    caught = raised(OPENAI_CALLS["embeddings"], openai_client)
    assert type(caught) is openai.InternalServerError and caught.code == "upstream_error"
    assert caught.body.keys() == {"message", "type", "param", "code"} and "503" in caught.message
    caught = raised(ANTHROPIC_CALLS["count_tokens"], anthropic_client)
    assert caught.status_code == 503 and caught.type == "overloaded_error"


def until_raised(front, stream):
    """Returns the data before the exception, and the exception. The upstream continues after the first data has
    arrived."""
    received = []
    with pytest.raises((openai.APIError, anthropic.APIError)) as caught:
        for piece in stream:
            received.append(piece)
            front.upstream.go_on()
    return received, caught.value
