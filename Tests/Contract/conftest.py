"""A scripted upstream that serves every relay route, and a gateway in front of it that serves both dialects."""

import hashlib
import importlib.util
import json
import os
import secrets
from pathlib import Path

import pytest

from answers import MODELS, script
from child import Child
from conversations import put_back

REPOSITORY = Path(__file__).resolve().parents[2]
DOCUMENT = REPOSITORY / "openapi.yaml"
# The files of the pages at /docs, which a build in another folder would not find.
ASSETS = REPOSITORY / ".build" / "assets" / "swagger-ui"

# The user's own accounts must not affect the tests.
for name in list(os.environ):
    if name.startswith("ANTHROPIC_"):
        del os.environ[name]


def _of_the_sdk_tests():
    """Loads the SDK tests' conftest.py under a separate name. It locates the binaries and cleans the environment."""
    path = REPOSITORY / "Tests" / "SDK" / "conftest.py"
    specification = importlib.util.spec_from_file_location("sdk_conftest", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


_sdk = _of_the_sdk_tests()
binary, environment, Gateway = _sdk.binary, _sdk.environment, _sdk.Gateway


@pytest.fixture(scope="session")
def upstream_key() -> str:
    return "real-" + secrets.token_hex(24)


@pytest.fixture(scope="session")
def upstream(tmp_path_factory, upstream_key):
    """Runs the scripted upstream; yields its `host:port`."""
    folder = tmp_path_factory.mktemp("upstream")
    path = folder / "script.json"
    path.write_text(json.dumps(script(upstream_key)))
    command = [binary("headgate-upstream"), "--listen", "127.0.0.1:0", "--script", path]
    child = Child(command, folder / "errors.log", environment(folder))
    try:
        yield child.wait_for_line(r"listening on (127\.0\.0\.1:\d+)")[1]
    finally:
        child.stop()


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """The file in which the gateway stores responses and conversations."""
    return tmp_path_factory.mktemp("store") / "responses.db"


@pytest.fixture(scope="session")
def gateway(tmp_path_factory, upstream, upstream_key, store):
    folder = tmp_path_factory.mktemp("gateway")
    key = "hg-" + secrets.token_hex(24)
    path = folder / "headgate.yaml"
    path.write_text(configuration(upstream, key) + f"responses: {{store: 1d, file: {store}}}\n")
    surroundings = environment(
        folder, CONTRACT_UPSTREAM_KEY=upstream_key, HEADGATE_ASSETS=str(ASSETS), HEADGATE_LEDGER="memory")
    child = Child([binary("headgate"), "serve", "--config", path], folder / "errors.log", surroundings)
    try:
        address = child.wait_for_line(r"listening on http://(127\.0\.0\.1:\d+)")[1]
        put_back(store)
        yield Gateway(address, f"http://{address}/v1", key, upstream_key, child)
    finally:
        code = child.stop()
    assert code == 0, f"the gateway ended with {code} after SIGTERM; it wrote:\n{child.output()}"


@pytest.fixture(scope="session")
def front(tmp_path_factory):
    """Starts a separate gateway in front of an upstream whose responses the test plans."""
    # The module depends on names that this file sets up.
    from told import Front, ToldUpstream

    upstream = ToldUpstream()
    front = Front(tmp_path_factory.mktemp("front"), upstream)
    try:
        yield front
    finally:
        front.stop()
        upstream.close()


def configuration(upstream: str, key: str) -> str:
    digest = hashlib.sha256(key.encode()).hexdigest()
    models = "".join(f"  {name}: {{upstream: {kind}}}\n" for name, kind in MODELS.items())
    return (
        "listen: 127.0.0.1:0\nmetrics: true\ninspect: {bodies: 4KiB}\n"
        "upstreams:\n"
        f'  openai: {{kind: openai, base_url: "http://{upstream}/v1", api_key: "${{CONTRACT_UPSTREAM_KEY}}"}}\n'
        f'  anthropic: {{kind: anthropic, base_url: "http://{upstream}", api_key: "${{CONTRACT_UPSTREAM_KEY}}"}}\n'
        # No test starts this program.
        '  llama: {kind: openai, base_url: "unix:/nowhere/llama.sock:/v1", command: ["/bin/false"]}\n'
        f"models:\n{models}"
        # Streams of these models can be resumed.
        f'  "kept-*": {{upstream: openai, on_disconnect: detach}}\n'
        "keys:\n"
        f'  - {{name: contract, sha256: "{digest}", models: ["*"], admin: true}}\n'
    )
