"""Chat completions as the SDK's user sees them when all goes well."""

import asyncio

import openai
from exchanges import DELTAS, MESSAGES, TEXT, USAGE


def counts(usage) -> dict:
    return {name: getattr(usage, name) for name in USAGE}


def contents(chunks) -> list:
    return [piece for chunk in chunks for choice in chunk.choices if (piece := choice.delta.content)]


def test_stream_yields_every_delta_in_order_and_the_finish_reason(client):
    chunks = list(client.chat.completions.create(model="chat", messages=MESSAGES, stream=True))
    assert contents(chunks) == DELTAS
    reasons = [choice.finish_reason for chunk in chunks for choice in chunk.choices]
    assert reasons == [None] * (len(DELTAS) + 1) + ["stop"]


def test_stream_names_the_public_model(client):
    chunks = list(client.chat.completions.create(model="chat", messages=MESSAGES, stream=True))
    assert {chunk.model for chunk in chunks} == {"chat"}


def test_async_client_streams(gateway):
    async def collect():
        async with gateway.client(openai.AsyncOpenAI) as client:
            stream = await client.chat.completions.create(model="chat", messages=MESSAGES, stream=True)
            return [chunk async for chunk in stream]

    assert contents(asyncio.run(collect())) == DELTAS


def test_concurrent_streams_do_not_mix(gateway):
    async def one(client):
        stream = await client.chat.completions.create(model="chat", messages=MESSAGES, stream=True)
        return contents([chunk async for chunk in stream])

    async def many():
        async with gateway.client(openai.AsyncOpenAI) as client:
            return await asyncio.gather(*(one(client) for _ in range(20)))

    assert asyncio.run(many()) == [DELTAS] * 20


def test_without_streaming_text_and_usage_arrive_together(client):
    completion = client.chat.completions.create(model="chat", messages=MESSAGES)
    assert completion.choices[0].message.content == TEXT
    assert completion.choices[0].finish_reason == "stop"
    assert completion.model == "chat"
    assert counts(completion.usage) == USAGE


def test_usage_chunk_arrives_on_request(client):
    options = {"include_usage": True}
    stream = client.chat.completions.create(model="chat", messages=MESSAGES, stream=True, stream_options=options)
    chunks = list(stream)
    assert contents(chunks) == DELTAS
    assert chunks[-1].choices == []
    assert counts(chunks[-1].usage) == USAGE


def test_usage_chunk_is_hidden_unless_requested(client):
    chunks = list(client.chat.completions.create(model="chat", messages=MESSAGES, stream=True))
    assert all(chunk.choices for chunk in chunks)


def test_every_response_has_a_request_id(client):
    first, second = (client.chat.completions.create(model="chat", messages=MESSAGES) for _ in range(2))
    assert first._request_id and second._request_id
    assert first._request_id != second._request_id
