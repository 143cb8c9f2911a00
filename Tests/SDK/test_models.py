"""The model list as the SDK reads it."""

import openai
import pytest
from exchanges import MODELS


def test_list_names_every_public_model(client):
    assert sorted(model.id for model in client.models.list()) == sorted(MODELS)


def test_retrieve_gives_one_model(client):
    model = client.models.retrieve("chat")
    assert (model.id, model.object) == ("chat", "model")


def test_retrieve_of_an_unknown_model_is_not_found(client):
    with pytest.raises(openai.NotFoundError) as caught:
        client.models.retrieve("no-such-model")
    assert caught.value.code == "model_not_found"
