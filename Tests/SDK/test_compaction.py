"""Compactions by a summary: the output that SDKs get from a model that cannot compact, and later send back."""

from pathlib import Path

import anthropic
import openai
import pytest

from dialects.answers import Answer, Text, Usage
from dialects.clients import CLIENTS
from dialects.upstream import StrictUpstream
from gateways import KEY, KEYS, Gateways, short_folder

SUMMARY = "The user wants a gate. The hinges are done."
HISTORY = "Build me a gate."


@pytest.fixture(scope="module")
def running():
    upstream = StrictUpstream("chat")
    with short_folder() as folder:
        gateways = Gateways(Path(folder))
        clients = []
        try:
            upstream.gateway = gateways.start(
                "listen: 127.0.0.1:0\nledger: memory\ncompaction: summarize\nupstreams:\n"
                f'  chat: {{kind: openai, speaks: [chat], base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
                f"models: {{m: {{upstream: chat}}}}\n{KEYS}")
            clients = [CLIENTS[dialect](upstream.gateway.urls[0], KEY) for dialect in ("responses", "messages")]
            yield upstream, *(client.sdk for client in clients)
        finally:
            for client in clients:
                client.close()
            gateways.end()
            upstream.close()


def texts(upstream) -> list:
    return [message["content"] for message in upstream.asked["messages"]]


def summary(upstream):
    upstream.will(Answer((Text((SUMMARY[:9], SUMMARY[9:])),), usage=Usage(70, 11)))


def test_responses_compact_and_continue(running):
    upstream, client, _ = running
    summary(upstream)
    compacted = client.responses.compact(model="m", input=HISTORY)
    assert compacted.object == "response.compaction" and compacted.usage.input_tokens == 70
    assert upstream.asked["max_completion_tokens" if "max_completion_tokens" in upstream.asked else "max_tokens"] == 4096
    [item] = compacted.output
    assert item.type == "compaction" and SUMMARY not in item.encrypted_content
    upstream.will(Answer((Text(("Yes.",)),)))
    answer = client.responses.create(
        model="m", input=[item.model_dump(exclude_none=True), {"role": "user", "content": "Are they?"}])
    assert answer.output_text == "Yes."
    assert SUMMARY in texts(upstream)[0] and texts(upstream)[1] == "Are they?"


@pytest.mark.parametrize("stream", [False, True])
def test_trigger_gets_exactly_one_compaction(running, stream):
    upstream, client, _ = running
    summary(upstream)
    request = {"model": "m", "input": [{"role": "user", "content": HISTORY}, {"type": "compaction_trigger"}]}
    if stream:
        with client.responses.stream(**request) as events:
            done = [event.item for event in events if event.type == "response.output_item.done"]
            response = events.get_final_response()
        assert [item.type for item in done] == ["compaction"]
    else:
        response = client.responses.create(**request)
    assert [item.type for item in response.output] == ["compaction"] and response.status == "completed"
    assert response.usage.output_tokens == 11


@pytest.mark.parametrize("stream", [False, True])
def test_messages_compact_and_continue(running, stream):
    upstream, _, client = running
    summary(upstream)
    request = {"model": "m", "max_tokens": 1000, "messages": [{"role": "user", "content": HISTORY}],
               "compaction": {"type": "summarize", "instructions": "List what is done."}}
    if stream:
        with client.beta.messages.stream(**request) as events:
            message = events.get_final_message()
    else:
        message = client.beta.messages.create(**request)
    assert message.stop_reason == "compaction" and texts(upstream)[-1] == "List what is done."
    [block] = message.content
    assert block.type == "compaction" and block.content == SUMMARY
    upstream.will(Answer((Text(("Yes.",)),)))
    client.beta.messages.create(
        model="m", max_tokens=9, messages=[
            {"role": "user", "content": HISTORY}, {"role": "assistant", "content": [block.model_dump(exclude_none=True)]},
            {"role": "user", "content": "Are they?"}])
    assert HISTORY not in texts(upstream) and SUMMARY in texts(upstream)[0] and texts(upstream)[1] == "Are they?"


def test_model_without_words_is_an_error_of_each_dialect(running):
    upstream, responses, messages = running
    upstream.will(Answer(()), Answer(()))
    with pytest.raises(openai.InternalServerError) as failed:
        responses.responses.compact(model="m", input=HISTORY)
    assert failed.value.code == "compaction_failed"
    with pytest.raises(anthropic.InternalServerError) as failed:
        messages.beta.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": HISTORY}],
            compaction={"type": "summarize"})
    assert "wrote no complete text" in str(failed.value)
