"""One gateway in front of a strict provider of each dialect, and the six ways on which it must translate."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from dialects.clients import CLIENTS
from dialects.questions import Question, Reply
from dialects.readings import turns, wishes
from dialects.upstream import DIALECTS, StrictUpstream
from gateways import KEY, KEYS, Gateways, short_folder

# Each provider's model has one name for clients and another one upstream, which the gateway does not know.
UPSTREAM_MODEL = "upstream-model"
# A Messages model that takes an effort instead of a budget of thinking tokens.
ADAPTIVE_MODEL = "claude-sonnet-4-6"
_KINDS = {
    "chat": "kind: openai, speaks: [chat]", "messages": "kind: anthropic",
    "responses": "kind: openai, speaks: [responses]"}
WAYS = [(client, upstream) for client in DIALECTS for upstream in DIALECTS if client != upstream]


@dataclass(frozen=True)
class Way:
    """The way from the SDK of one dialect through the gateway to the provider of another."""

    client: object
    upstream: StrictUpstream

    @property
    def model(self) -> str:
        return f"{self.upstream.dialect}-model"

    def ask(self, question: Question, *answers, stream: bool = False, model: str | None = None) -> Reply:
        """Plans the provider's responses, if any, and sends the request."""
        if answers:
            self.upstream.will(*answers)
        return self.client.ask(model or self.model, question, stream)

    @property
    def turns(self) -> list:
        """The turns of the provider's last request."""
        return turns(self.upstream.dialect, self.upstream.asked)

    @property
    def wishes(self) -> dict:
        return wishes(self.upstream.dialect, self.upstream.asked)


@pytest.fixture(scope="module")
def ways():
    """Starts the providers and a gateway; yields the ways by the dialects of client and upstream."""
    upstreams = {dialect: StrictUpstream(dialect) for dialect in DIALECTS}
    with short_folder() as folder:
        gateways = Gateways(Path(folder))
        clients = {}
        try:
            gateway = gateways.start(_configuration(upstreams))
            clients = {dialect: kind(gateway.urls[0], KEY) for dialect, kind in CLIENTS.items()}
            yield {(client, upstream): Way(clients[client], upstreams[upstream]) for client, upstream in WAYS}
        finally:
            for client in clients.values():
                client.close()
            gateways.end()
            for upstream in upstreams.values():
                upstream.close()


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]} to {way[1]}")
def way(request, ways) -> Way:
    return ways[request.param]


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request) -> bool:
    return request.param


def _configuration(upstreams: dict) -> str:
    """Returns a model at each provider, and one for each pair that falls back from the first provider to the second."""
    lines, models = [], []
    for name, upstream in upstreams.items():
        shared = f'{_KINDS[name]}, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"'
        # The breaker of this upstream never opens, however often it fails in these tests.
        lines.append(f"  {name}: {{{shared}}}\n  {name}-again: {{{shared}, breaker: {{failures: 1000}}}}\n")
        models.append(f"  {name}-model: {{upstream: {name}, model: {UPSTREAM_MODEL}}}\n")
    models.append(f"  {ADAPTIVE_MODEL}: {{upstream: messages}}\n")
    for pair in WAYS:
        targets = ", ".join(f"{{upstream: {name}-again, model: {UPSTREAM_MODEL}}}" for name in pair)
        models.append(f"  {'-then-'.join(pair)}: {{targets: [{targets}], retry: {{budget: 100%}}}}\n")
    return f"listen: 127.0.0.1:0\nupstreams:\n{''.join(lines)}models:\n{''.join(models)}{KEYS}"
