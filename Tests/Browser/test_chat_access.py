"""Accessibility of the chat: roles and names, contrast, narrow screens, and both themes."""

import re

import pytest
from playwright.sync_api import expect

from browsers import chromium_only
from chat import CONTRAST, Chat


def test_everything_has_a_role_and_a_name(chat, talking):
    chat.ask(talking, "Hello", "Hi.\n\n```sh\nls\n```")
    expect(chat.page.locator("body")).to_match_aria_snapshot("""
      - link "Skip to the message box"
      - navigation "Pages":
        - link "Chat"
        - link "Status"
        - link "Usage"
        - link "Keys"
        - link "API docs"
        - button "Use dark colours"
      - complementary "Conversations":
        - list:
          - listitem:
            - heading "Today"
            - button "Hello"
        - button "Export"
        - button "Import"
      - banner:
        - button "Conversations" [expanded]
        - heading "Headgate" [level=1]
        - button "New chat"
        - button "Settings"
      - main:
        - region "Messages":
          - list:
            - listitem:
              - article "You": Hello
            - listitem:
              - article "Answer of talker":
                - figure:
                  - button "Copy"
                  - group "Code, sh"
        - textbox "Message"
        - button "Attach files"
        - combobox "Model"
        - button "Send"
        - status
    """)
    unnamed = chat.page.evaluate("""() => [...document.querySelectorAll("button, input, select, textarea, a")]
      .filter((node) => node.checkVisibility() && !node.ariaLabel && !node.labels?.length && !node.textContent.trim())
      .map((node) => node.outerHTML)""")
    assert unnamed == []
    assert chat.page.evaluate("document.documentElement.lang") == "en"


def test_replies_are_announced_once_and_not_word_by_word(chat, talking):
    chat.page.evaluate("""() => {
      window.announced = [];
      const announcer = document.getElementById("announcer");
      new MutationObserver(() => window.announced.push(announcer.textContent)).observe(announcer, { childList: true });
    }""")
    chat.send("Hello")
    talk = talking.next()
    for words in ["One", " two", " three"]:
        talk.say(words)
        expect(chat.text).to_contain_text(words)
    talk.finish()
    expect(chat.last.locator(".figures")).to_be_visible()
    assert chat.page.evaluate("window.announced") == ["Answering.", "One two three"]
    assert chat.page.locator("#messages [aria-live], #scroller[aria-live], #scroller[role=log]").count() == 0


@chromium_only
def test_both_themes_have_contrast_and_the_choice_is_stored(chat, talking):
    chat.expected_problems = ["429"]
    chat.ask(talking, "Hello", "# Title\n\n`code` [link](https://example.org/)\n\n> quote\n\n```sh\nls\n```")
    chat.send("Again")
    talking.next().fail(429, "Slow down.", retry_after="3")
    expect(chat.last.get_by_role("alert")).to_be_visible()
    chat.page.get_by_text("Keyboard").click()
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light = chat.page.evaluate(background)
    assert chat.page.evaluate(CONTRAST) == []
    chat.page.emulate_media(color_scheme="dark")
    dark = chat.page.evaluate(background)
    assert dark != light
    assert chat.page.evaluate(CONTRAST) == []
    chat.page.get_by_role("button", name="Use light colours").click()
    assert chat.page.evaluate(background) == light
    chat.page.reload()
    assert chat.page.evaluate(background) == light
    chat.page.get_by_role("button", name="Use dark colours").click()
    chat.page.emulate_media(color_scheme="light")
    assert chat.page.evaluate(background) == dark


def test_the_chat_fits_a_phone(open_gateway, talking, visit):
    visit.page.set_viewport_size({"width": 390, "height": 844})
    chat = Chat(visit, open_gateway.origin)
    chat.open()
    expect(chat.page.locator("#conversations")).to_be_hidden()
    wide = "x" * 300
    chat.ask(talking, wide, f"{wide}\n\n```\n{wide}\n```\n\n| {wide} | {wide} |\n|---|---|\n| 1 | 2 |")
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ["Send", "New chat", "Conversations"]:
        box = chat.page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, name
    chat.page.get_by_role("button", name="Conversations").click()
    expect(chat.page.locator("#conversations")).to_be_visible()
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 390
    chat.page.locator("#conversation-list .title").click()
    expect(chat.page.locator("#conversations")).to_be_hidden()
    chat.check()


@pytest.mark.parametrize("name", ["chat-light", "chat-dark", "chat-phone"])
def test_pictures(open_gateway, talking, visit, screenshot, name):
    """Writes the pictures of the documentation, if HEADGATE_SCREENSHOT is set."""
    if not screenshot.is_wanted:
        pytest.skip("HEADGATE_SCREENSHOT asks for no pictures")
    phone = name == "chat-phone"
    visit.page.set_viewport_size({"width": 390, "height": 844} if phone else {"width": 1200, "height": 760})
    visit.page.emulate_media(color_scheme="dark" if name == "chat-dark" else "light")
    chat = Chat(visit, open_gateway.origin)
    chat.open()
    chat.send("What is a headgate?")
    talk = talking.next()
    pieces = ["A **headgate** is the gate at the head of a canal: ", "it decides *what* flows in, ", "and *how fast*."]
    for words in pieces:
        talk.say(words)
        chat.page.wait_for_timeout(150)
    talk.finish(prompt=12, completion=19)
    expect(chat.last.locator(".figures")).to_be_visible()
    chat.send("Show me how to ask one in Swift.")
    talk = talking.next()
    talk.say("Point your client at the gateway and read the deltas as they come:\n\n```swift\n",
             'let client = HeadgateClient(baseURL: gateway)\n',
             'for try await text in client.chat.stream("Say hello.") {\n',
             '    print(text, terminator: "")\n}\n```\n\n', "The real key stays in the gateway")  # fmt: skip
    expect(chat.text).to_have_text(re.compile("stays in the gateway$"))
    screenshot(chat.page, name)
    talk.finish()
    chat.check()
