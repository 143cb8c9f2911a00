"""Rich responses pass the vendors' strict models member by member: nothing is lost, changed or added on the way."""

import base64
import struct

import anthropic
import openai
import pydantic
import pytest

from told import ANTHROPIC_MODEL, ASK, OPENAI_MODEL, Reply

STRICT = {"_strict_response_validation": True}
CHAT = {"id": "chatcmpl-1", "created": 1700000000, "model": OPENAI_MODEL, "system_fingerprint": "fp_1"}
USAGE = {
    **{"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
    "prompt_tokens_details": {"cached_tokens": 4, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 2, "accepted_prediction_tokens": 0},
}
WEATHER = {"name": "weather", "arguments": '{"city":"Tromsø"}'}
TIME = {"name": "time", "arguments": '{"zone":"CET"}'}
PICTURE = "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 40).decode()


class Weather(pydantic.BaseModel):
    """The type that the SDKs' `parse` produces from a reply, and from a call's arguments."""

    city: str
    degrees: int = 0


@pytest.fixture
def openai_client(front):
    with front.openai(**STRICT) as client:
        yield client


@pytest.fixture(params=["authorization", "x-api-key"])
def anthropic_client(front, request):
    headers = {"Authorization": anthropic.omit, "x-api-key": front.key} if request.param == "x-api-key" else {}
    with front.anthropic(default_headers=headers, **STRICT) as client:
        yield client


def told(front, document):
    """Sets the upstream's next response."""
    front.upstream.answers(Reply.document(document))


def streamed(front, *events, end=""):
    """Sets the upstream's next response to a stream of these events."""
    front.upstream.answers(Reply.events(*events, end=end))


def assert_same(model, document):
    """Checks that the model contains exactly the document, and knows all of its members."""
    assert model.to_dict(mode="json", use_api_names=True) == document
    assert_known(model)


def assert_known(value):
    if isinstance(value, pydantic.BaseModel):
        assert not value.model_extra, (type(value), value.model_extra)
        for name in value.model_fields_set:
            assert_known(getattr(value, name))
    elif isinstance(value, (list, tuple)):
        for item in value:
            assert_known(item)


def token(text, *alternatives) -> dict:
    top = [{"token": other, "bytes": list(other.encode()), "logprob": -1.5} for other in alternatives]
    return {"token": text, "bytes": list(text.encode()), "logprob": -0.25, "top_logprobs": top}


def call(identifier, function) -> dict:
    return {"id": identifier, "type": "function", "function": function}


# --- Chat completions ------------------------------------------------------------------------------------------------


def completion(*messages, finish="stop", **more) -> dict:
    choices = [
        {"index": index, "finish_reason": finish, "logprobs": None, "message": {"role": "assistant", **message}}
        for index, message in enumerate(messages)
    ]
    return {**CHAT, "object": "chat.completion", "choices": choices, "usage": USAGE, **more}


@pytest.mark.parametrize(
    "document",
    [
        completion({"content": "één", "refusal": None}, {"content": "twee", "refusal": None}),
        completion({"content": None, "refusal": "I will not."}),
        completion(
            {"content": None, "refusal": None, "tool_calls": [call("call_1", WEATHER), call("call_2", TIME)]},
            finish="tool_calls",
        ),
        completion({"content": "", "refusal": None}, finish="length", service_tier="flex"),
    ],
    ids=["n = 2", "refusal", "parallel calls", "length"],
)
def test_chat_completions(front, openai_client, document):
    told(front, document)
    answer = openai_client.chat.completions.create(model=OPENAI_MODEL, messages=ASK)
    assert_same(answer, document)
    assert answer._request_id


def test_log_probabilities(front, openai_client):
    document = completion({"content": "wörld", "refusal": None})
    logprobs = {"content": [token("w", "W"), token("ö"), token("rld")], "refusal": [token("no")]}
    document["choices"][0]["logprobs"] = logprobs
    told(front, document)
    ask = {"model": OPENAI_MODEL, "messages": ASK, "logprobs": True, "top_logprobs": 1}
    assert_same(openai_client.chat.completions.create(**ask), document)
    chunk = {**CHAT, "object": "chat.completion.chunk"}
    chunk["choices"] = [{"index": 0, "delta": {"content": "w"}, "logprobs": logprobs, "finish_reason": "stop"}]
    streamed(front, chunk, end="data: [DONE]\n\n")
    (received,) = openai_client.chat.completions.create(**ask, stream=True)
    assert_same(received, chunk)


def chunks(*deltas, finish) -> list:
    """Returns chunks with a choice for each reason in `finish`; each delta has the index of its choice."""
    head = {**CHAT, "object": "chat.completion.chunk"}

    def chunk(index, delta, reason=None):
        choice = {"index": index, "delta": delta, "logprobs": None, "finish_reason": reason}
        return {**head, "choices": [choice], "usage": None}

    starts = [chunk(index, {"role": "assistant", "content": "", "refusal": None}) for index in range(len(finish))]
    ends = [chunk(index, {}, reason) for index, reason in enumerate(finish)]
    usage = {**head, "choices": [], "usage": USAGE}
    return [*starts, *(chunk(index, delta) for index, delta in deltas), *ends, usage]


def calling(index, name=None, arguments="") -> dict:
    function = {"name": name, "arguments": arguments} if name else {"arguments": arguments}
    more = {"id": f"call_{index}", "type": "function"} if name else {}
    return {"tool_calls": [{"index": index, **more, "function": function}]}


STREAMS = {
    "two answers": chunks(
        (1, {"content": "twee"}), (0, {"content": "éé"}), (0, {"content": "n"}), finish=["stop", "stop"],
    ),
    "refusal": chunks((0, {"refusal": "I will "}), (0, {"refusal": "not."}), finish=["stop"]),
    "parallel calls": chunks(
        (0, calling(0, "weather")), (0, calling(1, "time")), (0, calling(1, arguments='{"zone":')),
        (0, calling(0, arguments='{"city":"Tromsø"}')), (0, calling(1, arguments='"CET"}')), finish=["tool_calls"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("usage", [True, False], ids=["with usage", "without usage"])
@pytest.mark.parametrize("name", STREAMS)
def test_every_chunk_of_a_chat(front, openai_client, name, usage):
    stream = STREAMS[name]
    streamed(front, *stream, end="data: [DONE]\n\n")
    options = {"stream_options": {"include_usage": True}} if usage else {}
    received = openai_client.chat.completions.create(
        model=OPENAI_MODEL, messages=ASK, n=2 if name == "two answers" else 1, stream=True, **options
    )
    for chunk, document in zip(received, stream if usage else stream[:-1], strict=True):
        assert_same(chunk, document)


def test_the_stream_helper_puts_every_choice_together(front, openai_client):
    streamed(front, *STREAMS["two answers"], end="data: [DONE]\n\n")
    options = {"stream_options": {"include_usage": True}}
    with openai_client.chat.completions.stream(model=OPENAI_MODEL, messages=ASK, n=2, **options) as stream:
        answer = stream.get_final_completion()
    assert [choice.message.content for choice in answer.choices] == ["één", "twee"]
    assert answer.usage.to_dict() == USAGE


def test_images_in_a_request_arrive_complete(front, openai_client):
    told(front, completion({"content": "A gate.", "refusal": None}))
    parts = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": PICTURE}}]
    openai_client.chat.completions.create(model=OPENAI_MODEL, messages=[{"role": "user", "content": parts}])
    assert PICTURE.encode() in front.upstream.requests[0].body


def test_parse_makes_objects_of_answers_and_of_calls(front, openai_client):
    told(front, completion({"content": '{"city":"Tromsø","degrees":-3}', "refusal": None}))
    ask = {"model": OPENAI_MODEL, "messages": ASK}
    answer = openai_client.chat.completions.parse(**ask, response_format=Weather)
    assert answer.choices[0].message.parsed == Weather(city="Tromsø", degrees=-3)
    assert b'"json_schema"' in front.upstream.requests[0].body
    calls = [call("call_1", {"name": "Weather", "arguments": '{"city":"Oslo","degrees":1}'})]
    told(front, completion({"content": None, "refusal": None, "tool_calls": calls}, finish="tool_calls"))
    answer = openai_client.chat.completions.parse(**ask, tools=[openai.pydantic_function_tool(Weather)])
    assert answer.choices[0].message.tool_calls[0].function.parsed_arguments == Weather(city="Oslo", degrees=1)
    told(front, completion({"content": None, "refusal": "No."}))
    message = openai_client.chat.completions.parse(**ask, response_format=Weather).choices[0].message
    assert (message.parsed, message.refusal) == (None, "No.")


# --- The other routes of OpenAI --------------------------------------------------------------------------------------


def test_legacy_completions_with_several_answers(front, openai_client):
    logprobs = {"tokens": ["a"], "token_logprobs": [-0.5], "top_logprobs": [{"a": -0.5}], "text_offset": [0]}
    choices = [
        {"index": index, "text": text, "logprobs": logprobs, "finish_reason": "length"}
        for index, text in enumerate(["één", "twee"])
    ]
    document = {**CHAT, "id": "cmpl-1", "object": "text_completion", "choices": choices, "usage": USAGE}
    told(front, document)
    ask = {"model": OPENAI_MODEL, "prompt": ["a", "b"], "n": 2, "logprobs": 1}
    assert_same(openai_client.completions.create(**ask), document)
    stream = [{**document, "choices": [choice]} for choice in choices]
    streamed(front, *stream, end="data: [DONE]\n\n")
    for chunk, expected in zip(openai_client.completions.create(**ask, stream=True), stream, strict=True):
        assert_same(chunk, expected)


def test_embeddings_of_several_texts_in_both_encodings(front, openai_client):
    vectors = [[0.5, -0.25, 1.0], [0.0, 2.0, -8.0]]
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    head = {"object": "list", "model": OPENAI_MODEL, "usage": {"prompt_tokens": 9, "total_tokens": 9}}
    told(front, {**head, "data": data})
    ask = {"model": OPENAI_MODEL, "input": ["a", "b"]}
    assert_same(openai_client.embeddings.create(**ask, encoding_format="float"), {**head, "data": data})
    encoded = [base64.b64encode(struct.pack("<3f", *vector)).decode() for vector in vectors]
    told(front, {**head, "data": [{**item, "embedding": text} for item, text in zip(data, encoded, strict=True)]})
    # The SDK's own strict model refuses the base64 that the SDK requests.
    with front.openai() as client:
        answer = client.embeddings.create(**ask)
    assert [list(item.embedding) for item in answer.data] == vectors
    assert b'"encoding_format":"base64"' in front.upstream.requests[0].body.replace(b" ", b"")


def test_moderations_of_texts_and_images(front, openai_client):
    names = (
        "harassment", "harassment/threatening", "hate", "hate/threatening", "illicit", "illicit/violent", "self-harm",
        "self-harm/instructions", "self-harm/intent", "sexual", "sexual/minors", "violence", "violence/graphic",
    )  # fmt: skip
    result = {
        "flagged": True,
        "categories": {name: name == "violence" for name in names},
        "category_scores": {name: 0.125 for name in names},
        "category_applied_input_types": {name: ["text"] for name in names},
    }
    document = {"id": "modr-1", "model": OPENAI_MODEL, "results": [result, result]}
    told(front, document)
    parts = [{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": PICTURE}}]
    assert_same(openai_client.moderations.create(model=OPENAI_MODEL, input=parts), document)
    assert PICTURE.encode() in front.upstream.requests[0].body


# --- Responses -------------------------------------------------------------------------------------------------------

REASONING = {
    "id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Lo"}], "encrypted_content": "x=",
}  # fmt: skip
FUNCTION_CALL = {
    "id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_1", **WEATHER,
}  # fmt: skip
REFUSAL = {"type": "refusal", "refusal": "No."}
REFUSED = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [REFUSAL]}


def response(*output, status="completed") -> dict:
    usage = {
        "input_tokens": 9, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}, "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 14,
    }  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "created_at": 1700000000, "status": status, "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {"a": "b"}, "model": OPENAI_MODEL,
        "output": list(output), "parallel_tool_calls": True, "temperature": 1.0, "tool_choice": "auto", "tools": [],
        "top_p": 1.0, "usage": usage if status == "completed" else None,
    }  # fmt: skip


def response_events() -> list:
    reasoning = {"item_id": "rs_1", "output_index": 0, "summary_index": 0}
    function = {"item_id": "fc_1", "output_index": 1}
    refusal = {"item_id": "msg_1", "output_index": 2, "content_index": 0}
    part = REASONING["summary"][0]
    running = response(status="in_progress")

    def added(index, item):
        return {"type": "response.output_item.added", "output_index": index, "item": item}

    def done(index, item):
        return {"type": "response.output_item.done", "output_index": index, "item": item}

    events = [
        {"type": "response.created", "response": running},
        {"type": "response.in_progress", "response": running},
        added(0, {**REASONING, "summary": []}),
        {"type": "response.reasoning_summary_part.added", **reasoning, "part": {**part, "text": ""}},
        {"type": "response.reasoning_summary_text.delta", **reasoning, "delta": "Lo"},
        {"type": "response.reasoning_summary_text.done", **reasoning, "text": "Lo"},
        {"type": "response.reasoning_summary_part.done", **reasoning, "part": part},
        done(0, REASONING),
        added(1, {**FUNCTION_CALL, "arguments": "", "status": "in_progress"}),
        {"type": "response.function_call_arguments.delta", **function, "delta": '{"city":'},
        {"type": "response.function_call_arguments.delta", **function, "delta": '"Tromsø"}'},
        {"type": "response.function_call_arguments.done", **function, "arguments": WEATHER["arguments"]},
        done(1, FUNCTION_CALL),
        added(2, {**REFUSED, "content": [], "status": "in_progress"}),
        {"type": "response.content_part.added", **refusal, "part": {**REFUSAL, "refusal": ""}},
        {"type": "response.refusal.delta", **refusal, "delta": "No."},
        {"type": "response.refusal.done", **refusal, "refusal": "No."},
        {"type": "response.content_part.done", **refusal, "part": REFUSAL},
        done(2, REFUSED),
        {"type": "response.completed", "response": response(REASONING, FUNCTION_CALL, REFUSED)},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def test_responses_with_reasoning_calls_and_a_refusal(front, openai_client):
    document = response(REASONING, FUNCTION_CALL, REFUSED)
    told(front, document)
    assert_same(openai_client.responses.create(model=OPENAI_MODEL, input="Hello"), document)
    stream = response_events()
    streamed(front, *stream)
    received = openai_client.responses.create(model=OPENAI_MODEL, input="Hello", stream=True)
    for event, expected in zip(received, stream, strict=True):
        assert_same(event, expected)


def test_parsed_responses(front, openai_client):
    text = {"type": "output_text", "text": '{"city":"Tromsø","degrees":-3}', "annotations": [], "logprobs": []}
    told(front, response({**REFUSED, "content": [text]}))
    answer = openai_client.responses.parse(model=OPENAI_MODEL, input="Hello", text_format=Weather)
    assert answer.output_parsed == Weather(city="Tromsø", degrees=-3)


# --- Messages --------------------------------------------------------------------------------------------------------

THINKING = {"type": "thinking", "thinking": "Hmm, wörld", "signature": "c2ln"}
TEXT = {"type": "text", "text": "Two calls.", "citations": None}
USES = [
    {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Tromsø"}},
    {"type": "tool_use", "id": "toolu_2", "name": "time", "input": {}},
]
TOKENS = {"input_tokens": 9, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 4}


def message(*content, **changes) -> dict:
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": ANTHROPIC_MODEL, "content": list(content)}
    return {**head, "stop_reason": "tool_use", "stop_sequence": None, "usage": TOKENS, **changes}


def message_events() -> list:
    def block(index, content, *deltas):
        yield {"type": "content_block_start", "index": index, "content_block": content}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}

    def arguments(text):
        return {"type": "input_json_delta", "partial_json": text}

    return [
        {"type": "message_start", "message": message(stop_reason=None)},
        *block(
            0,
            {**THINKING, "thinking": "", "signature": ""},
            {"type": "thinking_delta", "thinking": "Hmm, "},
            {"type": "thinking_delta", "thinking": "wörld"},
            {"type": "signature_delta", "signature": "c2ln"},
        ),
        *block(1, {**TEXT, "text": ""}, {"type": "text_delta", "text": "Two calls."}),
        *block(2, {**USES[0], "input": {}}, arguments(""), arguments('{"city":'), arguments('"Tromsø"}')),
        *block(3, USES[1], arguments("")),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": TOKENS},
        {"type": "message_stop"},
    ]


def test_messages_with_thinking_and_parallel_tool_use(front, anthropic_client):
    document = message(THINKING, TEXT, *USES)
    told(front, document)
    ask = {"model": ANTHROPIC_MODEL, "max_tokens": 64, "messages": ASK}
    answer = anthropic_client.messages.create(**ask)
    assert_same(answer, document)
    assert answer._request_id
    stream = message_events()
    streamed(front, stream[0], {"type": "ping"}, *stream[1:])
    for event, expected in zip(anthropic_client.messages.create(**ask, stream=True), stream, strict=True):
        assert_same(event, expected)
    with anthropic_client.messages.stream(**ask) as helper:
        content = helper.get_final_message().content
    for block, expected in zip(content, document["content"], strict=True):
        written = block.to_dict(mode="json")
        assert {name: written[name] for name in expected} == expected


def test_requests_of_anthropic_clients_arrive(front, anthropic_client):
    told(front, message(TEXT))
    source = {"type": "base64", "media_type": "image/png", "data": PICTURE.partition(",")[2]}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "What is this?"}]
    versions = {"anthropic-version": "2026-10-21", "anthropic-beta": "one-2026-01-01,two-2026-02-02"}
    anthropic_client.messages.create(
        model=ANTHROPIC_MODEL, max_tokens=64, messages=[{"role": "user", "content": content}], extra_headers=versions
    )
    (request,) = front.upstream.requests
    assert source["data"].encode() in request.body
    assert {name: request.headers[name] for name in versions} == versions
    assert request.headers["x-api-key"] == front.upstream_key
    assert front.key not in str(request.headers)


def test_token_counts(front, anthropic_client):
    told(front, {"input_tokens": 2095})
    answer = anthropic_client.messages.count_tokens(model=ANTHROPIC_MODEL, messages=ASK)
    assert_same(answer, {"input_tokens": 2095})
