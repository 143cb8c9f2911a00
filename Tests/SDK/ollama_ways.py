"""Ollama's own Python client, connected to a gateway with a strict provider of each dialect."""

import base64
from dataclasses import dataclass
from pathlib import Path

import ollama
import pytest

from dialects.readings import turns, wishes
from dialects.upstream import DIALECTS, StrictUpstream
from gateways import KEY, KEYS, Gateways, short_folder

UPSTREAM_MODEL = "upstream-model"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
_KINDS = {
    "chat": "kind: openai, speaks: [chat]", "messages": "kind: anthropic",
    "responses": "kind: openai, speaks: [responses]"}


@dataclass(frozen=True)
class Way:
    """The way from Ollama's client through the gateway to the provider of a dialect."""

    client: ollama.Client
    upstream: StrictUpstream
    url: str

    @property
    def model(self) -> str:
        """The model's name as Ollama's apps write it; the gateway's own name for it has no tag."""
        return f"{self.upstream.dialect}-model:latest"

    def chat(self, messages, *answers, stream: bool = False, model: str | None = None, **more):
        """Returns the complete reply, streamed or not; the texts of a stream are joined."""
        if answers:
            self.upstream.will(*answers)
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        answer = self.client.chat(model or self.model, messages, stream=stream, **more)
        return joined(list(answer)) if stream else answer

    @property
    def turns(self) -> list:
        return turns(self.upstream.dialect, self.upstream.asked)

    @property
    def wishes(self) -> dict:
        return wishes(self.upstream.dialect, self.upstream.asked)


def joined(lines: list):
    """Returns the last line of a stream, with the message of all lines."""
    *before, last = lines
    assert last.done and not any(line.done for line in before)
    message = last.message
    message.content = "".join(line.message.content or "" for line in lines)
    message.thinking = "".join(line.message.thinking or "" for line in lines) or None
    message.tool_calls = [call for line in lines for call in line.message.tool_calls or ()] or None
    return last


def configuration(upstreams: dict, listen: str = "127.0.0.1:0", more: bool = True) -> str:
    """Returns a configuration with a model at each upstream; `more` adds a Messages model with an effort."""
    lines, models = [], []
    for name, upstream in upstreams.items():
        lines.append(
            f'  {name}: {{{_KINDS[name]}, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n')
        models.append(f"  {name}-model: {{upstream: {name}, model: {UPSTREAM_MODEL}}}\n")
    if more:
        models.append("  claude-sonnet-4-6: {upstream: messages}\n")
    return f"listen: {listen}\nupstreams:\n{''.join(lines)}models:\n{''.join(models)}{KEYS}"


@pytest.fixture(scope="module")
def ways():
    """Starts the providers and a gateway; yields the ways by the dialect of the upstream."""
    upstreams = {dialect: StrictUpstream(dialect) for dialect in DIALECTS}
    with short_folder() as folder:
        gateways = Gateways(Path(folder))
        try:
            url = gateways.start(configuration(upstreams)).urls[0]
            with ollama.Client(url, headers={"Authorization": f"Bearer {KEY}"}) as client:
                yield {dialect: Way(client, upstream, url) for dialect, upstream in upstreams.items()}
        finally:
            gateways.end()
            for upstream in upstreams.values():
                upstream.close()


@pytest.fixture(params=DIALECTS)
def way(request, ways) -> Way:
    return ways[request.param]


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request) -> bool:
    return request.param
