"""Token counts for clients of Messages and Responses whose upstream has no such route."""

import anthropic
import openai
import pytest

from dialects.questions import Tool, ask
from dialects.messages.client import request
from translation import ways  # noqa: F401  (fixtures)

WORDS = ("The gate at the head of a canal decides what flows in, and how fast. " * 20).strip()
TOOL = Tool("weather", {"type": "object", "properties": {"city": {"type": "string"}}}, "Tells the weather of a city.")


@pytest.mark.parametrize("upstream", ["chat", "responses"])
def test_prompt_is_estimated_and_marked_as_such(ways, upstream):  # noqa: F811
    way = ways["messages", upstream]  # noqa: F811
    way.upstream.will()

    def count(question):
        members = request(question)
        del members["max_tokens"]
        raw = way.client.sdk.messages.with_raw_response.count_tokens(model=way.model, **members)
        assert raw.headers["x-headgate-estimated"] == "true"
        return raw.parse().input_tokens

    plain = count(ask(WORDS))
    # For most tokenizers each word and punctuation mark is one token, which makes 17 per sentence.
    assert 340 * 0.85 < plain < 340 * 1.15
    assert count(ask(WORDS, system="Be brief.")) > plain
    assert count(ask(WORDS, tools=(TOOL,))) > plain + 10
    assert way.upstream.received == []


@pytest.mark.parametrize("upstream", ["chat", "messages"])
def test_input_of_a_response_is_estimated_and_no_upstream_compacts_it(ways, upstream):  # noqa: F811
    way = ways["responses", upstream]
    way.upstream.will()
    responses = way.client.sdk.responses
    raw = responses.input_tokens.with_raw_response.count(model=way.model, input=WORDS)
    assert raw.headers["x-headgate-estimated"] == "true"
    assert 340 * 0.85 < raw.parse().input_tokens < 340 * 1.15
    with pytest.raises(openai.BadRequestError) as refused:
        responses.compact(model=way.model, input=WORDS)
    assert refused.value.code == "compaction_not_supported"
    assert way.upstream.received == []


def test_unknown_model_has_no_count(ways):  # noqa: F811
    way = ways["messages", "chat"]
    with pytest.raises(anthropic.NotFoundError):
        way.client.sdk.messages.count_tokens(model="no-such-model", messages=[{"role": "user", "content": "Hello"}])
