"""The pages as one product: accessible by axe's rules, in the user's language, and steady while a reply grows."""

import json
import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from browsers import MODULES, chromium_only, serve_modules
from chat import Chat, act_on, open_settings
from test_status import enter, view

WIDTHS = [390, 1024, 1440]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


def violations(page) -> list[str]:
    """Returns the violations found by axe at level AA, with the first node of each kind."""
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("(rules) => axe.run(document, rules)", RULES)["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def check(page, name: str):
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            assert violations(page) == [], f"{name}, {width} px, {scheme}"
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name}, {width} px"


def test_chat_passes_axes_rules(chat, talking):
    chat.expected_problems = ["429"]
    check(chat.page, "empty")
    chat.ask(talking, "Hello", "# Title\n\n`code` [link](https://example.org/)\n\n| a |\n|---|\n| 1 |\n\n```sh\nls\n```")
    chat.send("Again")
    talking.next().fail(429, "Slow down.", retry_after="3")
    expect(chat.last.get_by_role("alert")).to_be_visible()
    check(chat.page, "answers")
    chat.page.get_by_role("combobox", name="Model").click()
    expect(chat.page.get_by_role("listbox")).to_be_visible()
    check(chat.page, "models")
    chat.page.keyboard.press("Escape")
    open_settings(chat.page)
    check(chat.page, "settings")


@pytest.mark.parametrize("name", ["Requests", "Usage", "Keys", "Upstreams"])
def test_status_passes_axes_rules(keyed_gateway, talking, visit, name):
    page = Chat(visit, keyed_gateway.origin)
    page.expected_problems = ["401"]
    page.page.goto(f"{page.origin}/status")
    expect(page.page.get_by_role("heading", name="Enter a key of this gateway")).to_be_visible()
    check(page.page, "key")
    enter(page.page, keyed_gateway.key)
    expect(page.page.locator("#shown")).to_be_visible()
    view(page.page, name)
    check(page.page, name)
    page.check()


def test_one_rail_links_to_every_page(open_gateway, talking, visit):
    page = visit.page
    page.goto(f"{open_gateway.origin}/")
    for name, path in (("Status", "/status"), ("Usage", "/status#usage"), ("Keys", "/status#keys"), ("API docs", "/docs"),
                       ("Chat", "/")):  # fmt: skip
        rail = page.get_by_role("navigation", name="Pages")
        rail.get_by_role("link", name=name).click()
        page.wait_for_url(open_gateway.origin + path)
        expect(rail.locator("[aria-current=page]")).to_have_text(name)


def test_key_entry_names_the_keyless_command(keyed_gateway, talking, visit):
    page = Chat(visit, keyed_gateway.origin)
    page.expected_problems = ["401"]
    page.page.goto(page.origin)
    card = page.page.locator("#key-form")
    expect(card).to_contain_text("headgate open")
    box, main = card.bounding_box(), page.page.get_by_role("main").bounding_box()
    assert abs((box["x"] + box["width"] / 2) - (main["x"] + main["width"] / 2)) < 2
    page.check()


PIECES = ["Here is code:\n\n", "```py", "thon\n", "def gate(flow):\n", "    return flow * 2\n", "```\n\n", "And a table:\n\n",
          "| part | does |\n", "|---|---|\n", "| gate | opens and closes |\n", "| weir | keeps the level of the canal |\n",
          "\n", "And a formula:\n\n", "$$Q = ", "\\frac{a}{b} \\sqrt{2 g H}", "$$\n\n", "That is all. " * 12]  # fmt: skip


@chromium_only
@pytest.mark.parametrize("height", [900, 1800])
def test_nothing_moves_while_a_reply_arrives(chat, talking, height):
    # One height leaves room for the whole reply; the other one makes the page scroll to its end.
    chat.page.set_viewport_size({"width": 1280, "height": height})
    chat.ask(talking, "Hello", "Hi.")
    chat.page.evaluate("""() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: false });
    }""")
    chat.send("Show me all.")
    talk = talking.next()
    # Browsers attribute a shift right after a key press to the user.
    chat.page.wait_for_timeout(600)
    for piece in PIECES:
        talk.say(piece)
        chat.page.wait_for_timeout(80)
    expect(chat.text).to_contain_text("That is all.")
    talk.finish()
    expect(chat.last.locator(".figures")).to_be_visible()
    expect(chat.text.locator("math")).to_have_count(1)
    chat.page.wait_for_timeout(300)
    assert chat.page.evaluate("window.shift") <= 0.02


def test_news_appear_as_a_toast_and_move_nothing(chat, talking):
    chat.ask(talking, "Soon gone", "Yes.")
    chat.page.get_by_role("button", name="New chat").click()
    place = chat.page.locator("#composer-box").bounding_box()
    act_on(chat.page, "Delete", "Soon gone")
    toast = chat.page.get_by_role("alert").filter(has_text="“Soon gone” was deleted.")
    expect(toast.get_by_role("button", name="Undo")).to_be_visible()
    assert chat.page.locator("#composer-box").bounding_box() == place
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).to_have_count(0)


def test_suggestions_are_written_and_not_sent(chat, talking):
    suggestions = chat.page.get_by_role("list", name="Suggestions").get_by_role("button")
    expect(suggestions).to_have_count(4)
    text = suggestions.first.inner_text()
    suggestions.first.click()
    expect(chat.prompt).to_have_value(text)
    expect(chat.prompt).to_be_focused()
    assert talking.is_quiet


MODELS = [
    {"id": "smollm2", "owned_by": "local", "location": "device", "context_length": 4096,
     "pricing": {"prompt": "0", "completion": "0"}},
    {"id": "big/model", "owned_by": "maker", "upstream": "hub", "location": "cloud", "context_length": 400_000,
     "pricing": {"prompt": "0.00000075", "completion": "0.0000045"}},
    {"id": "mine", "owned_by": "box", "location": "local"},
]  # fmt: skip


def test_models_are_chosen_by_their_properties(chat, talking):
    listed = {"object": "list", "data": [{"object": "model", "created": 1, **model} for model in MODELS]}
    chat.page.route("**/v1/models", lambda route: route.fulfill(json=listed))
    chat.page.reload()
    picker = chat.page.get_by_role("combobox", name="Model")
    expect(picker).to_have_value("smollm2")
    picker.click()
    options = chat.page.get_by_role("option")
    expect(options).to_have_text([
        "smollm2tiny demo model, English onlylocal · on this device · 4,096 tokens of context · free",
        "big/modelhub · cloud · 400K tokens of context · $0.75 in, $4.50 out per million", "minebox · local"])  # fmt: skip
    picker.press("ArrowDown")
    expect(chat.page.locator("#model-list .active .model-name")).to_have_text("big/model")
    picker.fill("cloud hub")
    expect(options.locator(".model-name")).to_have_text(["big/model", "cloud hub"])
    picker.press("Enter")
    expect(picker).to_have_value("big/model")
    # Escape restores the selection; an unlisted name can still be chosen.
    picker.fill("mine")
    picker.press("Escape")
    expect(picker).to_have_value("big/model")
    answer = {"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}],
              "usage": {"prompt_tokens": 1000, "completion_tokens": 204}}  # fmt: skip
    stream = {"body": f"data: {json.dumps(answer)}\n\ndata: [DONE]\n\n", "content_type": "text/event-stream"}
    chat.page.route("**/v1/chat/completions", lambda route: route.fulfill(**stream))
    chat.send("Hello")
    # The tooltip shows the cost by the list's price.
    expect(chat.last.locator(".figures")).to_have_accessible_name(re.compile(r"^204 tokens, ≈ \$0\.0017, [\d.]+ s\. 1,000 "))
    expect(chat.last.locator(".tip")).to_be_hidden()
    chat.last.locator(".figures").focus()
    expect(chat.last.locator(".tip")).to_be_visible()
    chat.choose("other")


def test_a_failed_answer_has_one_way_to_try_again(chat, talking):
    chat.expected_problems = ["429"]
    chat.send("Hello")
    talking.next().fail(429, "Slow down.")
    expect(chat.last.get_by_role("button", name="Try again")).to_have_count(1)
    expect(chat.last.get_by_role("button", name="Regenerate", exact=True)).to_have_count(0)


@pytest.fixture
def japanese(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="ja-JP")
    try:
        yield context.new_page()
    finally:
        context.close()


ENGLISH = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.checkVisibility() && !node.parentElement.closest("code, kbd, .model-name")) {
      found.push(node.data.trim());
    }
  }
  for (const node of document.querySelectorAll("[aria-label], [placeholder], [title]")) {
    found.push(node.ariaLabel ?? "", node.placeholder ?? "", node.title ?? "");
  }
  return found.filter((text) => /^[ -~]*[a-z]{3}[ -~]*$/.test(text));
}"""
NAMES = re.compile(r"Headgate|talker|second|openai|keyless|Top-p|\d|hg-|laptop|Server|SQLite")


def test_pages_speak_the_readers_language(open_gateway, talking, japanese):
    page = japanese
    page.goto(open_gateway.origin)
    expect(page.get_by_role("button", name="新しいチャット")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "ja"
    page.get_by_role("button", name="設定", exact=True).click()
    assert [text for text in page.evaluate(ENGLISH) if not NAMES.search(text)] == []
    for name in ("requests", "usage", "keys", "upstreams"):
        page.goto(f"{open_gateway.origin}/status#{name}")
        page.reload()
        expect(page.locator("#shown")).to_be_visible()
        assert [text for text in page.evaluate(ENGLISH) if not NAMES.search(text)] == [], name


def test_every_text_of_the_markup_has_its_translation(chat):
    """Checks that the Japanese table has every text; another language is complete if it has the same entries."""
    table = (MODULES / "words-ja.js").read_text()
    known = {json.loads(f'"{text}"') for text in re.findall(r'^  "((?:[^"\\]|\\.)*)":', table, re.M)}
    used = set()
    for file in MODULES.glob("*.js"):
        used |= {json.loads(f'"{text}"') for text in re.findall(r'\bt\(\s*"((?:[^"\\]|\\.)*)"', file.read_text())}
    assert sorted(used - known - {"{amount}"}) == []
    serve_modules(chat.page)
    spoken = chat.page.evaluate("""async () => {
      const { t } = await import("/modules/words.js");
      return [t("{count} tokens", { count: "{count}" }), t("constructor"), t("{toString}", {})];
    }""")
    assert spoken == ["{count} tokens", "constructor", "{toString}"]
