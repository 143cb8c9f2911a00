"""The content of requests on /status: prompts, replies as they streamed, the upstream request, curl and replay."""

import json
import shlex

import pytest
from playwright.sync_api import expect

from browsers import chromium_only, serve_modules
from chat import Chat
from conftest import serve_keyed
from test_design import check, violations
from test_status import enter, post

HOSTILE = "<img src=x onerror=alert(1)> \u202egnirts\u202c <script>alert(2)</script>"


@pytest.fixture
def inspecting(tmp_path, talking):
    yield from serve_keyed(tmp_path, talking, "inspect: {}\n")


@pytest.fixture
def status(inspecting, visit):
    page = Chat(visit, inspecting.origin)
    page.expected_problems = ["401", "404", "429"]
    page.page.clock.install()
    page.page.goto(f"{page.origin}/status")
    enter(page.page, inspecting.key)
    expect(page.page.locator("#shown")).to_be_visible()
    yield page
    page.check()


def send(page, key: str, **members):
    page.evaluate(
        """([key, body]) => { fetch("/v1/chat/completions", { method: "POST",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` }, body }); }""",
        [key, json.dumps({"model": "talker", "stream": True, **members})],
    )


def opened(status):
    """Opens the content of the newest chat completion."""
    page = status.page
    page.locator("#recent").get_by_role("button", name="createChatCompletion").first.click()
    expect(page.get_by_role("region", name="Answer")).to_be_visible()
    return page.locator("#inspection")


def test_request_opens_with_prompt_answer_and_attempts(status, inspecting, talking):
    page = status.page
    tool = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": HOSTILE}]
    send(page, inspecting.key, messages=messages, tools=[tool], temperature=0.5)
    talk = talking.next()
    talk.say("Good ", "morning <b>all</b>")
    talk.finish()
    content = opened(status)
    prompt = page.get_by_role("region", name="Prompt")
    expect(prompt.locator("h4")).to_have_text(["system", "user"])
    # Markup, and characters that reorder text, are shown as text.
    expect(prompt.locator("pre").last).to_have_text(HOSTILE.replace("\u202e", "\\u202e").replace("\u202c", "\\u202c"))
    assert content.locator("img, script, b").count() == 0
    expect(page.get_by_role("region", name="Tools").locator("summary")).to_have_text("weather")
    expect(page.get_by_role("region", name="Parameters")).to_contain_text("temperature0.5")
    answer = page.get_by_role("region", name="Answer")
    expect(answer.get_by_role("group", name="Answer")).to_have_text("Good morning <b>all</b>")
    answer.get_by_text("As it was sent").click()
    expect(answer.get_by_role("group", name="As it was sent")).to_contain_text("[DONE]")
    upstream = page.get_by_role("region", name="Sent upstream")
    upstream.locator("summary").click()
    expect(upstream.get_by_role("group", name="Headers")).to_contain_text("user-agent: headgate")
    expect(upstream.get_by_role("group", name="Body")).to_contain_text('"include_usage": true')
    assert inspecting.key not in page.content()
    check(page, "inspected")
    # Escape closes the view, and none of the content remains in the page.
    page.keyboard.press("Escape")
    expect(page.locator("#request")).to_be_hidden()
    assert "Be brief." not in page.content()


@chromium_only
def test_curl_has_a_placeholder_for_the_key(status, inspecting, talking):
    page = status.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    messages = [{"role": "user", "content": "It's $(date) `date` \u202e"}]
    send(page, inspecting.key, messages=messages)
    talking.next().answer("Hello")
    opened(status)
    page.get_by_role("button", name="Copy as curl").click()
    command = page.evaluate("navigator.clipboard.readText()")
    assert inspecting.key not in command and "\u202e" not in command
    words = shlex.split(command.replace("\\\n", ""))
    assert words[:3] == ["curl", "-N", f"{inspecting.origin}/v1/chat/completions"]
    assert "Authorization: Bearer $HEADGATE_KEY" in words
    assert json.loads(words[-1])["messages"] == messages


def test_request_is_replayed_with_another_model(status, inspecting, talking):
    page = status.page
    send(page, inspecting.key, messages=[{"role": "user", "content": "Hello"}], seed=7)
    talking.next().answer("From the first.")
    opened(status)
    page.get_by_label("Model of the replay").select_option("second")
    page.get_by_role("button", name="Replay").click()
    talk = talking.next()
    assert talk.request["model"] == "second" and talk.request["seed"] == 7
    talk.say("From ", "the second.")
    talk.finish()
    expect(page.get_by_role("group", name="Replay")).to_have_text("From the second.")
    page.get_by_role("button", name="Replay").click()
    talking.next().fail(429, "Slow down.")
    expect(page.get_by_role("alert").filter(has_text="Slow down.")).to_be_visible()


def test_long_content_is_cut_and_still_readable(status, inspecting, talking):
    page = status.page
    messages = [{"role": "user", "content": content} for content in ("First.", "x" * 1_000_000)]
    send(page, inspecting.key, messages=messages)
    talk = talking.next()
    for _ in range(10):
        talk.say("y" * 100_000)
    talk.finish()
    opened(status)
    prompt = page.get_by_role("region", name="Prompt")
    expect(prompt).to_contain_text("Only the beginning of 1,000,")
    assert prompt.locator("pre").first.text_content() == "First."
    assert len(prompt.locator("pre").last.text_content()) > 50_000
    expect(page.get_by_role("region", name="Answer")).to_contain_text("Only the beginning of 1,00")
    # The content is incomplete, so the request could not be sent again unchanged.
    expect(page.get_by_role("button", name="Copy as curl")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


def test_gateway_without_stored_content_shows_none(keyed_gateway, talking, visit):
    page = Chat(visit, keyed_gateway.origin)
    page.expected_problems = ["401"]
    page.page.goto(f"{page.origin}/status")
    enter(page.page, keyed_gateway.key)
    expect(page.page.locator("#shown")).to_be_visible()
    post(page.page, keyed_gateway.key, stream=False)
    talking.next().cut()
    page.page.locator("#recent").get_by_role("button", name="createChatCompletion").first.click()
    expect(page.page.locator("#request")).to_be_visible()
    expect(page.page.locator("#inspection")).to_be_hidden()
    assert not any("/admin/requests" in url for url in page.visit.requests)


REQUESTS = {
    "messages": ({"system": [{"type": "text", "text": "S"}], "max_tokens": 9, "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Q"}, {"type": "image", "source": {"data": "A" * 3000}}]}]},
        ["system: S", "user: Q\n{"], ["max_tokens"]),
    "responses": ({"instructions": "I", "input": [
        {"role": "user", "content": [{"type": "input_text", "text": "Q"}]},
        {"type": "function_call", "name": "f", "arguments": "{}"}], "store": False},
        ["system: I", "user: Q", "function_call: {"], ["store"]),
    "text": ({"model": "m", "input": "Q"}, ["user: Q"], ["model"]),
    "completion": ({"prompt": "Q", "n": 2}, ["user: Q"], ["n"]),
    "hostile": ({"messages": "no list", "tools": 7, "input": None}, [], []),
}  # fmt: skip
ANSWERS = [
    ('data: {"choices":[{"delta":{"content":"Hel"}}]}\n\nda|ta: {"choices":[{"delta":{"content":"lo"}}]}\n\n', "Hello"),
    ('event: a\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Hello"}}\n\n', "Hello"),
    ('data: {"type":"response.output_text.delta","delta":"Hello"}\n\n'
     'data: {"type":"response.completed","response":{"output":[]}}\n\n', "Hello"),
    ('{"message":{"role":"assistant","content":"Hel"}}\n|{"message":{"role":"assistant","content":"lo"}}\n', "Hello"),
    ('{"choices":[{"message":{"content":|"Hello"}}]}', "Hello"),
    ('{"type":"message","role":"assistant","content":[{"type":"text","text":"Hello"}]}', "Hello"),
    ('{"output":[{"type":"message","content":[{"type":"output_text","text":"Hello"}]}]}', "Hello"),
    ('{"error":{"message":"no"}}', '{\n  "message": "no"\n}'),
    ('data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}}]}\n\n', "\nf {}"),
    ("data: not JSON\n\ndata: [1]\n\ndata: null\n\n", ""),
]  # fmt: skip
CUT = '{"messages":[{"role":"user","content":"a\\"b \\u00e4"},{"role":"user","content":"last"}],"tools":[1,2],"n":12}'


def test_every_api_is_read(status):
    serve_modules(status.page)
    read = "async (request) => (await import('/modules/inspected-text.js')).promptOf(request)"
    for name, (request, messages, parameters) in REQUESTS.items():
        found = status.page.evaluate(read, request)
        texts = [f"{each['role']}: {each['text']}" for each in found["messages"]]
        assert all(text.startswith(start) for text, start in zip(texts, messages, strict=True)), (name, texts)
        assert [key for key, _ in found["parameters"]] == parameters, name
        assert max(map(len, texts), default=0) < 1000
    answer = """async (pieces) => (await import('/modules/inspected-text.js'))
      .answerOf(pieces.map((text, at_ms) => ({ at_ms, text }))).map(({ text }) => text).join("")"""
    for text, said in ANSWERS:
        assert status.page.evaluate(answer, text.split("|")) == said, text


def test_documents_cut_anywhere_are_read(status):
    serve_modules(status.page)
    found = status.page.evaluate(
        """async (text) => {
          const { parsed } = await import("/modules/inspected-text.js");
          return [...text].map((_, end) => parsed({ text: text.slice(0, end + 1), cut: true }));
        }""", CUT)  # fmt: skip
    assert all(isinstance(each, dict) for each in found)
    whole = json.loads(CUT)
    for end, each in enumerate(found):
        for message, full in zip(each.get("messages", []), whole["messages"]):
            assert full["content"].startswith(message.get("content", "")), CUT[: end + 1]
    assert found[-1] == whole
