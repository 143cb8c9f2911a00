"""Every relayed response and every event passes the vendors' own models in strict mode."""

import json
import urllib.error
import urllib.request

import anthropic
import openai
import pytest

from answers import CALLS, DELETED_ID, MODELS, PIECES, RESPONSE_ID, SOUND, TEXT, VECTOR

ASK = [{"role": "user", "content": "Say hello."}]
STRICT = {"max_retries": 0, "timeout": 10, "_strict_response_validation": True}


@pytest.fixture(params=["with /v1", "without /v1"])
def openai_client(gateway, request):
    base_url = gateway.base_url if request.param == "with /v1" else f"http://{gateway.address}"
    with openai.OpenAI(base_url=base_url, api_key=gateway.key, **STRICT) as client:
        yield client


@pytest.fixture(params=["authorization", "x-api-key"])
def anthropic_client(gateway, request):
    # The newest SDK sends its key as a bearer token; older ones send it as x-api-key.
    headers = {"Authorization": anthropic.omit, "x-api-key": gateway.key} if request.param == "x-api-key" else {}
    address = f"http://{gateway.address}"
    with anthropic.Anthropic(base_url=address, api_key=gateway.key, default_headers=headers, **STRICT) as client:
        yield client


def test_chat_completion_with_tool_calls_and_logprobs(openai_client):
    answer = openai_client.chat.completions.create(model="smollm2", messages=ASK, logprobs=True)
    message = answer.choices[0].message
    assert message.content == TEXT
    assert [(call.id, call.function.name, call.function.arguments) for call in message.tool_calls] == CALLS
    assert answer.choices[0].logprobs.content[0].bytes == [72]


def test_chat_stream_with_parallel_tool_calls(openai_client):
    with openai_client.chat.completions.stream(model="smollm2", messages=ASK) as stream:
        message = stream.get_final_completion().choices[0].message
    assert message.content == TEXT
    assert [(call.id, call.function.name, call.function.arguments) for call in message.tool_calls] == CALLS


def test_legacy_completion_whole_and_as_a_stream(openai_client):
    assert openai_client.completions.create(model="smollm2", prompt="Say").choices[0].text == TEXT
    stream = openai_client.completions.create(model="smollm2", prompt="Say", stream=True)
    assert [chunk.choices[0].text for chunk in stream if chunk.choices and chunk.choices[0].text] == PIECES


def test_embeddings_as_numbers(openai_client):
    answer = openai_client.embeddings.create(model="text-embedding-3-small", input="Hello", encoding_format="float")
    assert answer.data[0].embedding == VECTOR


def test_embeddings_as_base64_are_decoded_by_the_sdk(gateway):
    # The SDK's own strict model would refuse the base64 that the SDK requests.
    with openai.OpenAI(base_url=gateway.base_url, api_key=gateway.key, max_retries=0, timeout=10) as client:
        answer = client.embeddings.create(model="text-embedding-3-small", input="Hello")
    assert list(answer.data[0].embedding) == VECTOR


def test_moderation(openai_client):
    answer = openai_client.moderations.create(model="omni-moderation-latest", input="Hello")
    assert answer.results[0].flagged is False


def test_image(openai_client):
    assert openai_client.images.generate(model="gpt-image-1", prompt="A gate").data[0].b64_json


def test_speech_is_relayed_as_it_arrives(openai_client):
    answer = openai_client.audio.speech.create(model="gpt-4o-mini-tts", voice="alloy", input="Hello")
    assert answer.read() == SOUND
    assert answer.response.headers["content-type"] == "audio/mpeg"


def test_response_whole_and_as_a_stream(openai_client):
    assert openai_client.responses.create(model="gpt-6-luna", input="Say hello.").output_text == TEXT
    events = list(openai_client.responses.create(model="gpt-6-luna", input="Say hello.", stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert [event.delta for event in events if event.type == "response.output_text.delta"] == PIECES
    assert events[-1].type == "response.completed"


def test_kept_responses(openai_client):
    responses = openai_client.responses
    assert responses.retrieve(RESPONSE_ID).id == RESPONSE_ID
    assert list(responses.retrieve(RESPONSE_ID, stream=True))[-1].type == "response.completed"
    assert responses.cancel(RESPONSE_ID).status == "cancelled"
    assert [item.id for item in responses.input_items.list(RESPONSE_ID)] == ["msg_0"]
    responses.delete(DELETED_ID)
    with pytest.raises(openai.NotFoundError):
        responses.retrieve(DELETED_ID)


def test_message_whole_and_as_a_stream(anthropic_client):
    ask = {"model": "claude-haiku-4-5", "max_tokens": 64, "messages": ASK}
    assert anthropic_client.messages.create(**ask).content[0].text == TEXT
    with anthropic_client.messages.stream(**ask) as stream:
        text = "".join(stream.text_stream)
        message = stream.get_final_message()
    assert text == message.content[0].text == TEXT
    assert message.content[1].input == {"city": "Oslo"}
    assert message.stop_reason == "tool_use"
    assert message.usage.output_tokens == 3


def test_token_count(anthropic_client):
    assert anthropic_client.messages.count_tokens(model="claude-haiku-4-5", messages=ASK).input_tokens == 9


def test_compaction_and_count_of_a_response(openai_client):
    compacted = openai_client.responses.compact(model="gpt-6-luna", input="Say hello.")
    assert compacted.object == "response.compaction" and compacted.output[0].type == "compaction"
    assert openai_client.responses.input_tokens.count(model="gpt-6-luna", input="Say hello.").input_tokens == 9


def test_models_in_both_forms(openai_client, anthropic_client):
    assert {model.id for model in openai_client.models.list()} == set(MODELS)
    assert openai_client.models.retrieve("smollm2").owned_by == "openai"
    assert {model.id for model in anthropic_client.models.list()} == set(MODELS)
    assert anthropic_client.models.retrieve("claude-haiku-4-5").display_name == "claude-haiku-4-5"


@pytest.mark.parametrize(
    ("change", "status", "kind"),
    [
        ({"key": "hg-wrong"}, 401, "authentication_error"),
        ({"model": "no-such-model"}, 404, "not_found_error"),
        ({"model": None}, 400, "invalid_request_error"),
        # No other format has such a member, so the gateway cannot translate it.
        ({"model": "smollm2", "messages": [{"role": "user", "content": [{"type": "unheard_of"}]}]}, 400,
         "invalid_request_error"),
    ],
)
def test_errors_of_the_anthropic_routes_have_its_form(gateway, change, status, kind):
    body = {"model": change.get("model", "claude-haiku-4-5"), "max_tokens": 64,
            "messages": change.get("messages", ASK)}
    answer, fields = refusal(gateway, "/v1/messages", body, change.get("key", gateway.key))
    assert fields.status == status
    assert answer["type"] == "error" and answer["error"]["type"] == kind
    assert answer["request_id"] == fields["request-id"] == fields["x-request-id"]


def test_an_unsupported_dialect_is_named(gateway):
    answer, fields = refusal(gateway, "/v1/embeddings", {"model": "claude-haiku-4-5", "input": "Hello"}, gateway.key)
    assert fields.status == 400
    assert "Anthropic" in answer["error"]["message"] and "OpenAI" in answer["error"]["message"]


def refusal(gateway, path, body, key):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{gateway.address}{path}", json.dumps(body).encode(), headers)
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=10)
    caught.value.headers.status = caught.value.code
    return json.loads(caught.value.read()), caught.value.headers
