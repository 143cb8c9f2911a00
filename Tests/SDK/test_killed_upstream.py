"""An upstream that is killed under many streams, with and without another upstream for its model."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import failover
from failover import FIRST, Pool, Result
from gateways import KEYS, Gateway, short_folder
from patience import PATIENCE_SECONDS

pytestmark = pytest.mark.serial

STREAMS = 200
# Number of streams with content when the upstream is killed; the others have none.
BEGUN = 20


def configuration(ports: list, targets: int) -> str:
    upstreams = "".join(
        f'  up{index}: {{kind: openai, base_url: "http://127.0.0.1:{port}/v1"}}\n' for index, port in enumerate(ports))
    listed = ", ".join(f"{{upstream: up{index}}}" for index in range(targets))
    return (
        f"listen: 127.0.0.1:0\nupstreams:\n{upstreams}"
        f"models: {{chat: {{targets: [{listed}], retry: {{budget: 100%}}}}}}\n{KEYS}")


async def storm(gateway: Gateway, pool: Pool) -> Result:
    result, begun = Result(), asyncio.Event()
    address, loop = urlsplit(gateway.urls[0]).netloc, asyncio.get_running_loop()
    content = 0

    def has_begun():
        nonlocal content
        content += 1
        if content == BEGUN:
            begun.set()

    tasks = [asyncio.create_task(failover.stream(address, result, has_begun)) for _ in range(STREAMS)]
    await asyncio.wait_for(begun.wait(), PATIENCE_SECONDS)
    await loop.run_in_executor(None, pool.kill, 0)
    # No client hangs.
    await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE_SECONDS)
    return result


@pytest.mark.parametrize("targets", [1, 2])
def test_streams_of_a_killed_upstream_end_well_or_with_an_error(targets):
    with short_folder() as folder, ExitStack() as stack:
        pool = Pool(Path(folder), stack)
        gateway = Gateway(Path(folder), configuration(pool.ports, targets))
        try:
            result = asyncio.run(storm(gateway, pool))
        finally:
            code = gateway.stop()
            assert code == 0, gateway.output()
    refused = [text for text in result.failures if is_refusal(text)]
    print(f"{result.whole} whole, {result.broken} broken after content and told so, {len(refused)} refused")
    assert result.requests == STREAMS and result.whole + result.broken + len(refused) == STREAMS, result.failures[:3]
    assert result.broken > 0
    # With another target, clients without content receive its complete response.
    assert (len(refused) == 0 and result.whole > 0) if targets > 1 else len(refused) > 0


def is_refusal(text: str) -> bool:
    """Returns whether the text is an error of the gateway before any content, in the client's dialect."""
    return text.startswith(("HTTP/1.1 502 ", "HTTP/1.1 503 ")) and '"error":{' in text and FIRST.decode() not in text
