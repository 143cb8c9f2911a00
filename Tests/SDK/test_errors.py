"""Failures: each arrives as the SDK's own exception class, with a code to act on."""

import re

import openai
import pytest
from exchanges import DELTAS, MESSAGES


def test_wrong_key_is_an_authentication_error(gateway):
    with gateway.client(key="hg-wrong") as client, pytest.raises(openai.AuthenticationError) as caught:
        client.chat.completions.create(model="chat", messages=MESSAGES)
    assert caught.value.status_code == 401
    assert caught.value.response.headers["www-authenticate"].startswith("Bearer")
    assert caught.value.request_id


def test_unknown_model_is_not_found(client):
    with pytest.raises(openai.NotFoundError) as caught:
        client.chat.completions.create(model="no-such-model", messages=MESSAGES)
    assert caught.value.code == "model_not_found"
    assert "The model 'no-such-model' is not configured here." in caught.value.message
    assert "/v1/models" in caught.value.message


def test_malformed_json_is_refused_with_the_byte_position(client):
    # The two bytes of the umlaut tell a position in bytes from one in characters.
    body = '{"model": "chat", "user": "\u00fc", "messages": [}'.encode()
    with pytest.raises(openai.BadRequestError) as caught:
        client.post(
            "/chat/completions",
            cast_to=object,
            content=body,
            options={"headers": {"Content-Type": "application/json"}},
        )
    position = re.search(r"\bbyte (?:offset |position )?(\d+)\b", caught.value.message)
    assert position, caught.value.message
    assert int(position[1]) == body.index(b"}")


def test_upstream_refusing_the_gateways_key_is_the_gateways_failure(client):
    with pytest.raises(openai.InternalServerError) as caught:
        client.chat.completions.create(model="refused", messages=MESSAGES)
    assert caught.value.status_code == 502
    assert caught.value.code == "upstream_auth"


def test_upstream_rate_limit_keeps_retry_after(client):
    with pytest.raises(openai.RateLimitError) as caught:
        client.chat.completions.create(model="busy", messages=MESSAGES)
    assert caught.value.response.headers["retry-after"] == "7"


def test_stream_cut_midway_raises_after_the_deltas_that_came(client):
    received = []
    with pytest.raises(openai.APIError) as caught:
        for chunk in client.chat.completions.create(model="cut", messages=MESSAGES, stream=True):
            received.append(chunk.choices[0].delta.content)
    assert received == ["", DELTAS[0]]
    # Not a subclass: the failure came as an error event, not as a broken connection.
    assert type(caught.value) is openai.APIError
    assert caught.value.code == "upstream_incomplete"
