"""The chat at /: messages, growing replies, the ends of replies, and the stored conversation."""

import json
import re

from playwright.sync_api import expect

from browsers import chromium_only
from chat import act_on, open_settings


def test_a_reply_grows_as_it_arrives(chat, talking):
    chat.send("Count.")
    talk = talking.next()
    assert talk.request["model"] == "talker" and talk.request["stream"] is True
    assert talk.said == [("user", "Count.")]
    shown = ""
    for word in ["One", ", two", ", three", ", four", ", five", ", six"]:
        talk.say(word)
        shown += word
        expect(chat.text).to_have_text(shown)
        expect(chat.last).to_have_attribute("aria-busy", "true")
        expect(chat.last.locator(".figures")).to_have_count(0)
    talk.finish(prompt=9, completion=12)
    expect(chat.last).to_have_attribute("aria-busy", "false")
    expect(chat.last.locator(".figures")).to_have_text(
        re.compile(r"^12 tokens, [\d.]+ s9 prompt tokens, first after [\d.]+ s, [\d.]+ tokens a second$")
    )
    expect(chat.page.get_by_role("button", name="Send")).to_be_visible()


def test_stopping_keeps_the_partial_reply_and_cancels_the_upstream(chat, talking):
    chat.send("Tell a long story.")
    talk = talking.next()
    talk.say("Once upon ", "a time")
    expect(chat.text).to_have_text("Once upon a time")
    chat.page.get_by_role("button", name="Stop").click()
    assert talk.is_left()
    expect(chat.last).to_contain_text("Stopped.")
    expect(chat.text).to_have_text("Once upon a time")
    chat.send("Go on.")
    again = talking.next()
    assert again.said == [("user", "Tell a long story."), ("assistant", "Once upon a time"), ("user", "Go on.")]
    again.answer("there was a gate.")
    expect(chat.text).to_have_text("there was a gate.")


def test_keys_send_break_lines_and_stop(chat, talking):
    for blank in ["", "   ", "\n"]:
        chat.prompt.fill(blank)
        chat.prompt.press("Enter")
    expect(chat.page.locator("#messages > li")).to_have_count(0)
    chat.prompt.fill("first")
    chat.prompt.press("Shift+Enter")
    chat.prompt.press_sequentially("second")
    chat.prompt.press("Enter")
    talk = talking.next()
    assert talk.said == [("user", "first\nsecond")]
    expect(chat.prompt).to_have_value("")
    talk.say("Yes")
    expect(chat.text).to_have_text("Yes")
    # No other message is sent while a reply grows.
    chat.send("more")
    expect(chat.prompt).to_have_value("more")
    chat.page.keyboard.press("Escape")
    assert talk.is_left()
    expect(chat.last).to_contain_text("Stopped.")
    assert talking.is_quiet
    chat.page.keyboard.press("Alt+i")
    expect(chat.page.get_by_label("System prompt of this chat")).to_be_focused()
    chat.page.keyboard.press("Alt+m")
    expect(chat.page.get_by_role("combobox", name="Model")).to_be_focused()
    chat.page.locator("h1").click()
    chat.page.keyboard.press("/")
    expect(chat.prompt).to_be_focused()
    chat.page.keyboard.press("Alt+n")
    expect(chat.page.locator("#messages > li")).to_have_count(0)


def test_model_and_instructions_go_with_the_request(chat, talking):
    chat.choose("second")
    open_settings(chat.page)
    chat.page.get_by_label("System prompt of this chat").fill("Be brief.")
    chat.send("Hello")
    talk = talking.next()
    assert talk.request["model"] == "second"
    assert talk.said == [("system", "Be brief."), ("user", "Hello")]
    talk.answer("Hi.")
    expect(chat.last.locator(".author")).to_have_text("second")


def test_conversations_are_stored_and_can_be_left_and_deleted(chat, talking):
    chat.ask(talking, "What is a headgate?", "A gate at the head of a canal.")
    chat.page.get_by_role("button", name="New chat").click()
    expect(chat.page.locator("#messages > li")).to_have_count(0)
    chat.ask(talking, "And a weir?", "A low dam.")
    chat.send("And a lock?")
    talk = talking.next()
    talk.say("Half an ans")
    expect(chat.text).to_have_text("Half an ans")
    # A page that is closed in the middle of a reply stores the received text.
    chat.page.reload()
    assert talk.is_left()
    expect(chat.text).to_have_text("Half an ans")
    expect(chat.last).to_contain_text("Stopped.")
    titles = chat.page.locator("#conversation-list .title")
    expect(titles).to_have_text(["And a weir?", "What is a headgate?"])
    titles.last.click()
    expect(chat.text).to_have_text("A gate at the head of a canal.")
    expect(titles.last).to_have_attribute("aria-current", "true")
    act_on(chat.page, "Delete", "What is a headgate?")
    expect(titles).to_have_text(["And a weir?"])
    chat.page.reload()
    expect(titles).to_have_text(["And a weir?"])


def test_choosing_the_open_conversation_changes_nothing_in_it(chat, talking):
    chat.ask(talking, "What is a headgate?", "A gate.")
    open_settings(chat.page)
    chat.page.get_by_label("System prompt").fill("Be brief.")
    chat.page.locator("#conversation-list .title").click()
    expect(chat.page.get_by_label("System prompt")).to_have_value("Be brief.")


def test_a_deleted_conversation_is_not_restored_by_its_reply(chat, talking):
    chat.send("Soon gone")
    talk = talking.next()
    talk.say("Some")
    expect(chat.text).to_have_text("Some")
    act_on(chat.page, "Delete", "Soon gone")
    assert talk.is_left()
    expect(chat.page.locator("#conversation-list > li")).to_have_count(0)
    chat.page.reload()
    expect(chat.page.locator("#conversation-list > li")).to_have_count(0)


def test_reasoning_and_tool_calls_are_folded(chat, talking):
    chat.send("What is the weather?")
    talk = talking.next()
    talk.say(reasoning_content="I should look ")
    talk.say(reasoning_content="it up.")
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "weather", "arguments": ""}}
    talk.say(tool_calls=[call])
    for piece in ['{"city":', '"Oslo"}']:
        talk.say(tool_calls=[{"index": 0, "function": {"arguments": piece}}])
    talk.finish()
    reasoning, tool = chat.last.locator("details.reasoning"), chat.last.locator("details.tool")
    expect(reasoning.get_by_text("I should look it up.")).to_be_hidden()
    reasoning.locator("summary").click()
    expect(reasoning.get_by_text("I should look it up.")).to_be_visible()
    expect(tool.locator("summary")).to_have_text("Tool call: weather")
    tool.locator("summary").click()
    expect(tool.locator("pre")).to_have_text('{"city":"Oslo"}')


def piece(name=None, arguments="", **call):
    return {**call, "function": {**({"name": name} if name else {}), "arguments": arguments}}


# Fragments of calls as different servers send them, and the assembled calls.
TOOL_CALLS = [
    ([piece("f", '{"x":1}'), piece("g", '{"y":2}')], [("f", '{"x":1}'), ("g", '{"y":2}')]),
    ([piece("f", '{"x":1}'), piece("f", '{"x":2}')], [("f", '{"x":1}'), ("f", '{"x":2}')]),
    (
        [piece("f", '{"x"', index=0, id="a"), piece("f", ":1}", index=0, id="a"), piece("g", "{}", index=0, id="b")],
        [("f", '{"x":1}'), ("g", "{}")],
    ),
    ([piece("f", '{"x"', id="a"), piece(None, ":1}"), piece("g", "{}", id="b")], [("f", '{"x":1}'), ("g", "{}")]),
    ([piece("f", '{"x"', index=0), piece("f", ":1}", index=0)], [("f", '{"x":1}')]),
]


def test_tool_calls_are_separated_however_servers_number_them(chat, talking):
    for pieces, calls in TOOL_CALLS:
        chat.send("Call.")
        talk = talking.next()
        for one in pieces:
            talk.say(tool_calls=[one])
        talk.finish(reason="tool_calls")
        expect(chat.last.locator(".figures")).to_be_visible()
        tools = chat.last.locator("details.tool")
        expect(tools.locator("summary")).to_have_text([f"Tool call: {name}" for name, _ in calls])
        assert tools.locator("pre").all_text_contents() == [arguments for _, arguments in calls]


def test_a_truncated_reply_is_marked(chat, talking):
    for reason, words in [("length", "the limit of tokens was reached"), ("content_filter", "a filter of the provider")]:
        chat.send("Hello")
        talk = talking.next()
        talk.say("Once upon a")
        talk.event({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        talk.finish(reason="")
        expect(chat.last).to_contain_text(f"Cut off: {words}")
        chat.page.reload()
        expect(chat.last).to_contain_text(f"Cut off: {words}")


def test_a_refusal_and_content_in_parts_are_shown(chat, talking):
    chat.send("Hello")
    talk = talking.next()
    talk.say(content=[{"type": "text", "text": "I "}, {"type": "text", "text": "would,"}])
    talk.say(refusal="but I can't ")
    talk.say(refusal="<b>help</b> with that.")
    talk.finish()
    expect(chat.text).to_have_text("I would,")
    expect(chat.last.locator(".refusal")).to_have_text("but I can't <b>help</b> with that.")
    expect(chat.last).to_contain_text("The model refused.")
    chat.send("Why?")
    talk = talking.next()
    talk.say(refusal="No.")
    talk.finish()
    expect(chat.last.locator(".refusal")).to_have_text("No.")
    chat.send("Please!")
    talk = talking.next()
    assert talk.said[-2:] == [("assistant", "No."), ("user", "Please!")]
    talk.answer("Well.")
    expect(chat.text).to_have_text("Well.")


def test_the_end_stays_in_view_until_the_reader_scrolls_up(chat, talking):
    scroller = chat.page.locator("#scroller")
    distance = "box => box.scrollHeight - box.clientHeight - box.scrollTop"
    chat.send("Go on and on.")
    talk = talking.next()
    talk.say(*[f"Line {number}\n\n" for number in range(60)])
    expect(chat.text).to_contain_text("Line 59")
    chat.page.wait_for_function(f"({distance})(document.getElementById('scroller')) < 24")
    scroller.hover()
    chat.page.mouse.wheel(0, -600)
    button = chat.page.get_by_role("button", name="Jump to latest")
    expect(button).to_be_visible()
    place = scroller.evaluate("box => box.scrollTop")
    talk.say(*[f"Line {number}\n\n" for number in range(60, 90)])
    expect(chat.text).to_contain_text("Line 89")
    assert scroller.evaluate("box => box.scrollTop") == place
    button.click()
    expect(button).to_be_hidden()
    assert scroller.evaluate(distance) < 24
    talk.finish()


@chromium_only
def test_conversations_travel_as_a_file(chat, talking, tmp_path):
    chat.ask(talking, "Keep this.", "**Kept.**")
    with chat.page.expect_download() as download:
        chat.page.get_by_role("button", name="Export").click()
    file = tmp_path / "export.json"
    download.value.save_as(file)
    content = json.loads(file.read_text())
    assert content["format"] == "headgate-conversations" and len(content["conversations"]) == 1
    chat.page.evaluate("localStorage.clear()")
    chat.page.reload()
    expect(chat.page.locator("#conversation-list > li")).to_have_count(0)
    chat.page.locator("#import-file").set_input_files(file)
    expect(chat.page.get_by_role("alert").filter(has_text="1 conversation imported.")).to_be_visible()
    chat.page.get_by_role("button", name="Keep this.", exact=True).click()
    expect(chat.text.locator("strong")).to_have_text("Kept.")
    expect(chat.last.locator(".figures")).to_contain_text("7 tokens")


@chromium_only
def test_one_conversation_is_saved_as_markdown(chat, talking, tmp_path):
    chat.ask(talking, "Keep *this*?", "**Kept.**\n\n```sh\nls\n```")
    chat.page.get_by_label("Options of Keep *this*?", exact=True).click()
    with chat.page.expect_download() as download:
        chat.page.get_by_role("button", name="Save Keep *this*? as Markdown", exact=True).click()
    assert download.value.suggested_filename == "Keep-this.md"
    file = tmp_path / "chat.md"
    download.value.save_as(file)
    assert file.read_text() == (
        "# Keep *this*?\n\n## You\n\nKeep *this*?\n\n## talker\n\n**Kept.**\n\n```sh\nls\n```\n")


def take_in(chat, file, messages, **members):
    """Imports one conversation, and opens it."""
    conversation = {"title": "From a file", "messages": messages, **members}
    file.write_text(json.dumps({"format": "headgate-conversations", "version": 1, "conversations": [conversation]}))
    titles = chat.page.locator("#conversation-list .title")
    count = titles.count()
    chat.page.locator("#import-file").set_input_files(file)
    expect(titles).to_have_count(count + 1)
    titles.first.click()
    expect(chat.page.locator("#messages > li")).to_have_count(len(messages))


IDS = [("x1", "x2"), ("999999999999998-a-0", "999999999999999-a-1"), ("1", "1e300"), ("", "")]


def test_an_imported_conversation_continues_at_its_end_whatever_its_ids(chat, talking, tmp_path):
    for number, ids in enumerate(IDS):
        # An import skips conversations that exist already.
        said = [("user", f"What is a headgate? ({number})"), ("assistant", "A gate.")]
        messages = [
            {"id": id, "role": role, "content": text, "revision": 1e300}
            for id, (role, text) in zip(ids, said, strict=True)
        ]
        take_in(chat, tmp_path / "import.json", messages)
        whole = list(said)
        for question, answer in [("And a weir?", "A low dam."), ("And a lock?", "A chamber.")]:
            chat.send(question)
            talk = talking.next()
            whole.append(("user", question))
            assert talk.said == whole
            talk.answer(answer)
            whole.append(("assistant", answer))
            expect(chat.last.locator(".figures")).to_be_visible()
        expect(chat.page.locator("#messages > li .text")).to_have_text([text for _, text in whole])


def test_duplicates_of_stored_conversations_are_not_imported(chat, tmp_path):
    def conversation(*texts, **members):
        return {"messages": [{"role": "user", "content": text} for text in texts], **members}

    file = tmp_path / "import.json"
    whole = [conversation("a", "b", "c"), conversation("b"), conversation("a", "c")]
    parts = [conversation("a", "b"), conversation("a"), conversation("a", "b", "c"), conversation()]

    def imports(conversations, words):
        file.write_text(json.dumps({"format": "headgate-conversations", "version": 1, "conversations": conversations}))
        chat.page.locator("#import-file").set_input_files(file)
        expect(chat.page.get_by_role("alert").filter(has_text=words)).to_be_visible()

    imports(whole + parts, "3 conversations imported. 4 conversations were here already.")
    imports([*parts, conversation("c")], "1 conversation imported. 4 conversations were here already.")
    expect(chat.page.locator("#conversation-list .title")).to_have_count(4)


def test_an_imported_reply_is_not_in_progress(chat, talking, tmp_path):
    answer = {"role": "assistant", "content": "A ga", "growing": 1e300, "revision": 1e300,
              "error": {"message": "Broken.", "retryAfter": None}}  # fmt: skip
    take_in(chat, tmp_path / "import.json", [{"role": "user", "content": "What is a headgate?"}, answer])
    for _ in range(2):
        expect(chat.last).to_have_attribute("aria-busy", "false")
        expect(chat.last.get_by_role("alert")).to_contain_text("Broken.")
        chat.page.reload()
    chat.last.get_by_role("button", name="Try again").click()
    talking.next().answer("A gate.")
    expect(chat.page.locator("#messages > li .text")).to_have_text(["What is a headgate?", "A gate."])


def test_instructions_of_an_imported_conversation_can_be_changed(chat, tmp_path):
    messages = [{"role": "user", "content": "Hello"}]
    take_in(chat, tmp_path / "import.json", messages, instructions="Be long.", changed=1e300, updated=1e300)
    open_settings(chat.page)
    chat.page.get_by_label("System prompt").fill("Be brief.")
    chat.page.reload()
    expect(chat.page.locator("#instructions")).to_have_value("Be brief.")


WRONG = {
    "no JSON": "The file is not JSON.",
    "[]": "The file is not an export",
    '{"format":"headgate-conversations","version":1,"conversations":[{"messages":[{"role":"system","content":""}]}]}':
        "the role of message 1",
    '{"format":"headgate-conversations","version":1,"conversations":[{"messages":[]},{"messages":7}]}':
        "messages of the conversation is not a list",
}  # fmt: skip


def test_an_invalid_file_changes_nothing(chat, tmp_path):
    file = tmp_path / "import.json"
    for content, complaint in WRONG.items():
        file.write_text(content)
        chat.page.locator("#import-file").set_input_files(file)
        expect(chat.page.get_by_role("alert").filter(has_text=complaint)).to_be_visible()
        expect(chat.page.locator("#conversation-list > li")).to_have_count(0)
