"""Settings of a conversation, and how conversations are found, renamed, deleted and imported."""

import json

from playwright.sync_api import expect

from browsers import chromium_only
from chat import act_on, open_settings


def answer_dialog(chat, text):
    chat.page.remove_listener("dialog", chat._refuse)
    chat.page.once("dialog", lambda dialog: dialog.accept(text))


def test_settings_go_with_the_requests_of_their_conversation(chat, talking):
    open_settings(chat.page)
    chat.page.get_by_label("Temperature").fill("0.3")
    chat.page.get_by_label("Top-p").fill("0.9")
    chat.page.get_by_label("Max tokens").fill("77")
    chat.send("Hello")
    talk = talking.next()
    assert (talk.request["temperature"], talk.request["top_p"], talk.request["max_tokens"]) == (0.3, 0.9, 77)
    talk.answer("Hi.")
    expect(chat.page.locator("#settings-count")).to_have_text(" (3)")
    chat.page.get_by_role("button", name="New chat").click()
    expect(chat.page.locator("#settings-count")).to_have_text("")
    chat.send("Hello")
    talk = talking.next()
    assert not {"temperature", "top_p", "max_tokens"} & set(talk.request)
    talk.answer("Hi.")
    expect(chat.last.locator(".figures")).to_be_visible()
    chat.page.locator("#conversation-list .title").last.click()
    chat.page.reload()
    chat.page.locator("#conversation-list .title").last.click()
    open_settings(chat.page)
    expect(chat.page.get_by_label("Temperature")).to_have_value("0.3")
    expect(chat.page.get_by_label("Max tokens")).to_have_value("77")
    # An invalid number is rejected.
    chat.page.get_by_label("Temperature").clear()
    chat.page.get_by_label("Temperature").press_sequentially("7")
    expect(chat.page.get_by_label("Temperature")).to_have_value("7")
    chat.page.get_by_label("Max tokens").fill("")
    chat.send("Again")
    talk = talking.next()
    assert not {"temperature", "max_tokens"} & set(talk.request) and talk.request["top_p"] == 0.9
    talk.answer("Hi.")


def test_a_refused_limit_name_is_replaced_by_the_other(chat, talking):
    chat.expected_problems = ["400"]
    open_settings(chat.page)
    chat.page.get_by_label("Max tokens").fill("77")
    chat.send("Hello")
    talking.next().fail(400, "Unsupported parameter: use 'max_completion_tokens' instead.")
    talk = talking.next()
    assert talk.request["max_completion_tokens"] == 77 and "max_tokens" not in talk.request
    talk.answer("Hi.")
    expect(chat.text).to_have_text("Hi.")


def test_system_prompts_are_stored_as_presets(chat, talking):
    open_settings(chat.page)
    chat.page.get_by_label("System prompt of this chat").fill("Answer like a pirate.")
    answer_dialog(chat, "Pirate")
    chat.page.get_by_role("button", name="Save as preset…").click()
    preset = chat.page.get_by_label("Preset")
    expect(preset).to_have_value("Pirate")
    chat.page.reload()
    open_settings(chat.page)
    expect(preset).to_have_value("")
    preset.select_option("Pirate")
    expect(chat.page.get_by_label("System prompt of this chat")).to_have_value("Answer like a pirate.")
    chat.send("Hello")
    talk = talking.next()
    assert talk.said[0] == ("system", "Answer like a pirate.")
    talk.answer("Arr.")
    chat.page.get_by_role("button", name="Delete preset").click()
    assert preset.locator("option").all_inner_texts() == ["No presets yet"]


def test_conversations_are_found_by_their_words(chat, talking):
    chat.ask(talking, "What is a headgate?", "A gate at a CANAL.")
    chat.page.get_by_role("button", name="New chat").click()
    chat.ask(talking, "And a weir?", "A low dam.")
    titles = chat.page.locator("#conversation-list .title:visible")
    search = chat.page.get_by_role("searchbox", name="Search conversations")
    for words, found in [("canal", ["What is a headgate?"]), ("LOW weir", ["And a weir?"]), ("what dam", []),
                         ("", ["And a weir?", "What is a headgate?"])]:  # fmt: skip
        search.fill(words)
        expect(titles).to_have_text(found)
        expect(chat.page.get_by_text("No conversation has these words.")).to_have_count(0 if found else 1)


def test_conversations_are_renamed(chat, talking):
    chat.ask(talking, "What is a headgate?", "A gate.")
    other = chat.page.context.new_page()
    other.goto(chat.origin + "/")
    chat.page.bring_to_front()
    act_on(chat.page, "Rename", "What is a headgate?")
    field = chat.page.get_by_role("textbox", name="New title")
    expect(field).to_be_focused()
    field.fill("Never mind")
    field.press("Escape")
    titles = chat.page.locator("#conversation-list .title")
    expect(titles).to_have_text(["What is a headgate?"])
    act_on(chat.page, "Rename", "What is a headgate?")
    field.fill("Gates")
    field.press("Enter")
    expect(titles).to_have_text(["Gates"])
    expect(titles).to_be_focused()
    expect(other.locator("#conversation-list .title")).to_have_text(["Gates"])
    expect(chat.page).to_have_title("Gates (Headgate)")
    chat.page.reload()
    expect(titles).to_have_text(["Gates"])
    other.close()


def test_a_deletion_is_undone(chat, talking):
    chat.ask(talking, "What is a headgate?", "A gate.")
    act_on(chat.page, "Delete", "What is a headgate?")
    titles = chat.page.locator("#conversation-list .title")
    expect(titles).to_have_count(0)
    expect(chat.page.locator("#messages > li")).to_have_count(0)
    chat.page.get_by_role("button", name="Undo").click()
    expect(titles).to_have_text(["What is a headgate?"])
    expect(chat.page.locator("#messages > li .text")).to_have_text(["What is a headgate?", "A gate."])
    chat.page.reload()
    expect(titles).to_have_text(["What is a headgate?"])
    chat.ask(talking, "And a weir?", "A dam.")


@chromium_only
def test_existing_conversations_are_not_imported_again(chat, talking, tmp_path):
    chat.ask(talking, "What is a headgate?", "A gate.")
    with chat.page.expect_download() as download:
        chat.page.get_by_role("button", name="Export").click()
    file = tmp_path / "export.json"
    download.value.save_as(file)
    # The conversation has continued since the export, so the file has nothing new.
    chat.ask(talking, "And a weir?", "A dam.")
    titles = chat.page.locator("#conversation-list .title")
    notice = chat.page.locator("#toast")
    chat.page.locator("#import-file").set_input_files(file)
    expect(notice).to_have_text("0 conversations imported. 1 conversation was here already.")
    expect(titles).to_have_count(1)
    content = json.loads(file.read_text())
    content["conversations"] *= 2
    content["conversations"][1] = json.loads(json.dumps(content["conversations"][1]).replace("A gate.", "A lock."))
    content["conversations"].append(content["conversations"][1])
    file.write_text(json.dumps(content))
    chat.page.locator("#import-file").set_input_files(file)
    expect(notice).to_have_text("1 conversation imported. 2 conversations were here already.")
    expect(titles).to_have_count(2)


def test_the_prompt_has_the_focus_at_first(chat):
    expect(chat.prompt).to_be_focused()
