"""The chat for everybody: roles and names, contrast, narrow screens, both themes."""

import re

import pytest
from playwright.sync_api import expect

from chat import Chat

# What the worst text on the page has: the ratio of WCAG 2.1 between its colour and what is behind it.
CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return rgba("white");
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (text.data.trim() === "" || !node.checkVisibility() || node.closest(":disabled, option, .unseen, .skip")) continue;
    const [one, other] = [rgba(getComputedStyle(node).color), behind(node)].map(luminance);
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${text.data.trim().slice(0, 40)} (${node.className || node.tagName})`);
  }
  return found;
}"""


def test_everything_has_a_role_and_a_name(chat, talking):
    chat.ask(talking, "Hello", "Hi.\n\n```sh\nls\n```")
    expect(chat.page.locator("body")).to_match_aria_snapshot("""
      - link "Skip to the message box"
      - banner:
        - button "Conversations" [expanded]
        - heading "Headgate" [level=1]
        - combobox "Model"
        - button "New chat"
        - navigation "Pages":
          - link "Status"
          - link "Routes"
        - button "Use dark colours"
      - complementary "Conversations":
        - list:
          - listitem:
            - button "Hello"
            - button "Delete Hello"
        - button "Export"
        - button "Import"
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
        - button "Send"
        - status
    """)
    unnamed = chat.page.evaluate("""() => [...document.querySelectorAll("button, input, select, textarea, a")]
      .filter((node) => node.checkVisibility() && !node.ariaLabel && !node.labels?.length && !node.textContent.trim())
      .map((node) => node.outerHTML)""")
    assert unnamed == []
    assert chat.page.evaluate("document.documentElement.lang") == "en"


def test_answers_are_announced_once_and_not_word_by_word(chat, talking):
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


def test_both_themes_have_contrast_and_the_choice_is_kept(chat, talking):
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


def test_a_phone_is_wide_enough(open_gateway, talking, visit):
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
    """Writes the pictures of the documentation when HEADGATE_SCREENSHOT asks for them."""
    phone = name == "chat-phone"
    visit.page.set_viewport_size({"width": 390, "height": 844} if phone else {"width": 1200, "height": 760})
    visit.page.emulate_media(color_scheme="dark" if name == "chat-dark" else "light")
    chat = Chat(visit, open_gateway.origin)
    chat.open()
    chat.ask(talking, "What is a headgate?", "A **headgate** is the gate at the head of a canal: it decides *what* flows in, and *how fast*.")
    chat.send("Show me how to ask one in Swift.")
    talk = talking.next()
    talk.say("Point your client at the gateway and read the deltas as they come:\n\n```swift\n",
             'let client = HeadgateClient(baseURL: gateway)\nfor try await text in client.chat.stream("Say hello.") {\n',
             '    print(text, terminator: "")\n}\n```\n\n', "The real key stays in the gateway")  # fmt: skip
    expect(chat.text).to_have_text(re.compile("stays in the gateway$"))
    screenshot(chat.page, name)
    talk.finish()
    chat.check()
