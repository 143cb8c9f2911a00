"""Actions on a message: copy, edit, regenerate, continue. Every version is retained."""

import json

from playwright.sync_api import expect

from browsers import chromium_only
from test_chat import take_in


def texts(page):
    return page.locator("#messages > li .text")


def act(chat, index: int, name: str):
    chat.page.locator("#messages > li").nth(index).get_by_role("button", name=name, exact=True).click()


@chromium_only
def test_a_message_is_copied_as_it_was_written(chat, talking):
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat.ask(talking, "Show me.", "**A** gate.")
    for index, text in enumerate(["Show me.", "**A** gate."]):
        chat.page.locator("#messages > li").nth(index).locator(".actions").get_by_role("button", name="Copy").click()
        expect(chat.page.locator("#messages > li").nth(index).get_by_role("button", name="Copied")).to_be_visible()
        assert chat.page.evaluate("navigator.clipboard.readText()") == text


def test_a_changed_question_starts_a_branch(chat, talking):
    chat.ask(talking, "What is a gate?", "A door.")
    chat.ask(talking, "And a weir?", "A dam.")
    act(chat, 0, "Edit")
    expect(chat.prompt).to_have_value("What is a gate?")
    expect(chat.page.get_by_text("You change a message")).to_be_visible()
    chat.send("What is a headgate?")
    talk = talking.next()
    assert talk.said == [("user", "What is a headgate?")]
    talk.answer("A gate of a canal.")
    new, old = ["What is a headgate?", "A gate of a canal."], ["What is a gate?", "A door.", "And a weir?", "A dam."]
    expect(texts(chat.page)).to_have_text(new)
    expect(chat.page.get_by_role("img", name="Version 2 of 2")).to_be_visible()
    act(chat, 0, "Earlier version")
    expect(texts(chat.page)).to_have_text(old)
    chat.page.reload()
    expect(texts(chat.page)).to_have_text(old)
    # New messages follow the visible branch.
    chat.send("And a lock?")
    talk = talking.next()
    assert [text for _, text in talk.said] == [*old, "And a lock?"]
    talk.answer("A chamber.")
    act(chat, 0, "Later version")
    expect(texts(chat.page)).to_have_text(new)
    expect(chat.page.locator("#messages").get_by_role("button", name="Later version")).to_be_disabled()


def test_editing_can_be_cancelled(chat, talking):
    chat.ask(talking, "What is a gate?", "A door.")
    act(chat, 0, "Edit")
    chat.page.keyboard.press("Escape")
    expect(chat.prompt).to_have_value("")
    expect(chat.page.get_by_text("You change a message")).to_be_hidden()
    chat.send("And a weir?")
    talk = talking.next()
    assert len(talk.said) == 3
    talk.answer("A dam.")
    expect(texts(chat.page)).to_have_count(4)


def test_a_reply_is_regenerated_also_by_another_model(chat, talking):
    chat.ask(talking, "Hello", "One.")
    act(chat, 1, "Regenerate")
    talk = talking.next()
    assert talk.said == [("user", "Hello")] and talk.request["model"] == "talker"
    talk.answer("Two.")
    expect(texts(chat.page)).to_have_text(["Hello", "Two."])
    chat.last.get_by_label("Regenerate with…").select_option("second")
    talk = talking.next()
    assert talk.said == [("user", "Hello")] and talk.request["model"] == "second"
    talk.answer("Three.")
    expect(chat.last.locator(".author")).to_have_text("second")
    expect(chat.page.get_by_role("img", name="Version 3 of 3")).to_be_visible()
    for text in ("Two.", "One."):
        act(chat, 1, "Earlier version")
        expect(texts(chat.page)).to_have_text(["Hello", text])
    expect(chat.page.get_by_role("combobox", name="Model")).to_have_value("talker")


def test_a_truncated_reply_can_be_continued(chat, talking):
    chat.send("Tell a story.")
    talk = talking.next()
    talk.say("Once upon")
    talk.finish(reason="length", completion=2)
    act(chat, 1, "Continue")
    talk = talking.next()
    assert talk.said[:2] == [("user", "Tell a story."), ("assistant", "Once upon")]
    assert len(talk.said) == 3 and talk.said[2][0] == "user"
    talk.say(" a time")
    expect(chat.text).to_have_text("Once upon a time")
    talk.finish(completion=3)
    expect(chat.last.locator(".figures")).to_contain_text("5 tokens")
    expect(chat.last).not_to_contain_text("Cut off")
    expect(chat.last.get_by_role("button", name="Continue")).to_have_count(0)
    chat.send("And then?")
    talk = talking.next()
    assert talk.said[1] == ("assistant", "Once upon a time") and len(talk.said) == 3
    talk.say("They")
    expect(chat.text).to_have_text("They")
    chat.page.get_by_role("button", name="Stop").click()
    assert talk.is_left()
    act(chat, 3, "Continue")
    talk = talking.next()
    assert talk.said[3] == ("assistant", "They")
    talk.answer(" lived.")
    expect(chat.text).to_have_text("They lived.")
    chat.page.reload()
    expect(texts(chat.page)).to_have_text(["Tell a story.", "Once upon a time", "And then?", "They lived."])


@chromium_only
def test_branches_are_in_other_tabs_and_in_files(chat, talking, tmp_path):
    chat.ask(talking, "Hello", "One.")
    act(chat, 1, "Regenerate")
    talking.next().answer("Two.")
    expect(texts(chat.page)).to_have_text(["Hello", "Two."])
    other = chat.page.context.new_page()
    other.goto(chat.origin + "/")
    expect(texts(other)).to_have_text(["Hello", "Two."])
    other.get_by_role("button", name="Earlier version").click()
    for page in (other, chat.page):
        expect(texts(page)).to_have_text(["Hello", "One."])
    other.close()
    with chat.page.expect_download() as download:
        chat.page.get_by_role("button", name="Export").click()
    file = tmp_path / "export.json"
    download.value.save_as(file)
    chat.page.evaluate("localStorage.clear()")
    chat.page.reload()
    chat.page.locator("#import-file").set_input_files(file)
    chat.page.locator("#conversation-list .title").click()
    expect(texts(chat.page)).to_have_text(["Hello", "One."])
    expect(chat.page.get_by_role("img", name="Version 1 of 2")).to_be_visible()
    act(chat, 1, "Later version")
    expect(texts(chat.page)).to_have_text(["Hello", "Two."])


def test_older_conversations_are_one_branch(chat):
    """Opens conversations that a chat without branches stored, including a failed reply that was retried."""
    messages = [
        {"id": "000000000000001-a-0", "revision": 1, "role": "user", "content": "Hello"},
        {"id": "000000000000001-a-1", "revision": 3, "role": "assistant", "content": "", "removed": True},
        {"id": "000000000000002-b-1", "revision": 2, "role": "assistant", "content": "Hi."},
        {"id": "000000000000003-c-0", "revision": 1, "role": "user", "content": "Bye"},
        {"id": "000000000000003-c-1", "revision": 2, "role": "assistant", "content": "So long."},
    ]
    kept = {"id": "1-2-3", "title": "Old", "updated": 5, "changed": 5, "model": "talker", "instructions": "Be brief.",
            "messages": messages}  # fmt: skip
    chat.page.evaluate("([key, value]) => localStorage.setItem(key, value)",
                       ["headgate.conversation.1-2-3", json.dumps(kept)])  # fmt: skip
    chat.page.reload()
    expect(texts(chat.page)).to_have_text(["Hello", "Hi.", "Bye", "So long."])
    expect(chat.page.locator(".versions")).to_have_count(0)
    expect(chat.page.locator("#instructions")).to_have_value("Be brief.")


def test_a_file_with_inconsistent_branches_is_still_read(chat, talking, tmp_path):
    messages = [
        {"id": "1", "parent": "3", "role": "user", "content": "One"},
        {"id": "2", "parent": "2", "role": "assistant", "content": "Two"},
        {"id": "3", "parent": "nobody", "role": "user", "content": "Three"},
    ]
    take_in(chat, tmp_path / "import.json", messages, tip="9", start="8")
    expect(texts(chat.page)).to_have_text(["One", "Two", "Three"])
    chat.send("Four")
    talk = talking.next()
    assert [text for _, text in talk.said] == ["One", "Two", "Three", "Four"]
    talk.answer("Five")
    expect(texts(chat.page)).to_have_count(5)
