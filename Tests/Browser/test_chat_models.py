"""Models of every upstream work in the chat, including discovered ones."""

import pytest
from playwright.sync_api import expect

from chat import Chat, open_settings
from conftest import serve_configuration


@pytest.fixture(scope="session")
def claude_gateway(tmp_path_factory, talking_server):
    """Starts a gateway with only an Anthropic upstream, and without configured models."""
    configuration = (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{anthropic: {{kind: anthropic, base_url: "http://{talking_server.address}"}}}}\n'
    )
    yield from serve_configuration(tmp_path_factory.mktemp("claude"), configuration)


@pytest.fixture
def claude(claude_gateway, talking, visit):
    """Opens the chat of that gateway, whose upstream lists its models."""
    talking.models = ["claude-new", "claude-old"]
    page = Chat(visit, claude_gateway.origin)
    page.open()
    yield page
    page.check()


def test_a_model_of_anthropic_answers(claude, talking):
    picker = claude.page.get_by_role("combobox", name="Model")
    expect(picker).to_have_value("claude-new")
    picker.click()
    expect(claude.page.get_by_role("option").locator(".model-name")).to_have_text(["claude-new", "claude-old"])
    picker.press("Escape")
    open_settings(claude.page)
    claude.page.get_by_label("System prompt").fill("Be brief.")
    claude.send("Hello")
    talk = talking.next()
    assert talk.path == "/v1/messages" and talk.request["system"] == "Be brief."
    assert talk.said == [("user", "Hello")] and talk.request["max_tokens"] > 0
    talk.message_start()
    thought = {"type": "thinking_delta", "thinking": "Hm."}
    talk.message_event("content_block_delta", index=0, delta=thought)
    talk.message_text("Good ", "morning.")
    expect(claude.text).to_have_text("Good morning.")
    talk.message_finish()
    expect(claude.last.locator(".figures")).to_contain_text("7 tokens")
    expect(claude.last.locator(".reasoning")).to_have_count(1)
    expect(claude.last.get_by_role("alert")).to_have_count(0)
    claude.send("And now?")
    again = talking.next()
    assert again.said == [("user", "Hello"), ("assistant", "Good morning."), ("user", "And now?")]
    again.message_start()
    again.message_text("Half")
    expect(claude.text).to_have_text("Half")
    again.message_finish(reason="max_tokens")
    expect(claude.last.locator(".cut")).to_contain_text("limit of tokens")


def test_a_truncated_anthropic_reply_is_incomplete(claude, talking):
    claude.send("Hello")
    talk = talking.next()
    talk.message_start()
    talk.message_text("Half of")
    expect(claude.text).to_have_text("Half of")
    talk.cut()
    expect(claude.last.get_by_role("alert")).to_be_visible()
    expect(claude.text).to_have_text("Half of")
    claude.last.get_by_role("button", name="Try again").click()
    talk = talking.next()
    talk.message_start()
    talk.message_text("Again")
    expect(claude.text).to_have_text("Again")
    talk.message_event("error", error={"type": "overloaded_error", "message": "Too many people ask."})
    talk.cut()
    expect(claude.last.get_by_role("alert")).to_contain_text("Too many people ask.")


def test_an_openai_end_marker_does_not_end_an_anthropic_reply(claude, talking):
    claude.send("Hello")
    talk = talking.next()
    talk.message_start()
    talk.message_text("Half of")
    # The text is visible, so the stream has begun; a stream that breaks earlier would be a 502.
    expect(claude.text).to_have_text("Half of")
    talk.mark()
    talk.cut()
    expect(claude.last.get_by_role("alert")).to_contain_text("broke")
    expect(claude.text).to_have_text("Half of")


def test_models_that_an_upstream_lists_can_be_chosen(tmp_path, talking, visit):
    talking.models = ["text-embedding-x", "gpt-x", "gpt-y"]
    configuration = (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{openai: {{kind: openai, base_url: "http://{talking.address}/v1"}}}}\n'
    )
    for gateway in serve_configuration(tmp_path, configuration):
        chat = Chat(visit, gateway.origin)
        chat.open()
        picker = chat.page.get_by_role("combobox", name="Model")
        expect(picker).to_have_value("gpt-x")
        chat.choose("gpt-y")
        chat.ask(talking, "Hello", "Hi.")
        chat.check()
