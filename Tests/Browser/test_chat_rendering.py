"""Highlighted code and formulas: rendered if the libraries are installed, else shown as written, and never as
markup."""

import pytest
from playwright.sync_api import expect

from browsers import chromium_only
from chat import CONTRAST, Chat
from conftest import ASSETS, serve
from test_chat_safety import MARK, assert_harmless

# Finds elements and attributes that a formula must not have.
STRANGERS = """() => [...document.querySelectorAll("math, math *")].flatMap((node) => [
  ...(node.namespaceURI === "http://www.w3.org/1998/Math/MathML" ? [] : [node.outerHTML]),
  ...[...node.attributes].map(({ name }) => name).filter((name) => /^(on.*|style|href|src|.*background)$/.test(name)),
])"""


def test_code_has_colours_and_stays_the_same_code(chat, talking):
    code = 'let gate = "<open> & \\"wide\\"" // a gate\nfunc flow() -> Int { 42 }'
    chat.ask(talking, "Show me.", f"```swift\n{code}\n```\n\n```nonsense\n{code}\n```\n\n```\n{code}\n```")
    blocks = chat.text.locator("pre code")
    for block in blocks.all():
        assert block.text_content() == code
    expect(blocks.nth(0).locator(".hljs-string")).to_have_text('"<open> & \\"wide\\""')
    expect(blocks.nth(0).locator(".hljs-comment")).to_have_text("// a gate")
    expect(blocks.nth(1).locator("span")).to_have_count(0)
    expect(blocks.nth(2).locator("span")).to_have_count(0)


CODE = {
    "html": f'<script>{MARK}</script><img src=x onerror="{MARK}">',
    "markdown": f"# x\n<b onclick={MARK}>*y*</b> [z](javascript:{MARK})",
    "php": f'<?php echo "<script>{MARK}</script>"; ?><b>x</b>',
    "javascript": f"const x = `</span><script>{MARK}</script>${{'&lt;'}}`;",
    "constructor": "x", "__proto__": "x", "html onload=x": "<x>",
}  # fmt: skip


def test_code_that_would_be_markup_is_text(chat, talking):
    chat.ask(talking, "Attack.", "\n\n".join(f"~~~{language}\n{code}\n~~~" for language, code in CODE.items()))
    assert chat.text.locator("pre code").all_text_contents() == list(CODE.values())
    classes = chat.text.locator("pre span").evaluate_all("nodes => nodes.map((node) => node.className)")
    assert classes and all(name.replace("-", "").replace("_", "").replace(" ", "").isalnum() for name in classes)
    assert_harmless(chat)


def test_formulas_are_rendered(chat, talking):
    chat.ask(
        talking,
        "Euler?",
        "Inline \\(e^{i\\pi}+1=0\\) and $\\frac{a}{b}$, *then*\n\n$$\\int_0^1 x\\,dx = \\tfrac12$$\n\n"
        "\\[\\begin{aligned}a&=b\\\\c&=\\mathbb{R}\\end{aligned}\\]\n\n"
        "It costs $5, not $6. `$x$` \\$y\\$ and ($z_1$).",
    )
    formulas = chat.text.locator("math")
    expect(formulas).to_have_count(5)
    expect(chat.text.locator(".formula math[display=block]")).to_have_count(2)
    expect(formulas.nth(1).locator("mfrac mi")).to_have_text(["a", "b"])
    expect(formulas.nth(3)).to_contain_text("ℝ")
    expect(chat.text.locator("em")).to_have_text("then")
    expect(chat.text.locator("p").last).to_contain_text("It costs $5, not $6. $x$ $y$ and (")
    expect(chat.text.locator("p code")).to_have_text("$x$")
    assert chat.page.evaluate(STRANGERS) == []


FORMULAS = [
    f"\\href{{javascript:{MARK}}}{{x}}", f"\\htmlStyle{{color:red}}{{x}}", f"\\htmlData{{onclick={MARK}}}{{x}}",
    f"\\includegraphics{{https://evil.example/x.png}}", f"\\text{{<img src=x onerror={MARK}>}}", "\\pmb{x}",
    f"\\url{{javascript:{MARK}}}", "\\def\\a{\\a\\a}\\a", "{" * 900 + "x" + "}" * 900, "\\color{red}x\\colorbox{blue}{y}",
    f"\\class{{x}}{{y}}</math><script>{MARK}</script>", "\\rule{1000em}{1000em}", "\\unicode{x}", "^^^", "\\frac{1}",
]  # fmt: skip


def test_formulas_with_markup_are_text(chat, talking):
    chat.ask(talking, "Attack.", "\n\n".join(f"\\({formula}\\) and $${formula}$$" for formula in FORMULAS))
    assert_harmless(chat)
    assert chat.page.evaluate(STRANGERS) == []
    assert chat.text.locator("a").count() == 0
    # Unsupported parts are shown as written.
    expect(chat.text).to_contain_text("\\(\\frac{1}\\)")


def test_unclosed_code_is_code(chat, talking):
    chat.send("Show me.")
    talk = talking.next()
    talk.say("So:\n\n```python")
    expect(chat.text.locator("figure.code")).to_have_count(1)
    talk.say("\nprint(1)")
    expect(chat.text.locator("pre code")).to_have_text("print(1)")
    chat.page.get_by_role("button", name="Stop").click()
    expect(chat.last).to_contain_text("Stopped.")
    expect(chat.text.locator("pre code")).to_have_text("print(1)")


def test_bubble_is_as_wide_with_its_first_word_as_with_its_last(chat, talking):
    chat.send("Hello?")
    talk = talking.next()
    talk.say("Hi")
    expect(chat.text).to_have_text("Hi")
    width = chat.last.bounding_box()["width"]
    talk.say(" there" * 100)
    expect(chat.text).to_contain_text("there there")
    assert chat.last.bounding_box()["width"] == width
    talk.finish()
    expect(chat.last.locator(".figures")).to_be_visible()
    assert chat.last.bounding_box()["width"] == width


def test_an_address_apart_from_its_link_is_found(chat, talking):
    chat.ask(talking, "Where?", "See [it][1].\n\n# More\n\nText.\n\n[1]: https://example.com/it\n")
    expect(chat.text.get_by_role("link", name="it")).to_have_attribute("href", "https://example.com/it")


def test_long_reply_is_rendered_to_its_end(chat, talking):
    items = "".join(f"- item **{number}**\n" for number in range(3000))
    rows = "| a | b |\n|---|---|\n" + "| c | d |\n" * 50
    chat.ask(talking, "All.", f"# Begin\n\n{items}\n{rows}\n```text\n{'code ' * 5000}\n```\n\nEnd.")
    for _ in range(2):
        expect(chat.text.locator("p").last).to_have_text("End.")
        expect(chat.text.locator("li")).to_have_count(3000)
        expect(chat.text.locator("td")).to_have_count(100)
        expect(chat.text.locator("pre")).to_have_count(1)
        chat.page.reload()


def test_names_with_underscores_are_not_emphasis(chat, talking):
    chat.ask(talking, "Names?", "See **all**: " + ", ".join(f"some_name_{number}" for number in range(200)))
    expect(chat.text.locator("strong")).to_have_text("all")
    expect(chat.text).to_contain_text("some_name_199")


# Texts for which the Markdown library, or the browser, takes quadratic time or longer.
HEAVY = {
    "emphasis": "*a " * 20_000, "dollars": "$" * 60_000, "underscores": "_" * 60_000, "backslashes": "\\" * 60_000,
    "marks": "a" + "\u0301" * 60_000, "lists": "".join("  " * (level % 300) + "- a\n" for level in range(450)),
}  # fmt: skip


class Tasks:
    """Records the processor time of each browser task, which unlike the duration does not depend on other load."""

    def __init__(self, page):
        self.page = page
        self._session = page.context.browser.new_browser_cdp_session()
        self._session.on("Tracing.dataCollected", lambda data: self._events.extend(data["value"]))
        self._session.on("Tracing.tracingComplete", lambda _: setattr(self, "_is_complete", True))

    def __enter__(self):
        self._events, self._is_complete = [], False
        only = {"includedCategories": ["toplevel"], "excludedCategories": ["*"]}
        self._session.send("Tracing.start", {"traceConfig": only, "transferMode": "ReportEvents"})
        return self

    def __exit__(self, *_):
        self._session.send("Tracing.end")
        while not self._is_complete:
            self.page.wait_for_timeout(20)
        self._session.detach()

    @property
    def longest(self) -> float:
        """The processor time of the longest task, in milliseconds."""
        tasks = [event for event in self._events if event["name"] == "ThreadControllerImpl::RunTask"]
        times = [task["tdur"] for task in tasks if "tdur" in task]
        assert len(times) > 100
        return max(times) / 1000


@chromium_only
@pytest.mark.parametrize("kind", HEAVY)
def test_no_reply_blocks_the_page(chat, talking, kind):
    text = HEAVY[kind]
    # Nothing is looked up by role in the meantime, because that reads every text of the page in separate tasks.
    with Tasks(chat.page) as streamed:
        chat.send("Go.")
        talk = talking.next()
        for start in range(0, len(text), 1500):
            talk.say(text[start:start + 1500])
        talk.finish()
        expect(chat.last.locator(".figures")).to_be_visible(timeout=60_000)
    length = "() => document.querySelector('#messages > li:last-child .text')?.textContent.length"
    shown = chat.page.evaluate(length)
    chat.page.locator("#new-chat").click()
    expect(chat.page.locator("#messages > li")).to_have_count(0)
    with Tasks(chat.page) as opened:
        chat.page.locator("aside .title").first.click()
        # A stored conversation is rendered step by step.
        chat.page.wait_for_function(f"(shown) => ({length})() === shown", arg=shown)
    assert streamed.longest < 100 and opened.longest < 100, (streamed.longest, opened.longest)


@chromium_only
def test_code_and_formulas_have_contrast_and_names(chat, talking):
    chat.ask(talking, "All.", "```python\n# note\ndef f(x: int) -> str:\n    return 'a' + 1\n```\n\n"
             "```diff\n+ one\n- two\n```\n\n$$x^2$$\n\n- [x] done\n- [ ] open")  # fmt: skip
    for scheme in ("light", "dark"):
        chat.page.emulate_media(color_scheme=scheme)
        assert chat.page.evaluate(CONTRAST) == []
    expect(chat.text.get_by_role("group", name="Formula").get_by_role("math")).to_have_count(1)
    tasks = chat.text.locator("li.task")
    expect(tasks).to_have_count(2)
    assert tasks.first.evaluate("node => getComputedStyle(node).listStyleType") == "none"


def test_words_in_tables_are_not_split(chat, talking):
    words = ["internationalization", "straightforwardness", "counterintuitively", "misunderstandings", "overwhelmingly"]
    table = "|".join(["", *words, ""])
    chat.page.set_viewport_size({"width": 390, "height": 844})
    chat.ask(talking, "A table.", f"{table}\n{'|---' * len(words)}|\n{table}")
    for cell in chat.text.locator("th, td").all():
        assert cell.evaluate("node => { const range = document.createRange(); range.selectNodeContents(node);"
                             " return range.getClientRects().length; }") == 1  # fmt: skip
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("missing", ["highlight.min.js", "katex.min.js"])
def test_without_a_library_its_part_is_plain_text(tmp_path, talking, visit, missing):
    assets = tmp_path / "assets"
    assets.mkdir()
    for file in ASSETS.iterdir():
        if file.name != missing:
            (assets / file.name).symlink_to(file)
    running = serve(tmp_path, talking, "", "", assets=assets)
    chat = Chat(visit, next(running).origin)
    chat.open()
    chat.ask(talking, "Both.", "Then \\(x^2\\) *so*\n\n```swift\nlet x = 1\n```")
    isCode = missing.startswith("highlight")
    expect(chat.text.locator("pre span")).to_have_count(0 if isCode else 2)
    expect(chat.text.locator("math")).to_have_count(1 if isCode else 0)
    expect(chat.text.locator("code")).to_have_text("let x = 1")
    expect(chat.text.locator("em")).to_have_text("so")
    if not isCode:
        expect(chat.text.locator("p").first).to_have_text("Then \\(x^2\\) so")
    chat.check()
    assert next(running, None) is None
