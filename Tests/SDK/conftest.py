"""A scripted upstream and a gateway in front of it, on free ports, shared by all tests."""

import hashlib
import json
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

import openai
import pytest

from child import Child
from exchanges import MODELS, script

REPOSITORY = Path(__file__).resolve().parents[2]
# HEADGATE_BINARIES points the tests at another build, such as the release.
BINARIES = Path(os.environ.get("HEADGATE_BINARIES", REPOSITORY / ".build" / "debug"))

# Options that direct a sanitizer's reports to files (Tests/Sanitizers/run); in a process's log they would be lost.
SANITIZER_OPTIONS = {
    name: os.environ[name] for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ}

# The user's own proxies and accounts must not affect the tests.
for name in list(os.environ):
    if name.lower().endswith("_proxy") or name.startswith("OPENAI_"):
        del os.environ[name]


@dataclass(frozen=True)
class Gateway:
    address: str
    base_url: str
    key: str = field(repr=False)
    upstream_key: str = field(repr=False)
    child: Child = field(repr=False)

    def client(self, kind=openai.OpenAI, key=None):
        return kind(base_url=self.base_url, api_key=key or self.key, max_retries=0, timeout=10)


def binary(name: str) -> Path:
    path = BINARIES / name
    assert path.is_file(), f"{path} is missing: run `swift build` first"
    return path


def environment(home: Path, **more) -> dict:
    """Returns an environment with only the caller's search path and sanitizer options, so that no other setting affects
    a test.

    The search for a configuration is off, because this machine can have one. Tests of that search set
    HEADGATE_CONFIG=None.
    """
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "HEADGATE_LEDGER": "none",
           "HEADGATE_CONFIG": ""}
    merged = {**kept, **SANITIZER_OPTIONS, **own, **more}
    return {name: value for name, value in merged.items() if value is not None}


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
def gateway(tmp_path_factory, upstream, upstream_key):
    folder = tmp_path_factory.mktemp("gateway")
    key = "hg-" + secrets.token_hex(24)
    path = folder / "headgate.yaml"
    path.write_text(configuration(upstream, key))
    # The upstream's key comes from the environment, because configurations should use ${...}.
    surroundings = environment(folder, SDK_TEST_UPSTREAM_KEY=upstream_key)
    child = Child([binary("headgate"), "serve", "--config", path], folder / "errors.log", surroundings)
    try:
        address = child.wait_for_line(r"listening on http://(127\.0\.0\.1:\d+)")[1]
        yield Gateway(address, f"http://{address}/v1", key, upstream_key, child)
    finally:
        code = child.stop()
    assert code == 0, f"the gateway ended with {code} after SIGTERM; it wrote:\n{child.output()}"


@pytest.fixture
def client(gateway):
    with gateway.client() as client:
        yield client


def configuration(upstream: str, key: str) -> str:
    digest = hashlib.sha256(key.encode()).hexdigest()
    models = "".join(f"  {public}: {{upstream: scripted, model: {name}}}\n" for public, name in MODELS.items())
    return (
        "listen: 127.0.0.1:0\n"
        "upstreams:\n"
        f'  scripted: {{kind: openai, base_url: "http://{upstream}/v1", api_key: "${{SDK_TEST_UPSTREAM_KEY}}"}}\n'
        f"models:\n{models}"
        "keys:\n"
        f'  - {{name: sdk, sha256: "{digest}", models: ["*"]}}\n'
    )
