"""Responses that the gateway stores for models without a Responses API upstream: chat-only and Messages-only models."""

import json
import os
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import openai
import pytest

from dialects.answers import Broken, Call, Failure, calls, text
from dialects.readings import turns
from dialects.upstream import StrictUpstream
from gateways import Gateways, command, key_line, short_folder

KINDS = {
    "chat": "kind: openai, speaks: [chat]", "messages": "kind: anthropic",
    "responses": "kind: openai, speaks: [responses]"}
FIRST, SECOND, ADMIN = "hg-first-0123456789abcdef", "hg-second-0123456789abcde", "hg-admin-0123456789abcdef"
WEATHER = {
    "type": "function", "name": "weather", "strict": False,
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}


def configuration(upstreams: dict, responses: str = "{store: 1d}") -> str:
    lines = "".join(
        f'  {name}: {{{KINDS[name]}, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
        for name, upstream in upstreams.items())
    models = "".join(f"  {name}: {{upstream: {name}, model: inner}}\n" for name in upstreams)
    both = "  both: {targets: [{upstream: chat, model: inner}, {upstream: messages, model: inner}], retry: {budget: 100%}}\n"
    keys = [key_line(FIRST, "first"), key_line(SECOND, "second"), key_line(ADMIN, "admin")[:-1] + ", admin: true}"]
    kept = f"responses: {responses}\n" if responses else ""
    return f"listen: 127.0.0.1:0\nupstreams:\n{lines}models:\n{models}{both}keys: [{', '.join(keys)}]\n{kept}"


class Kept:
    """A gateway that stores responses in its own folder, in front of a strict provider of each dialect."""

    def __init__(self, folder, gateways):
        from pathlib import Path

        self.folder, self.gateways = Path(folder), gateways
        self.upstreams = {name: StrictUpstream(name) for name in KINDS}
        self.gateway = gateways.start(configuration(self.upstreams))

    @property
    def file(self):
        return self.folder / ".local/share/headgate/responses.db"

    def client(self, key: str = FIRST) -> openai.OpenAI:
        return openai.OpenAI(base_url=self.gateway.urls[0] + "/v1", api_key=key, max_retries=0, timeout=20)

    def restart(self, responses: str = "{store: 1d}", kill: bool = False):
        self.gateway.kill() if kill else self.gateway.stop()
        self.gateway = self.gateways.start(configuration(self.upstreams, responses))

    def close(self):
        for upstream in self.upstreams.values():
            upstream.close()


@pytest.fixture(scope="module")
def kept():
    with short_folder() as folder:
        from pathlib import Path

        gateways = Gateways(Path(folder))
        kept = Kept(folder, gateways)
        try:
            yield kept
        finally:
            gateways.end()
            kept.close()


@pytest.fixture(params=["chat", "messages"])
def model(request) -> str:
    return request.param


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request) -> bool:
    return request.param


def ask(client, stream: bool = False, **request):
    if not stream:
        return client.responses.create(**request)
    with client.responses.stream(**request) as events:
        for _ in events:
            pass
        return events.get_final_response()


def test_three_turns_by_previous_response_id(kept, model, stream):
    client, upstream = kept.client(), kept.upstreams[model]
    upstream.will(text("Hello", " Ann."), text("Your name is Ann."), text("You asked twice."))
    first = ask(client, stream, model=model, input="I am Ann.", instructions="Be brief.")
    assert first.id.startswith("resp_hg") and first.store is True and first.previous_response_id is None
    second = ask(client, stream, model=model, input="My name?", previous_response_id=first.id, store=True)
    assert second.previous_response_id == first.id and second.id != first.id
    third = ask(
        client, stream, model=model, previous_response_id=second.id,
        input=[{"role": "user", "content": [{"type": "input_text", "text": "And now?"}]}])
    assert third.output_text == "You asked twice."
    said = json.dumps(turns(upstream.dialect, upstream.asked), default=str)
    for part in ["I am Ann.", "Hello Ann.", "My name?", "Your name is Ann.", "And now?"]:
        assert said.count(part) == 1, (part, said)
    # As with OpenAI, instructions apply to one request.
    assert "Be brief." not in json.dumps(upstream.asked)


def test_tools_in_two_rounds(kept, model, stream):
    client, upstream = kept.client(), kept.upstreams[model]
    upstream.will(calls(Call("call_1", "weather", ('{"city": ', '"Rome"}'))), text("Warm."))
    first = ask(client, stream, model=model, input="Weather in Rome?", tools=[WEATHER])
    call = next(item for item in first.output if item.type == "function_call")
    second = ask(
        client, stream, model=model, previous_response_id=first.id, tools=[WEATHER],
        input=[{"type": "function_call_output", "call_id": call.call_id, "output": "24"}])
    assert second.output_text == "Warm."
    items = client.responses.input_items.list(second.id).data
    assert [(item.type, item.call_id, item.output) for item in items] == [("function_call_output", call.call_id, "24")]


def test_a_stored_response_is_returned_unchanged(kept, model, stream):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"))
    made = ask(client, stream, model=model, input="Hi", metadata={"a": "b"})
    again = client.responses.retrieve(made.id)
    assert again.model_dump() == {**made.model_dump(), **({"output": again.model_dump()["output"]} if stream else {})}
    assert again.output_text == "Hello"


def test_input_items_are_listed_in_pages(kept, model):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"))
    made = client.responses.create(
        model=model, input=[{"role": "user", "content": "One"}, {"role": "assistant", "content": "Two"}, {
            "role": "user", "content": [{"type": "input_text", "text": "Three"}]}])
    items = list(client.responses.input_items.list(made.id, order="asc", limit=2))
    assert [item.content[0].text for item in items] == ["One", "Two", "Three"]
    assert [item.role for item in items] == ["user", "assistant", "user"] and len({item.id for item in items}) == 3
    assert [item.content[0].text for item in client.responses.input_items.list(made.id, limit=1).data] == ["Three"]
    with pytest.raises(openai.BadRequestError, match="limit"):
        client.responses.input_items.list(made.id, limit=0)


def test_a_deleted_response_is_gone(kept, model):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"), text("Again"))
    first = client.responses.create(model=model, input="Hi")
    second = client.responses.create(model=model, input="Hi", previous_response_id=first.id)
    raw = client.responses.with_raw_response.delete(first.id)
    assert json.loads(raw.text) == {"id": first.id, "object": "response", "deleted": True}
    for gone in [client.responses.retrieve, client.responses.delete, client.responses.input_items.list]:
        with pytest.raises(openai.NotFoundError):
            gone(first.id)
    assert client.responses.retrieve(second.id).output_text == "Again"
    for previous in [first.id, second.id]:
        with pytest.raises(openai.NotFoundError) as refused:
            client.responses.create(model=model, input="Hi", previous_response_id=previous)
        assert refused.value.code == "previous_response_not_found"


def test_another_key_gets_the_response_for_an_unknown_id(kept, model):
    kept.upstreams[model].will(text("Hello"), text("For admins"))
    made = kept.client().responses.create(model=model, input="Hi")
    unknown = made.id[:-6] + "000000"
    other = kept.client(SECOND)
    for use in [
        other.responses.retrieve, other.responses.delete, other.responses.input_items.list,
        lambda id: other.responses.create(model=model, input="Hi", previous_response_id=id),
    ]:
        told = []
        for id in [made.id, unknown]:
            with pytest.raises(openai.NotFoundError) as refused:
                use(id)
            told.append((refused.value.code, refused.value.message))
        assert told[0] == told[1]
    admin = kept.client(ADMIN)
    assert admin.responses.retrieve(made.id).id == made.id
    assert admin.responses.create(model=model, input="Hi", previous_response_id=made.id).output_text == "For admins"


def test_store_false_is_honoured(kept, model, stream):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"))
    made = ask(client, stream, model=model, input="Hi", store=False)
    assert made.store is False and not made.id.startswith("resp_hg")
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(made.id)


def test_a_truncated_response_is_not_stored(kept, model):
    client, upstream = kept.client(), kept.upstreams[model]
    before = rows(kept)
    upstream.will(Broken(text("Lo", "st"), 2), Failure(400, "no"))
    ids = []
    with pytest.raises(openai.OpenAIError):
        for event in client.responses.create(model=model, input="Hi", stream=True):
            if event.type == "response.created":
                ids.append(event.response.id)
            if event.type == "response.failed":
                raise openai.OpenAIError("failed")
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(ids[0])
    with pytest.raises(openai.BadRequestError):
        client.responses.create(model=model, input="Hi")
    assert rows(kept) == before


def rows(kept) -> int:
    with sqlite3.connect(f"file:{kept.file}?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM responses").fetchone()[0]


def test_a_conversation_continues_at_another_provider(kept, stream):
    client, upstreams = kept.client(), kept.upstreams
    upstreams["chat"].will(text("Hello Ann."), Failure(503, "overloaded"))
    upstreams["messages"].will(text("Your name is Ann."))
    first = ask(client, stream, model="both", input="I am Ann.")
    second = ask(client, stream, model="both", input="My name?", previous_response_id=first.id)
    assert second.output_text == "Your name is Ann."
    assert client.responses.retrieve(second.id).previous_response_id == first.id
    assert "Hello Ann." in json.dumps(upstreams["messages"].asked)


def test_conversations_are_refused_by_name(kept, model):
    with pytest.raises(openai.BadRequestError) as refused:
        kept.client(ADMIN).responses.create(model=model, input="Hi", conversation="conv_1")
    assert refused.value.param == "conversation"


def test_streaming_a_stored_response_is_refused_by_name(kept, model):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"))
    made = client.responses.create(model=model, input="Hi")
    with pytest.raises(openai.BadRequestError) as refused:
        client.responses.retrieve(made.id, stream=True)
    assert refused.value.param == "stream"
    with pytest.raises(openai.BadRequestError):
        client.responses.cancel(made.id)


def test_it_is_explained_with_its_history(kept, model):
    kept.upstreams[model].will(text("Hello Ann."))
    client = kept.client(ADMIN)
    first = client.responses.create(model=model, input="I am Ann.")
    raw = client.responses.with_raw_response.create(
        model=model, input="My name?", previous_response_id=first.id, store=True,
        extra_headers={"x-headgate-explain": "1"})
    assert "Hello Ann." in raw.text and "My name?" in raw.text


def test_responses_survive_a_restart_in_a_private_file(kept, model):
    kept.upstreams[model].will(text("Hello"), text("Again"))
    first = kept.client().responses.create(model=model, input="Hi")
    kept.restart()
    client = kept.client()
    assert client.responses.retrieve(first.id).output_text == "Hello"
    assert client.responses.create(model=model, input="Hi", previous_response_id=first.id).output_text == "Again"
    assert os.stat(kept.file).st_mode & 0o777 == 0o600 and os.stat(kept.file.parent).st_mode & 0o777 == 0o700


def test_a_kill_in_mid_stream_leaves_no_half_response(kept, model):
    client, upstream = kept.client(), kept.upstreams[model]
    upstream.will(text("Hello"), text(*["word "] * 2_000))
    whole = client.responses.create(model=model, input="Hi")
    assert client.responses.retrieve(whole.id).id == whole.id
    stream = client.responses.create(model=model, input="Hi", stream=True)
    cut = next(event.response.id for event in stream if event.type == "response.created")
    os.kill(kept.gateway.pid, signal.SIGKILL)
    stream.close()
    kept.restart(kill=True)
    client = kept.client()
    assert client.responses.retrieve(whole.id).output_text == "Hello"
    try:
        # The kernel can have received the whole response before the signal.
        assert client.responses.retrieve(cut).status == "completed"
    except openai.NotFoundError:
        pass
    with sqlite3.connect(kept.file) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_expired_objects_are_gone(kept, model):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"))
    made = client.responses.create(model=model, input="Hi")
    assert client.responses.retrieve(made.id).id == made.id
    with sqlite3.connect(kept.file, timeout=10) as database:
        database.execute("UPDATE responses SET kept_until = 1 WHERE id = ?", [made.id])
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(made.id)


def test_many_at_once_are_all_stored(kept):
    kept.upstreams["chat"].will(*[text("Hello")] * 100)

    def make(number: int) -> str:
        return kept.client().responses.create(model="chat", input=f"{number}").id

    with ThreadPoolExecutor(20) as pool:
        ids = list(pool.map(make, range(100)))
    client = kept.client()
    assert [client.responses.retrieve(id).id for id in ids] == ids


def test_a_locked_store_fails_no_response(kept, model):
    client = kept.client()
    kept.upstreams[model].will(text("Hello"), text("Lost"), text("Again"))
    first = client.responses.create(model=model, input="Hi")
    assert client.responses.retrieve(first.id).id == first.id
    lock = sqlite3.connect(kept.file, timeout=10, isolation_level=None)
    try:
        lock.execute("BEGIN IMMEDIATE")
        lost = client.responses.create(model=model, input="Hi")
        assert lost.output_text == "Lost"
        kept.gateway.wait_for_log("another process keeps it locked")
        # Stored responses can still be read.
        next_one = client.responses.create(model=model, input="Hi", previous_response_id=first.id, store=False)
        assert next_one.output_text == "Again"
    finally:
        lock.execute("ROLLBACK")
        lock.close()
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(lost.id)
    ready = kept.client(ADMIN).get("/../readyz?verbose", cast_to=object)
    assert ready["responses"]["lost"] >= 1


def test_without_the_option_it_is_refused_as_before(kept, model):
    kept.restart(responses="")
    try:
        client = kept.client(ADMIN)
        for member in [{"store": True}, {"previous_response_id": "resp_hg" + "0" * 32}]:
            with pytest.raises(openai.BadRequestError) as refused:
                client.responses.create(model=model, input="Hi", **member)
            assert refused.value.param in member
        assert "libsqlite3" not in open(f"/proc/{kept.gateway.pid}/maps").read()
    finally:
        kept.restart()


def test_reloads_turn_it_on_and_off_and_move_it(kept, model):
    def reload(responses: str):
        kept.gateway.write(configuration(kept.upstreams, responses))
        assert kept.gateway.reload().returncode == 0

    kept.upstreams[model].will(*[text("Hello")] * 3)
    client = kept.client()
    first = client.responses.create(model=model, input="Hi")
    reload("{store: 2d}")
    assert client.responses.retrieve(first.id).id == first.id
    reload(f"{{store: 1d, file: {kept.folder}/moved.db}}")
    second = client.responses.create(model=model, input="Hi", store=True)
    assert client.responses.retrieve(second.id).id == second.id
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(first.id)
    reload("")
    with pytest.raises(openai.BadRequestError):
        client.responses.create(model=model, input="Hi", store=True)
    reload("{store: 1d}")
    assert client.responses.retrieve(first.id).output_text == "Hello"
    kept.gateway.write(configuration(kept.upstreams, "{store: 1d, file: /no/folder.db}"))
    refused = kept.gateway.reload()
    assert refused.returncode != 0 and "/no/folder.db" in refused.stderr
    assert client.responses.create(model=model, input="Hi", previous_response_id=first.id).output_text == "Hello"
    reload("{store: 1d}")


@pytest.mark.parametrize("contents", [b"garbage" * 1_000, None], ids=["garbage", "no folder"])
def test_unusable_store_is_reported_before_the_start(kept, tmp_path, contents):
    file = tmp_path / "none" / "responses.db" if contents is None else tmp_path / "responses.db"
    if contents is not None:
        file.write_bytes(contents)
    path = tmp_path / "headgate.yaml"
    path.write_text(configuration(kept.upstreams, f"{{store: 1d, file: {file}}}"))
    for words in [["check"], ["serve"]]:
        ended = command(kept.folder, *words, "--config", path)
        assert ended.returncode == 78 and str(file) in ended.stderr
        assert ("damaged" if contents else "No such file or directory") in ended.stderr
