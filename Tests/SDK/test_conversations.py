"""Conversations stored by the gateway, over upstreams of every dialect, with OpenAI's own client."""

import json
import os
import signal
import sqlite3
import threading
from pathlib import Path

import openai
import pytest

from dialects.answers import Broken, Call, Failure, Held, Reasoning, calls, text
from dialects.readings import turns
from gateways import Gateways, short_folder
from test_kept_responses import ADMIN, SECOND, WEATHER, Kept, ask

NO_CONVERSATION = "conv_hg" + "0" * 32


@pytest.fixture(scope="module")
def kept():
    with short_folder() as folder:
        gateways = Gateways(Path(folder))
        kept = Kept(folder, gateways)
        try:
            yield kept
        finally:
            gateways.end()
            kept.close()


@pytest.fixture(params=["chat", "messages", "responses"])
def model(request) -> str:
    return request.param


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request) -> bool:
    return request.param


def said(client, conversation: str) -> list:
    """Returns speakers and texts, oldest first."""
    items = client.conversations.items.list(conversation, order="asc", limit=100).data
    return [(item.role, "".join(part.text for part in item.content)) for item in items]


def test_three_turns_in_a_conversation(kept, model, stream):
    client, upstream = kept.client(), kept.upstreams[model]
    upstream.will(text("Hello", " Ann."), text("Your name is Ann."), text("You asked twice."))
    conversation = client.conversations.create(
        items=[{"role": "user", "content": "Speak plainly."}], metadata={"topic": "names"})
    assert conversation.id.startswith("conv_hg") and conversation.metadata == {"topic": "names"}
    first = ask(client, stream, model=model, input="I am Ann.", conversation=conversation.id, instructions="Be brief.")
    assert first.conversation.id == conversation.id and first.previous_response_id is None
    ask(client, stream, model=model, input="My name?", conversation={"id": conversation.id}, store=False)
    third = ask(
        client, stream, model=model, conversation=conversation.id,
        input=[{"role": "user", "content": [{"type": "input_text", "text": "And now?"}]}])
    assert third.output_text == "You asked twice."
    asked = json.dumps(turns(upstream.dialect, upstream.asked), default=str)
    places = [asked.index(part) for part in [
        "Speak plainly.", "I am Ann.", "Hello Ann.", "My name?", "Your name is Ann.", "And now?"]]
    assert places == sorted(places) and "Be brief." not in json.dumps(upstream.asked)
    assert said(client, conversation.id) == [
        ("user", "Speak plainly."), ("user", "I am Ann."), ("assistant", "Hello Ann."), ("user", "My name?"),
        ("assistant", "Your name is Ann."), ("user", "And now?"), ("assistant", "You asked twice.")]


def test_every_event_with_the_response_names_the_conversation(kept, model):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"))
    conversation = client.conversations.create()
    events = list(client.responses.create(model=model, input="Hi", conversation=conversation.id, stream=True))
    responses = [event.response for event in events if hasattr(event, "response")]
    assert len(responses) == 3
    assert {response.conversation.id for response in responses} == {conversation.id}
    assert [event.sequence_number for event in events] == list(range(len(events)))


def test_tools_in_two_rounds(kept, model, stream):
    client, upstream = kept.client(), kept.upstreams[model]
    upstream.will(calls(Call("call_1", "weather", ('{"city": ', '"Rome"}'))), text("Warm."))
    conversation = client.conversations.create()
    first = ask(client, stream, model=model, input="Weather in Rome?", tools=[WEATHER], conversation=conversation.id)
    call = next(item for item in first.output if item.type == "function_call")
    second = ask(
        client, stream, model=model, conversation=conversation.id, tools=[WEATHER],
        input=[{"type": "function_call_output", "call_id": call.call_id, "output": "24"}])
    assert second.output_text == "Warm."
    items = client.conversations.items.list(conversation.id, order="asc").data
    assert [item.type for item in items] == ["message", "function_call", "function_call_output", "message"]


def test_a_conversation_continues_with_other_models(kept):
    client, upstreams = kept.client(), kept.upstreams
    upstreams["responses"].will(text("Hello Ann."), text("Ann it is."))
    upstreams["messages"].will(text("Your name is Ann."))
    conversation = client.conversations.create()
    for model, question in [("responses", "I am Ann."), ("messages", "My name?"), ("responses", "Are you sure?")]:
        client.responses.create(model=model, input=question, conversation=conversation.id)
    asked = json.dumps(upstreams["responses"].asked)
    assert "Hello Ann." in asked and "Your name is Ann." in asked
    # The upstream never sees the gateway's id.
    assert conversation.id not in asked


def test_a_conversation_continues_at_another_provider(kept, stream):
    client, upstreams = kept.client(), kept.upstreams
    upstreams["chat"].will(text("Hello Ann."), Failure(503, "overloaded"))
    upstreams["messages"].will(text("Your name is Ann."))
    conversation = client.conversations.create()
    ask(client, stream, model="both", input="I am Ann.", conversation=conversation.id)
    second = ask(client, stream, model="both", input="My name?", conversation=conversation.id)
    assert second.output_text == "Your name is Ann."
    assert len(said(client, conversation.id)) == 4


def test_reasoning_stays_in_the_conversation(kept, stream):
    client, upstream = kept.client(), kept.upstreams["messages"]
    upstream.will(text("Four."), text("Yes."))
    upstream._answers[0] = type(upstream._answers[0])((Reasoning(("Two ", "and two")), *upstream._answers[0].pieces))
    conversation = client.conversations.create()
    asking = {"model": "messages", "conversation": conversation.id, "reasoning": {"effort": "low"}}
    ask(client, stream, **asking, input="2 + 2?")
    ask(client, stream, **asking, input="Sure?")
    assert "Two and two" in json.dumps(upstream.asked)


def test_a_truncated_turn_adds_nothing(kept, model):
    client, upstream = kept.client(), kept.upstreams[model]
    upstream.will(Broken(text("Lo", "st"), 2), Failure(400, "no"), text("Hello"))
    conversation = client.conversations.create(items=[{"role": "user", "content": "First."}])
    with pytest.raises(openai.OpenAIError):
        for event in client.responses.create(model=model, input="Hi", conversation=conversation.id, stream=True):
            if event.type == "response.failed":
                raise openai.OpenAIError("failed")
    with pytest.raises(openai.BadRequestError):
        client.responses.create(model=model, input="Hi", conversation=conversation.id)
    assert said(client, conversation.id) == [("user", "First.")]
    client.responses.create(model=model, input="Hi", conversation=conversation.id)
    assert len(said(client, conversation.id)) == 3


def test_only_one_turn_is_open(kept, model):
    client, released = kept.client(), threading.Event()
    kept.upstreams[model].will(Held(text("word", " word"), 4, released), text("Elsewhere"), text("Now"))
    conversation, other = client.conversations.create(), client.conversations.create()
    stream = client.responses.create(model=model, input="Long", conversation=conversation.id, stream=True)
    next(iter(stream))
    for use in [
        lambda: client.responses.create(model=model, input="Hi", conversation=conversation.id),
        lambda: client.conversations.items.create(conversation.id, items=[{"role": "user", "content": "Hi"}]),
    ]:
        with pytest.raises(openai.ConflictError) as refused:
            use()
        assert refused.value.code == "conversation_locked"
    client.responses.create(model=model, input="Hi", conversation=other.id)
    assert said(client, conversation.id) == []
    released.set()
    for _ in stream:
        pass
    client.responses.create(model=model, input="Hi", conversation=conversation.id)
    assert [text for _, text in said(client, conversation.id)] == ["Long", "word word", "Hi", "Now"]


def test_a_turn_ends_with_its_client(kept, model):
    client = kept.client()
    released = threading.Event()
    kept.upstreams[model].will(Held(text("word", " word"), 4, released), text("Now"))
    conversation = client.conversations.create()
    stream = client.responses.create(model=model, input="Long", conversation=conversation.id, stream=True)
    next(iter(stream))
    stream.close()
    # The gateway notices the disconnect after a delay.
    patient = client.with_options(max_retries=20)
    patient.responses.create(model=model, input="Hi", conversation=conversation.id)
    assert said(client, conversation.id) == [("user", "Hi"), ("assistant", "Now")]
    released.set()


def test_conversations_are_read_changed_and_deleted(kept):
    client = kept.client()
    made = client.conversations.create(metadata={"a": "b"})
    assert client.conversations.retrieve(made.id) == made
    assert client.conversations.update(made.id, metadata={"c": "d"}).metadata == {"c": "d"}
    assert client.conversations.retrieve(made.id).metadata == {"c": "d"}
    gone = client.conversations.delete(made.id)
    assert (gone.id, gone.object, gone.deleted) == (made.id, "conversation.deleted", True)
    for use in [client.conversations.retrieve, client.conversations.delete, client.conversations.items.list]:
        with pytest.raises(openai.NotFoundError) as refused:
            use(made.id)
        assert refused.value.code == "conversation_not_found"


def test_items_are_added_read_listed_and_deleted(kept):
    client = kept.client()
    items = client.conversations.items
    conversation = client.conversations.create()
    assert items.list(conversation.id).data == []
    added = items.create(conversation.id, items=[
        {"role": "user", "content": "One"}, {"type": "message", "role": "assistant", "content": "Two", "id": "msg_own"},
        {"type": "function_call_output", "call_id": "call_1", "output": "24"}])
    assert [item.type for item in added.data] == ["message", "message", "function_call_output"]
    assert added.data[1].id == "msg_own" and (added.first_id, added.last_id) == (added.data[0].id, added.data[2].id)
    assert items.retrieve("msg_own", conversation_id=conversation.id) == added.data[1]
    assert [item.id for item in items.list(conversation.id, limit=2)] == [item.id for item in reversed(added.data)]
    assert items.delete("msg_own", conversation_id=conversation.id).id == conversation.id
    with pytest.raises(openai.NotFoundError) as refused:
        items.retrieve("msg_own", conversation_id=conversation.id)
    assert refused.value.code == "item_not_found"
    assert len(items.list(conversation.id).data) == 2


@pytest.mark.parametrize("wrong", [
    {"items": [{"role": "user", "content": "Hi"}] * 21}, {"items": ["Hi"]},
    {"items": [{"type": "item_reference", "id": "a"}]},
    {"metadata": {"a": 1}}, {"metadata": {"a": "x" * 513}}, {"metadata": {f"{n}": "" for n in range(17)}}])
def test_unstorable_parameters_are_refused_by_name(kept, wrong):
    with pytest.raises(openai.BadRequestError) as refused:
        kept.client().conversations.create(**wrong)
    assert refused.value.param.startswith(next(iter(wrong)))


def test_another_key_gets_the_response_for_an_unknown_id(kept, model):
    kept.upstreams[model].will(text("For admins"))
    made = kept.client().conversations.create(items=[{"role": "user", "content": "Secret", "id": "msg_1"}])
    other = kept.client(SECOND)
    for use in [
        other.conversations.retrieve, other.conversations.delete, other.conversations.items.list,
        lambda id: other.conversations.update(id, metadata={}),
        lambda id: other.conversations.items.retrieve("msg_1", conversation_id=id),
        lambda id: other.responses.create(model=model, input="Hi", conversation=id),
    ]:
        told = []
        for id in [made.id, NO_CONVERSATION, "conv_elsewhere"]:
            with pytest.raises(openai.NotFoundError) as refused:
                use(id)
            told.append((refused.value.code, refused.value.message))
        assert told[0] == told[1] and told[0][0] == told[2][0] == "conversation_not_found"
    admin = kept.client(ADMIN)
    assert admin.responses.create(model=model, input="Hi", conversation=made.id).output_text == "For admins"


def test_contradictory_parameters_are_refused_by_name(kept, model):
    client = kept.client(ADMIN)
    kept.upstreams[model].will(text("Hello"))
    conversation = client.conversations.create()
    made = client.responses.create(model=model, input="Hi", conversation=conversation.id)
    for member, wrong in [
        ("previous_response_id", {"conversation": conversation.id, "previous_response_id": made.id}),
        ("background", {"conversation": conversation.id, "background": True}),
        ("input[0]", {"conversation": conversation.id, "input": [{"type": "item_reference", "id": "msg_1"}]}),
    ]:
        with pytest.raises(openai.BadRequestError) as refused:
            client.responses.create(model=model, **{"input": "Hi", **wrong})
        assert refused.value.param == member
    if model != "responses":
        with pytest.raises(openai.BadRequestError, match=conversation.id):
            client.responses.create(model=model, input="Hi", previous_response_id=made.id)
        with pytest.raises(openai.BadRequestError) as refused:
            client.responses.create(model=model, input="Hi", conversation="conv_of_another_provider")
        assert refused.value.param == "conversation"


def test_it_is_explained_with_its_history(kept, model):
    client = kept.client(ADMIN)
    conversation = client.conversations.create(items=[{"role": "user", "content": "I am Ann."}])
    raw = client.responses.with_raw_response.create(
        model=model, input="My name?", conversation=conversation.id, extra_headers={"x-headgate-explain": "1"})
    assert "I am Ann." in raw.text and "My name?" in raw.text
    assert said(client, conversation.id) == [("user", "I am Ann.")]


def test_it_survives_restarts_and_kills(kept, model):
    client, upstream = kept.client(), kept.upstreams[model]
    upstream.will(text("Hello"), text(*["word "] * 2_000), text("Again"))
    conversation = client.conversations.create()
    client.responses.create(model=model, input="Hi", conversation=conversation.id)
    before = said(client, conversation.id)
    kept.restart()
    assert said(kept.client(), conversation.id) == before
    stream = kept.client().responses.create(model=model, input="Long", conversation=conversation.id, stream=True)
    next(iter(stream))
    os.kill(kept.gateway.pid, signal.SIGKILL)
    stream.close()
    kept.restart(kill=True)
    client = kept.client()
    # The kernel can have received the whole response before the signal: both items are stored, or neither.
    assert len(said(client, conversation.id)) - len(before) in (0, 2)
    client.responses.create(model=model, input="More", conversation=conversation.id)
    assert said(client, conversation.id)[-1] == ("assistant", "Again")
    with sqlite3.connect(kept.file) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_expired_objects_are_gone(kept):
    client = kept.client()
    made = client.conversations.create()
    with sqlite3.connect(kept.file, timeout=10) as database:
        database.execute("UPDATE conversations SET kept_until = 1 WHERE id = ?", [made.id])
    with pytest.raises(openai.NotFoundError):
        client.conversations.retrieve(made.id)


def test_a_file_of_an_older_version_is_migrated(kept):
    kept.upstreams["chat"].will(text("Hello"), text("Again"))
    first = kept.client().responses.create(model="chat", input="Hi")
    kept.gateway.stop()
    with sqlite3.connect(kept.file) as database:
        for (kind, name) in database.execute(
            "SELECT type, name FROM sqlite_schema WHERE name GLOB 'owners*' OR name GLOB 'items*' OR "
            "name GLOB 'conversations*' OR name = 'responses_by_owner'").fetchall():
            database.execute(f"DROP {kind} IF EXISTS {name}")
        database.execute("PRAGMA user_version = 1")
    kept.restart()
    client = kept.client()
    assert client.responses.create(model="chat", input="Hi", previous_response_id=first.id).output_text == "Again"
    client.conversations.create()


def test_without_the_option_it_is_refused_with_advice(kept, model):
    kept.restart(responses="")
    try:
        client = kept.client(ADMIN)
        for use in [
            client.conversations.create, lambda: client.conversations.retrieve(NO_CONVERSATION),
            lambda: client.conversations.items.list(NO_CONVERSATION),
        ]:
            with pytest.raises(openai.BadRequestError, match="responses: {store: 1d}"):
                use()
        if model != "responses":
            with pytest.raises(openai.BadRequestError, match="responses: {store: 1d}") as refused:
                client.responses.create(model=model, input="Hi", conversation=NO_CONVERSATION)
            assert refused.value.param == "conversation"
    finally:
        kept.restart()
