"""Output of models, upstreams and files is only text: none of it runs, loads or navigates."""

import json

from playwright.sync_api import expect

from browsers import chromium_only
from chat import Chat
from conftest import serve

MARK = "window.pwned=1"
ATTACKS = [
    f"<script>{MARK}</script>",
    f'<img src=x onerror="{MARK}">',
    f'<svg onload="{MARK}"><a xlink:href="javascript:{MARK}">x</a></svg>',
    f'<iframe srcdoc="<script>parent.{MARK}</script>"></iframe>',
    f"[click](javascript:{MARK})",
    f"[click](JaVaScRiPt&colon;{MARK}) [click](&#106;avascript:{MARK}) [click](java&#10;script:{MARK})",
    f"[click](data:text/html,<script>{MARK}</script>) [click](vbscript:x) [click](//evil.example/) [click](/status)",
    f'![picture](https://evil.example/x.png) ![p](x" onerror="{MARK})',
    f'<https://evil.example/"onmouseover="{MARK}> <javascript:{MARK}>',
    f"```html\"><script>{MARK}</script>\n</code></pre><script>{MARK}</script>\n```",
    f"| a<img src=x onerror={MARK}> |\n|---|\n| <script>{MARK}</script> |",
    f'<form action="https://evil.example/"><button>x</button></form><style>*{{display:none}}</style>'
    f'<link rel=stylesheet href="https://evil.example/x.css"><base href="https://evil.example/">'
    f'<meta http-equiv=refresh content="0;url=https://evil.example/">',
    "&lt;script&gt;" + MARK + "&lt;/script&gt; &#x3c;img src=x onerror=" + MARK + "&#x3e; &#0; &#xD800; &#99999999;",
    f"[ref]: javascript:{MARK}\n\n[ref]",
    ">" * 3000 + "deep",
    "[" * 3000 + "x" + "](" * 3000,
]
FORBIDDEN = (
    "script, img:not(.preview), iframe, object, embed, style, link, base, meta, form:not(#composer):not(#key-form), "
    "svg:not(.icon), .text svg, .reasoning svg, .tool svg, svg.icon > :not(path), video, audio, "
    "a[href^='javascript' i]"
)


def test_model_output_is_text(chat, talking):
    for count, attack in enumerate(ATTACKS, 1):
        chat.ask(talking, attack, attack)
        expect(chat.page.locator("#messages > li")).to_have_count(2 * count)
        assert_harmless(chat)
    # The text is just as harmless when it is read from storage.
    chat.page.reload()
    expect(chat.page.locator("#messages > li")).to_have_count(2 * len(ATTACKS))
    assert_harmless(chat)
    links = chat.page.locator("#messages a")
    assert links.count() > 0
    for link in links.all():
        assert link.get_attribute("href").startswith(("https://evil.example/", "mailto:"))
        assert "noopener" in link.get_attribute("rel")


def test_names_reasoning_tools_and_errors_are_text(chat, talking):
    # The listed names are not models of the gateway, so its responses to queries for their context are errors.
    chat.expected_problems = ["500", "404"]
    attack = ATTACKS[1]
    listed = {"object": "list", "data": [{"id": attack, "object": "model"}, {"id": ATTACKS[0], "object": "model"}]}
    chat.page.route("**/v1/models", lambda route: route.fulfill(json=listed))
    chat.page.reload()
    model = chat.page.get_by_role("combobox", name="Model")
    expect(model).to_have_value(attack)
    model.click()
    assert chat.page.get_by_role("option").locator(".model-name").all_inner_texts() == [attack, ATTACKS[0]]
    assert_harmless(chat)
    model.press("Escape")
    call = {"index": 0, "function": {"name": attack, "arguments": attack}}
    chunk = {"choices": [{"index": 0, "delta": {"content": "x", "reasoning": attack, "tool_calls": [call]}}]}
    events = f"data: {json.dumps(chunk)}\n\ndata: {json.dumps({'error': {'message': attack}})}\n\n"
    stream = {"body": events, "content_type": "text/event-stream"}
    chat.page.route("**/v1/chat/completions", lambda route: route.fulfill(**stream))
    chat.send("Hello")
    expect(chat.last.get_by_role("alert")).to_contain_text(attack)
    expect(chat.last.locator(".author")).to_have_text(attack)
    for summary in chat.last.locator("summary").all():
        summary.click()
    expect(chat.last.locator("details.reasoning p")).to_have_text(attack)
    assert_harmless(chat)
    error = {"error": {"message": [attack, attack], "code": attack}}
    chat.page.unroute("**/v1/chat/completions")
    chat.page.route("**/v1/chat/completions", lambda route: route.fulfill(status=500, json=error))
    chat.last.get_by_role("button", name="Try again").click()
    expect(chat.last.get_by_role("alert")).to_contain_text(f"{attack} {attack}")
    assert_harmless(chat)


def test_an_imported_conversation_is_text(chat, tmp_path):
    attack = "\n\n".join(ATTACKS)
    message = {
        "role": "assistant", "content": attack, "model": ATTACKS[1], "reasoning": attack,
        "toolCalls": [{"name": attack, "arguments": attack}], "error": {"message": attack, "__proto__": {"x": 1}},
        "usage": {"prompt": 1, "completion": 2}, "onclick": MARK, "html": attack,
    }  # fmt: skip
    conversation = {"id": "../../x", "title": ATTACKS[1], "model": ATTACKS[0], "instructions": attack,
                    "messages": [{"role": "user", "content": attack}, message], "__proto__": {"pwned": 1}}  # fmt: skip
    file = tmp_path / "import.json"
    file.write_text(json.dumps({"format": "headgate-conversations", "version": 1, "conversations": [conversation]}))
    chat.page.locator("#import-file").set_input_files(file)
    entry = chat.page.locator("#conversation-list .title")
    expect(entry).to_have_text(ATTACKS[1])
    entry.click()
    expect(chat.page.locator("#messages > li")).to_have_count(2)
    assert_harmless(chat)
    kept = chat.page.evaluate("Object.values(localStorage).join()")
    assert "onclick" not in kept.replace("onclick=", "") and "../../x" not in kept


def test_the_policy_of_the_page_forbids_what_it_does_not_need(chat):
    chat.expected_problems = ["Content Security Policy", "TrustedHTML", "TrustedScript", "violates"]
    outcomes = chat.page.evaluate("""async () => {
      const tried = [];
      for (const act of [
        () => { document.body.innerHTML = "<b>x</b>"; },
        () => fetch("http://127.0.0.1:9/"),
      ]) {
        try { await act(); tried.push("done"); } catch (error) { tried.push(error.name); }
      }
      const script = document.createElement("script");
      try { script.textContent = "window.pwned = 1"; document.body.append(script); } catch { }
      const picture = document.createElement("img");
      const refused = new Promise((resolve) => {
        picture.onerror = () => resolve("refused");
        picture.onload = () => resolve("loaded");
      });
      picture.src = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
      tried.push(await refused);
      return tried;
    }""")
    assert outcomes == ["TypeError", "TypeError", "refused"]
    assert chat.page.evaluate("window.pwned") is None


@chromium_only
def test_markdown_is_rendered(chat, talking):
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat.ask(
        talking,
        "Show me.",
        "# Title\n\nSome *slanted* and **bold** `x < 1 &amp; y`, ~~gone~~ &lt;b&gt; & more.\n\n"
        "1. one\n2. two\n   - inner\n\n"
        "> quoted\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n\n```swift\nlet gate = \"<open>\"\n```\n\n"
        "[a page](https://example.org/?a=1&b=2) ![a picture](https://example.org/p.png) <b>no</b>\n\n- [x] done",
    )
    text = chat.text
    expect(text.get_by_role("heading", level=3)).to_have_text("Title")
    expect(text.locator("em")).to_have_text("slanted")
    expect(text.locator("p > code")).to_have_text("x < 1 &amp; y")
    expect(text.locator("p").nth(0)).to_contain_text("<b> & more.")
    expect(text.locator("ol > li")).to_have_count(2)
    expect(text.locator("blockquote")).to_have_text("quoted")
    expect(text.get_by_role("cell", name="2")).to_have_class("right")
    links = text.get_by_role("link")
    assert [link.get_attribute("href") for link in links.all()] == [
        "https://example.org/?a=1&b=2", "https://example.org/p.png",
    ]  # fmt: skip
    expect(links.last).to_have_text("a picture")
    expect(text.get_by_role("checkbox")).to_be_checked()
    expect(text).to_contain_text("<b>no</b>")
    text.get_by_role("button", name="Copy").click()
    expect(text.get_by_role("button", name="Copied")).to_be_visible()
    assert chat.page.evaluate("navigator.clipboard.readText()") == 'let gate = "<open>"'


def test_without_the_library_answers_are_plain_text(tmp_path, talking, visit):
    running = serve(tmp_path, talking, "", "", assets=tmp_path)
    gateway = next(running)
    chat = Chat(visit, gateway.origin)
    chat.open()
    chat.ask(talking, "Hello", "**bold**\n\n<b>x</b>")
    expect(chat.text).to_have_text("**bold**\n\n<b>x</b>")
    assert_harmless(chat)
    chat.check()
    assert next(running, None) is None


def assert_harmless(chat):
    assert chat.page.evaluate("window.pwned") is None
    assert chat.page.locator("body").locator(FORBIDDEN).count() == 0
    assert chat.page.evaluate("Object.prototype.pwned") is None
