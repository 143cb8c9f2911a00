"""Attachments of a message: how they are added, how they reach the model, and which files are refused."""

import base64
import json
import struct
import zlib

import pytest
from playwright.sync_api import expect

from browsers import chromium_only
from chat import CONTRAST, open_settings
from test_chat_models import claude, claude_gateway  # noqa: F401
from test_chat_safety import MARK, assert_harmless


def png(width: int = 4, height: int = 3) -> bytes:
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x10\x90\xa0" * width for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))  # fmt: skip


PICTURE = png()
PDF = b"%PDF-1.4\n%%EOF\n"


def file(name: str, content: bytes, kind: str = ""):
    return {"name": name, "mimeType": kind, "buffer": content}


def attach(chat, *files):
    chat.page.locator("#attach-files").set_input_files(list(files))


def drafts(chat):
    return chat.page.get_by_role("list", name="Files to be sent").get_by_role("listitem")


# Passes files to the page as a browser does when they are pasted or dropped.
HAND_OVER = """([kind, selector, name, type, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name, { type }));
  const name_ = { paste: "clipboardData", drop: "dataTransfer" }[kind];
  const event = new (kind === "paste" ? ClipboardEvent : DragEvent)(kind, { [name_]: data, bubbles: true, cancelable: true });
  document.querySelector(selector).dispatchEvent(event);
  return event.defaultPrevented;
}"""


@pytest.mark.parametrize("way", ["choose", pytest.param("paste", marks=chromium_only), "drop", "camera"])
def test_a_picture_is_sent(chat, talking, way):
    if way == "choose":
        attach(chat, file("gate.png", PICTURE))
    elif way == "camera":
        chat.page.locator("#attach-camera").set_input_files(file("gate.png", PICTURE))
    else:
        place = {"paste": "#prompt", "drop": "#scroller"}[way]
        content = base64.b64encode(PICTURE).decode()
        assert chat.page.evaluate(HAND_OVER, [way, place, "gate.png", "image/png", content])
    expect(drafts(chat)).to_have_count(1)
    expect(drafts(chat).get_by_role("img", name="gate.png")).to_be_visible()
    chat.send("What is this?")
    talk = talking.next()
    address = f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}"
    parts = [{"type": "image_url", "image_url": {"url": address}}, {"type": "text", "text": "What is this?"}]
    assert talk.request["messages"] == [{"role": "user", "content": parts}]
    talk.answer("A gate.")
    expect(drafts(chat)).to_have_count(0)
    shown = chat.page.locator("#messages > li").first.get_by_role("img", name="gate.png")
    expect(shown).to_be_visible()
    assert shown.evaluate("async (node) => { await node.decode(); return node.naturalWidth; }") == 4
    # The attachment remains after a reload, and later requests include it.
    chat.page.reload()
    expect(shown).to_be_visible()
    chat.send("Sure?")
    talk = talking.next()
    assert talk.request["messages"][0]["content"] == parts
    talk.answer("Yes.")
    expect(chat.text).to_have_text("Yes.")


def test_text_and_pdf_are_sent(chat, talking):
    attach(chat, file("a.py", b"print('```')\n"), file("b.pdf", PDF))
    expect(drafts(chat)).to_have_count(2)
    chat.prompt.press("Enter")
    talk = talking.next()
    text, pdf = talk.request["messages"][0]["content"]
    assert text["text"] == "File “a.py”:\n````\nprint('```')\n````"
    assert pdf["file"] == {"filename": "b.pdf", "file_data": f"data:application/pdf;base64,{base64.b64encode(PDF).decode()}"}
    talk.answer("Two files.")
    expect(chat.page.locator("#conversation-list .title")).to_have_text(["a.py"])
    chat.page.get_by_role("button", name="New chat").click()
    attach(chat, file("a.py", b"x = 1"))
    chat.send("Explain.")
    talk = talking.next()
    # Text alone is sent as a string, because not every server accepts a list.
    assert talk.said == [("user", "File “a.py”:\n```\nx = 1\n```\n\nExplain.")]
    talk.answer("A number.")
    expect(chat.text).to_have_text("A number.")


def test_models_of_anthropic_get_their_own_form(claude, talking):  # noqa: F811
    attach(claude, file("gate.png", PICTURE), file("b.pdf", PDF), file("c.txt", b"text"))
    claude.send("What?")
    talk = talking.next()
    picture, pdf, text, words = talk.request["messages"][0]["content"]
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PICTURE).decode()}
    assert picture == {"type": "image", "source": source}
    assert pdf["type"] == "document" and pdf["source"]["media_type"] == "application/pdf" and pdf["title"] == "b.pdf"
    assert text["text"].startswith("File “c.txt”") and words == {"type": "text", "text": "What?"}
    talk.message_start()
    talk.message_text("Things.")
    talk.message_finish()
    expect(claude.text).to_have_text("Things.")


def test_possibly_unsupported_files_show_a_warning_before_sending(chat):
    doubt = chat.page.locator("#file-doubt")
    attach(chat, file("gate.png", PICTURE), file("a.txt", b"text"))
    expect(drafts(chat)).to_have_count(2)
    expect(doubt).to_have_text("")
    attach(chat, file("b.pdf", PDF))
    expect(doubt).to_have_text("Not every model takes PDF: talker might refuse it.")
    open_settings(chat.page)
    chat.page.get_by_label("Side by side with").select_option("second")
    expect(doubt).to_have_text("Not every model takes PDF: talker, second might refuse it.")
    chat.page.get_by_role("button", name="Remove b.pdf").click()
    expect(doubt).to_have_text("")


def test_models_of_anthropic_are_known_to_take_pdf(claude, talking):  # noqa: F811
    expect(claude.page.get_by_role("combobox", name="Model")).to_have_value("claude-new")
    attach(claude, file("b.pdf", PDF))
    expect(drafts(claude)).to_have_count(1)
    expect(claude.page.locator("#file-doubt")).to_have_text("")


def test_a_models_refusal_of_a_file_is_shown(chat, talking):
    chat.expected_problems = ["400"]
    attach(chat, file("b.pdf", PDF))
    chat.send("What?")
    talking.next().fail(400, "This model takes no files.")
    expect(chat.last.get_by_role("alert")).to_contain_text("This model takes no files.")


MEBIBYTE = 1 << 20
REFUSED = [
    ({"x.zip": b"PK\3\4\0\0\xff\xfe"}, "“x.zip” cannot be attached"),
    ({"x.png": b"MZ\0\0\xff"}, "“x.png” cannot be attached"),
    ({"long.txt": b"a" * (MEBIBYTE + 1)}, "such a file may have 1 MiB"),
    ({"wide.png": PICTURE + b"\0" * 10 * MEBIBYTE}, "such a file may have 10 MiB"),
    ({"vast.bin": b"\0" * (20 * MEBIBYTE + 1)}, "such a file may have 20 MiB"),
    ({"none.txt": b""}, "“none.txt” is empty"),
    ({f"{number}.txt": b"a" for number in range(11)}, "At most 10 files"),
    ({f"{number}.pdf": PDF + b"\0" * 12 * MEBIBYTE for number in range(2)}, "at most 22 MiB"),
]


@pytest.mark.parametrize("files, words", REFUSED, ids=[words for _, words in REFUSED])
def test_unsendable_files_are_refused_with_a_reason(chat, tmp_path, files, words):
    # The browser creates the large files itself, because Playwright would take half a minute to transfer them.
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    attach(chat, *(tmp_path / name for name in files))
    expect(chat.page.locator("#attach-notice")).to_contain_text(words)
    expect(drafts(chat)).to_have_count(len(files) - 1)


def test_files_can_be_removed_and_edited_with_their_message(chat, talking):
    attach(chat, file("one.txt", b"1"), file("two.txt", b"2"))
    chat.page.get_by_role("button", name="Remove one.txt").click()
    expect(drafts(chat)).to_have_count(1)
    chat.send("Which?")
    talk = talking.next()
    assert "two.txt" in talk.said[0][1] and "one.txt" not in talk.said[0][1]
    talk.answer("Two.")
    expect(chat.last.locator(".figures")).to_be_visible()
    chat.page.locator("#messages > li").first.get_by_role("button", name="Edit").click()
    expect(drafts(chat)).to_have_count(1)
    attach(chat, file("three.txt", b"3"))
    expect(drafts(chat)).to_have_count(2)
    chat.send("And now?")
    talk = talking.next()
    assert "two.txt" in talk.said[0][1] and "three.txt" in talk.said[0][1] and len(talk.said) == 1
    talk.answer("Both.")
    expect(chat.text).to_have_text("Both.")


DROPS = """names => {
  for (const name of names) {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([name], name));
    document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  }
}"""


def test_files_added_while_others_are_read_are_all_attached(chat):
    chat.page.evaluate(DROPS, ["one.txt", "two.txt", "three.txt"])
    expect(drafts(chat)).to_have_count(3)


@chromium_only
def test_files_travel_with_their_conversation(chat, talking, tmp_path):
    attach(chat, file("gate.png", PICTURE))
    chat.ask(talking, "What is this?", "A gate.")
    with chat.page.expect_download() as download:
        chat.page.get_by_role("button", name="Export").click()
    export = tmp_path / "export.json"
    download.value.save_as(export)
    chat.page.evaluate("localStorage.clear(); indexedDB.deleteDatabase('headgate.attachments')")
    chat.page.goto("about:blank")
    chat.open()
    chat.page.locator("#import-file").set_input_files(export)
    chat.page.locator("#conversation-list .title").click()
    expect(chat.page.get_by_role("img", name="gate.png")).to_be_visible()
    chat.send("Sure?")
    talk = talking.next()
    assert talk.request["messages"][0]["content"][0]["type"] == "image_url"
    talk.answer("Yes.")
    expect(chat.text).to_have_text("Yes.")


def test_files_lost_by_the_browser_are_reported(chat, talking):
    attach(chat, file("gate.png", PICTURE))
    chat.ask(talking, "What is this?", "A gate.")
    chat.page.evaluate("""() => new Promise((resolve) => {
      const opening = indexedDB.open("headgate.attachments");
      opening.onsuccess = () => {
        const clearing = opening.result.transaction("files", "readwrite");
        clearing.objectStore("files").clear();
        clearing.oncomplete = () => { opening.result.close(); resolve(); };
      };
    })""")
    chat.page.reload()
    expect(chat.page.get_by_text("(not in this browser)")).to_be_visible()
    chat.send("Sure?")
    expect(chat.last.get_by_role("alert")).to_contain_text("“gate.png” is not in this browser any more")
    assert talking.is_quiet


ATTACKS = [
    file(f'"><img src=x onerror="{MARK}">.txt', f"<script>{MARK}</script>".encode()),
    file("x.svg", f'<svg xmlns="http://www.w3.org/2000/svg" onload="{MARK}"/>'.encode(), "image/svg+xml"),
    file("x.html", f"<script>{MARK}</script>".encode(), "text/html"),
    file("polyglot.png", PICTURE + f"<script>{MARK}</script>".encode(), "text/html"),
    file("</li><script>.pdf", PDF, "text/html"),
]


def test_files_are_text_or_pictures_and_nothing_else(chat, talking):
    attach(chat, *ATTACKS)
    expect(drafts(chat)).to_have_count(len(ATTACKS))
    assert_harmless(chat)
    chat.ask(talking, "Look.", "I did.")
    expect(chat.page.locator("#messages .attachments > li")).to_have_count(len(ATTACKS))
    expect(chat.page.locator("#messages img")).to_have_count(1)
    assert chat.page.locator("#messages img").get_attribute("src").startswith(f"blob:{chat.origin}/")
    assert_harmless(chat)


def test_imported_files_are_checked_like_any_other(chat, tmp_path):
    def content(**attachment):
        message = {"role": "user", "content": "x", "attachments": [{"name": "a.svg", "type": "image/svg+xml", **attachment}]}
        return json.dumps({"format": "headgate-conversations", "version": 2, "conversations": [{"messages": [message]}]})

    export = tmp_path / "import.json"
    export.write_text(content(data="%%%"))
    chat.page.locator("#import-file").set_input_files(export)
    expect(chat.page.get_by_role("alert").filter(has_text="is not in base64")).to_be_visible()
    export.write_text(content(data=base64.b64encode(f'<svg onload="{MARK}"/>'.encode()).decode()))
    chat.page.locator("#import-file").set_input_files(export)
    chat.page.locator("#conversation-list .title").click()
    # The file is text, whatever its type claims.
    expect(chat.page.locator("#messages .attachments")).to_contain_text("text, ")
    assert chat.page.locator("#messages img").count() == 0
    assert_harmless(chat)


@chromium_only
def test_attachments_have_names_and_contrast(chat, talking):
    attach(chat, file("gate.png", PICTURE), file("long-" * 40 + ".txt", b"text"))
    for scheme in ("light", "dark"):
        chat.page.emulate_media(color_scheme=scheme)
        assert chat.page.evaluate(CONTRAST) == []
    chat.page.set_viewport_size({"width": 390, "height": 844})
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ("Attach files", "Remove gate.png"):
        expect(chat.page.get_by_role("button", name=name)).to_be_visible()
    chat.ask(talking, "Look.", "I did.")
    expect(chat.page.get_by_role("list", name="Attachments").get_by_role("listitem")).to_have_count(2)
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert chat.page.evaluate(CONTRAST) == []
