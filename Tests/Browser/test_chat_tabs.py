"""One conversation in two tabs: neither tab undoes or loses changes of the other one."""

import pytest
from playwright.sync_api import expect

from chat import act_on, open_settings, wait_for_models


@pytest.fixture
def other(chat):
    """Opens a second tab with the latest conversation."""
    pages = []

    def open_tab():
        page = chat.page.context.new_page()
        page.goto(chat.origin + "/")
        wait_for_models(page)
        pages.append(page)
        return page

    yield open_tab
    for page in pages:
        page.close()


def texts(page):
    return page.locator("#messages > li .text")


def send(page, text: str):
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("textbox", name="Message").press("Enter")


def pass_a_second(*tabs):
    """Advances the clocks of the tabs, which store a growing reply at most once a second."""
    for tab in tabs:
        tab.clock.fast_forward(1100)


def test_tabs_that_take_turns_see_each_other(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    expect(texts(page)).to_have_text(["What is a headgate?", "A gate."])
    chat.ask(talking, "And a weir?", "A low dam.")
    expect(texts(page).last).to_have_text("A low dam.")
    send(page, "And a lock?")
    talking.next().answer("A chamber.")
    everything = ["What is a headgate?", "A gate.", "And a weir?", "A low dam.", "And a lock?", "A chamber."]
    expect(texts(page)).to_have_text(everything)
    expect(texts(chat.page)).to_have_text(everything)
    page.close()
    chat.page.reload()
    expect(texts(chat.page)).to_have_text(everything)


def test_an_answer_of_another_tab_is_not_stopped_while_it_grows(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    last = page.locator("#messages > li").last.locator(".bubble")
    chat.send("And a weir?")
    talking.next().answer("A low dam.")
    expect(last.locator(".figures")).to_be_visible()
    chat.send("And a lock?")
    talk = talking.next()
    expect(texts(page)).to_have_count(6)
    expect(last).to_have_attribute("aria-busy", "true")
    expect(last).not_to_contain_text("Stopped")
    talk.say("A cham")
    expect(chat.text).to_have_text("A cham")
    chat.page.goto("about:blank")
    assert talk.is_left()
    expect(last).to_contain_text("Stopped.")
    expect(last).to_have_attribute("aria-busy", "false")
    expect(texts(page).last).to_have_text("A cham")


def test_a_slow_reply_is_not_stopped_for_another_tab(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    last = page.locator("#messages > li").last.locator(".bubble")
    for tab in (page, chat.page):
        tab.clock.install()
    chat.send("And a weir?")
    talk = talking.next()
    expect(texts(page)).to_have_count(4)
    page.evaluate("{ window.kept = 0; addEventListener('storage', () => { window.kept += 1; }); }")
    for count in range(1, 5):
        chat.page.clock.run_for(6000)
        page.wait_for_function("count => window.kept >= count", arg=count)
        page.clock.run_for(6000)
        expect(last).to_have_attribute("aria-busy", "true")
        expect(last).not_to_contain_text("Stopped")
    talk.answer("A low dam.")
    expect(last.locator(".figures")).to_be_visible()


def test_a_reply_whose_tab_is_closed_counts_as_stopped(chat, talking):
    chat.ask(talking, "What is a headgate?", "A gate.")
    chat.page.clock.install()
    chat.page.evaluate(
        "{ const [key, value] = Object.entries(localStorage).find(([key]) => key.startsWith('headgate.conversation.'));"
        " const kept = JSON.parse(value);"
        " Object.assign(kept.messages[1], { stopped: true, growing: Date.now() + 1e12 });"
        " localStorage.setItem(key, JSON.stringify(kept)); }"
    )
    chat.page.reload()
    expect(chat.last).to_have_attribute("aria-busy", "true")
    chat.page.clock.run_for(20_000)
    expect(chat.last).to_have_attribute("aria-busy", "false")
    expect(chat.last).to_contain_text("Stopped.")


def test_simultaneous_replies_are_both_stored(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    for tab in (page, chat.page):
        tab.clock.install()
    chat.send("And a weir?")
    first = talking.next()
    send(page, "And a lock?")
    second = talking.next()
    assert second.said[-1] == ("user", "And a lock?")
    # The loop runs often enough for each tab to overwrite data of the other one.
    page.evaluate("{ window.kept = 0; addEventListener('storage', () => { window.kept += 1; }); }")
    for count in range(1, 5):
        pass_a_second(page, chat.page)
        first.say("A")
        second.say("B")
        page.wait_for_function("count => window.kept >= count", arg=count)
    first.say(" low dam.")
    first.finish()
    expect(chat.page.locator("#messages > li").nth(3).locator(".figures")).to_be_visible()
    second.say(" chamber.")
    second.finish()
    questions = ["What is a headgate?", "And a weir?", "And a lock?"]
    for tab in (page, chat.page):
        expect(texts(tab)).to_have_count(6)
        expect(tab.locator("#messages .bubble.user .text")).to_have_text(questions)
        expect(texts(tab).nth(3)).to_contain_text(" low dam.")
        expect(texts(tab).nth(5)).to_contain_text(" chamber.")
    whole = texts(page).all_text_contents()
    assert texts(chat.page).all_text_contents() == whole
    for tab in (page, chat.page):
        tab.reload()
        expect(texts(tab)).to_have_text(whole)


def test_a_simultaneously_overwritten_change_is_restored(chat, talking, other):
    """Changes one conversation as two processes of a browser can, of which neither has seen the other's write."""
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    old = page.evaluate("Object.entries(localStorage).find(([key]) => key.startsWith('headgate.conversation.'))")
    chat.ask(talking, "And a weir?", "A low dam.")
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", old)
    everything = ["What is a headgate?", "A gate.", "And a weir?", "A low dam."]
    page.wait_for_function("([key]) => localStorage.getItem(key).includes('A low dam.')", arg=old)
    chat.page.reload()
    expect(texts(chat.page)).to_have_text(everything)


def test_instructions_edited_during_a_reply_stay(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    chat.send("And a weir?")
    talk = talking.next()
    talk.say("A low")
    open_settings(page)
    page.get_by_label("System prompt").fill("Be brief.")
    talk.answer(" dam.")
    expect(texts(page).last).to_have_text("A low dam.")
    expect(chat.page.locator("#instructions")).to_have_value("Be brief.")
    page.reload()
    expect(page.locator("#instructions")).to_have_value("Be brief.")


def test_a_retried_failed_reply_does_not_reappear(chat, talking, other):
    chat.expected_problems = ["500"]
    chat.send("Hello")
    talking.next().fail(500, "Oh no.")
    expect(chat.last.get_by_role("alert")).to_be_visible()
    page = other()
    chat.last.get_by_role("button", name="Try again").click()
    talking.next().answer("Hi.")
    for tab in (page, chat.page):
        expect(texts(tab)).to_have_text(["Hello", "Hi."])
        expect(tab.locator("#messages .error")).to_have_count(0)
    chat.ask(talking, "Again", "Hi again.")
    expect(texts(page)).to_have_text(["Hello", "Hi.", "Again", "Hi again."])


def test_a_conversation_deleted_in_another_tab_stays_deleted(chat, talking, other):
    chat.ask(talking, "Soon gone", "Yes.")
    page = other()
    chat.send("Still here?")
    talk = talking.next()
    talk.say("Not for")
    expect(chat.text).to_have_text("Not for")
    expect(texts(page)).to_have_count(4)
    act_on(page, "Delete", "Soon gone")
    assert talk.is_left()
    expect(chat.page.get_by_role("alert").filter(has_text="deleted in another tab")).to_be_visible()
    for tab in (page, chat.page):
        expect(tab.locator("#conversation-list > li")).to_have_count(0)
        expect(texts(tab)).to_have_count(0)
        tab.reload()
        expect(tab.locator("#conversation-list > li")).to_have_count(0)


def test_a_write_before_news_of_a_deletion_is_deleted_too(chat, talking, other):
    chat.ask(talking, "Soon gone", "Yes.")
    # The listener runs before the page's own one, like a reply or a change at the same moment.
    chat.page.add_init_script(
        "addEventListener('storage', ({ key, newValue, oldValue }) => {"
        " if (newValue === null) { localStorage.setItem(key, oldValue); window.hasKept = true; } })"
    )
    chat.page.reload()
    expect(texts(chat.page)).to_have_text(["Soon gone", "Yes."])
    page = other()
    act_on(page, "Delete", "Soon gone")
    expect(chat.page.get_by_role("alert").filter(has_text="deleted in another tab")).to_be_visible()
    assert chat.page.evaluate("window.hasKept")
    for tab in (page, chat.page):
        expect(tab.locator("#conversation-list > li")).to_have_count(0)
        tab.reload()
        expect(tab.locator("#conversation-list > li")).to_have_count(0)


def test_a_tab_reads_only_what_another_has_stored(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    chat.page.get_by_role("button", name="New chat").click()
    page.evaluate(
        "{ window.read = []; window.kept = []; const getItem = Storage.prototype.getItem;"
        " Storage.prototype.getItem = function (key) { window.read.push(key); return getItem.call(this, key); };"
        " addEventListener('storage', ({ key }) => { window.kept.push(key); }); }"
    )
    chat.page.clock.install()
    chat.send("And a weir?")
    talk = talking.next()
    for count in range(1, 4):
        pass_a_second(chat.page)
        talk.say("a")
        page.wait_for_function("count => window.kept.length >= count", arg=count)
    talk.finish()
    titles = page.locator("#conversation-list .title")
    expect(titles).to_have_text(["And a weir?", "What is a headgate?"])
    expect(chat.last.locator(".figures")).to_be_visible()
    read, kept = page.evaluate("[window.read, window.kept]")
    assert len(set(kept)) == 1 and read == kept[: len(read)]
    # The chat opens the version that was stored last.
    titles.first.click()
    expect(texts(page)).to_have_text(["And a weir?", chat.text.text_content()])
    chat.page.evaluate("localStorage.clear()")
    expect(titles).to_have_count(0)


def test_instructions_are_stored_when_the_user_pauses_or_leaves(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    page = other()
    page.evaluate("{ window.kept = 0; addEventListener('storage', () => { window.kept += 1; }); }")
    open_settings(chat.page)
    instructions = chat.page.get_by_label("System prompt of this chat")
    chat.page.clock.install()
    chat.page.clock.pause_at(chat.page.evaluate("Date.now() / 1000 + 1"))
    instructions.press_sequentially("Be brief.")
    chat.page.clock.run_for(1000)
    expect(page.locator("#instructions")).to_have_value("Be brief.")
    assert page.evaluate("window.kept") == 1
    # A clock that is set back undoes nothing, either.
    chat.page.clock.set_system_time(chat.page.evaluate("Date.now() / 1000 - 60"))
    instructions.fill("Be long.")
    chat.page.get_by_role("button", name="New chat").click()
    expect(page.locator("#instructions")).to_have_value("Be long.")
    assert page.evaluate("window.kept") == 2


def test_the_list_keeps_the_focus_while_another_tab_answers(chat, talking, other):
    chat.ask(talking, "What is a headgate?", "A gate.")
    chat.page.get_by_role("button", name="New chat").click()
    chat.ask(talking, "And a weir?", "A low dam.")
    page = other()
    title = page.locator("#conversation-list .title").last
    expect(title).to_have_text("What is a headgate?")
    title.focus()
    page.evaluate(
        "{ window.kept = 0; window.held = document.activeElement;"
        " addEventListener('storage', () => { window.kept += 1; }); }"
    )
    chat.page.clock.install()
    chat.send("And a lock?")
    talk = talking.next()
    for count in range(1, 4):
        pass_a_second(chat.page)
        talk.say("a")
        page.wait_for_function("count => window.kept >= count", arg=count)
    talk.finish()
    assert page.evaluate("window.held.isConnected && document.activeElement === window.held")
    title.press("Enter")
    expect(texts(page)).to_have_text(["What is a headgate?", "A gate."])
