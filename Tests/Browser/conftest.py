"""Gateways in front of scripted upstreams, and one of Debian's browsers, headless."""

import hashlib
import json
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import expect

import browsers
from chat import Chat
from child import Child
from talking import PATIENCE_SECONDS, TalkingUpstream

REPOSITORY = Path(__file__).resolve().parents[2]
# HEADGATE_BINARIES points the tests at another build, such as the release.
BINARIES = Path(os.environ.get("HEADGATE_BINARIES", REPOSITORY / ".build" / "debug"))
ASSETS = REPOSITORY / ".build" / "assets" / "swagger-ui"
ANSWER = "Good morning from the scripted upstream."

# Long enough for a busy machine; only a page that hangs takes longer.
expect.set_options(timeout=PATIENCE_SECONDS * 1000)

# The user's own proxies must not affect the tests.
for name in list(os.environ):
    if name.lower().endswith("_proxy"):
        del os.environ[name]


@dataclass(frozen=True)
class Gateway:
    origin: str
    key: str = field(repr=False)
    # Key of a caller without access to the status.
    narrow_key: str = field(default="", repr=False)


def start(command, folder: Path, log: str, **variables) -> Child:
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HEADGATE_LEDGER": "memory",
        **variables}
    assert command[0].is_file(), f"{command[0]} is missing: run `swift build` first"
    return Child(command, folder / log, surroundings)


@pytest.fixture(scope="session")
def upstream(tmp_path_factory):
    """Runs an upstream with a single response; yields its `host:port`."""
    folder = tmp_path_factory.mktemp("upstream")
    choice = {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
    answer = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "smollm2"}
    response = {
        "status": 200,
        "headers": {"Content-Type": "application/json"},
        "body": json.dumps({**answer, "choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 7}}),
    }
    expect = {"method": "POST", "path": "/v1/chat/completions", "headers": {"authorization": "Bearer real-key"}}
    script = folder / "script.json"
    script.write_text(json.dumps({"exchanges": [{"expect": expect, "response": response}], "repeat": True}))
    command = [BINARIES / "headgate-upstream", "--listen", "127.0.0.1:0", "--script", script]
    child = start(command, folder, "errors.log")
    try:
        yield child.wait_for_line(r"listening on (127\.0\.0\.1:\d+)")[1]
    finally:
        child.stop()


@pytest.fixture(scope="session")
def gateway(tmp_path_factory, upstream, request):
    """Starts a gateway with the pages of /docs, or with an empty assets folder if the test's parameter says so."""
    folder = tmp_path_factory.mktemp("docs")
    key = "hg-" + secrets.token_hex(16)
    digest = hashlib.sha256(key.encode()).hexdigest()
    text = (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{scripted: {{kind: openai, base_url: "http://{upstream}/v1", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        "models: {smollm2: {upstream: scripted}}\n"
        f'keys: [{{name: browser, sha256: "{digest}"}}]\n'
    )
    assets = folder if getattr(request, "param", None) == "without assets" else ASSETS
    yield from serve_configuration(folder, text, key, assets=assets, UPSTREAM_KEY="real-key")


@pytest.fixture(scope="session")
def talking_server():
    upstream = TalkingUpstream()
    try:
        yield upstream
    finally:
        upstream.close()


@pytest.fixture
def talking(talking_server):
    """Returns the upstream that the test controls, without requests of earlier tests."""
    while not talking_server.is_quiet:
        talking_server.next().cut()
    talking_server.models = []
    return talking_server


@pytest.fixture(scope="session")
def open_gateway(tmp_path_factory, talking_server):
    """Starts a keyless gateway in front of the upstream that the test controls."""
    yield from serve(tmp_path_factory.mktemp("open"), talking_server, "", "")


@pytest.fixture(scope="session")
def keyed_gateway(tmp_path_factory, talking_server):
    """Starts a gateway with a key that can see the status, and a key that cannot."""
    yield from serve_keyed(tmp_path_factory.mktemp("keyed"), talking_server)


@pytest.fixture
def fresh_gateway(tmp_path, talking):
    """Starts a gateway with two keys for a single test, without earlier requests."""
    yield from serve_keyed(tmp_path, talking)


def serve_keyed(folder: Path, upstream: TalkingUpstream, settings: str = ""):
    key, narrow = ("hg-" + secrets.token_hex(16) for _ in range(2))
    digest, narrow_digest = (hashlib.sha256(text.encode()).hexdigest() for text in (key, narrow))
    keys = (
        f'keys: [{{name: owner, sha256: "{digest}", admin: true}}, '
        f'{{name: guest, sha256: "{narrow_digest}"}}]\n'
    )
    yield from serve(folder, upstream, keys + settings, key, narrow)


def serve(folder: Path, upstream: TalkingUpstream, keys: str, key: str, narrow: str = "", assets: Path = ASSETS):
    text = (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{talker: {{kind: openai, base_url: "http://{upstream.address}/v1"}}}}\n'
        f"models: {{talker: {{upstream: talker}}, second: {{upstream: talker}}}}\n{keys}"
    )
    yield from serve_configuration(folder, text, key, narrow, assets)


def serve_configuration(folder: Path, text: str, key: str = "", narrow: str = "", assets: Path = ASSETS, **variables):
    configuration = folder / "headgate.yaml"
    configuration.write_text(text)
    command = [BINARIES / "headgate", "serve", "--config", configuration]
    child = start(command, folder, "errors.log", HEADGATE_ASSETS=str(assets), **variables)
    try:
        yield Gateway(child.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1], key, narrow)
    finally:
        code = child.stop()
    assert code == 0, f"the gateway ended with {code} after SIGTERM; it wrote:\n{child.output()}"


@pytest.fixture
def chat(open_gateway, talking, visit):
    """Opens the chat page. At the end of the test, checks for foreign requests and problems."""
    page = Chat(visit, open_gateway.origin)
    page.open()
    yield page
    page.check()


class Screenshot:
    """Writes pictures for the documentation, if HEADGATE_SCREENSHOT is set."""

    is_wanted = bool(os.environ.get("HEADGATE_SCREENSHOT"))

    def __call__(self, page, name: str):
        if self.is_wanted:
            page.screenshot(path=REPOSITORY / "docs" / "images" / f"{name}.png", animations="disabled")


@pytest.fixture
def screenshot():
    return Screenshot()


@pytest.fixture(scope="session")
def browser():
    """Starts Chromium, or Firefox if HEADGATE_BROWSER=firefox."""
    with browsers.firefox() if browsers.IS_FIREFOX else browsers.chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser):
    """Opens a page in a fresh browser, with its requests and console problems."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    try:
        yield Visit(context.new_page())
    finally:
        context.close()


class Visit:
    def __init__(self, page):
        self.page = page
        self.requests = []
        self.problems = []
        page.context.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text}")
