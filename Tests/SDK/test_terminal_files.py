"""Attachments of prompts in `headgate chat`."""

import base64
import os

from terminal_chats import ask, chats, messages, own  # noqa: F401  (fixtures)
from upstreams import TEXT, local_upstream  # noqa: F401  (a fixture)

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def test_pictures_and_texts_go_with_the_next_prompt(chats, own, local_upstream, tmp_path):  # noqa: F811
    (tmp_path / "sky.png").write_bytes(PNG)
    (tmp_path / "my notes.txt").write_text("``` wörld\n")
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()}}
    notes = "File “my notes.txt”:\n````\n``` wörld\n````"
    chat = chats(*own, "--file", tmp_path / "sky.png")
    chat.expect(r"sky\.png \(image/png, 264 bytes\) goes with the next prompt\.\n(?s:.*)plain> ")
    chat.line(f"/file {tmp_path}/my\\ notes.txt")
    chat.expect(r"my notes\.txt \(text/plain, 11 bytes\) goes with the next prompt\.\nplain> ")
    chat.line("/file")
    chat.expect("\n  sky.png .*\n  my notes.txt .*\nplain> ")
    chat.line("What is this?")
    chat.expect("wörld\nplain> ")
    asked = {"role": "user", "content": [picture, {"type": "text", "text": notes}, {"type": "text", "text": "What is this?"}]}
    assert messages(local_upstream) == [asked]
    # The attachments remain part of the prompt when it is retried or continued.
    chat.line("/retry")
    chat.expect("wörld\nplain> ")
    assert messages(local_upstream) == [asked]
    chat.line("And?")
    chat.expect("wörld\nplain> ")
    assert [message["content"] for message in messages(local_upstream)] == [asked["content"], TEXT, "And?"]
    chat.line(f"/file '{tmp_path}/my notes.txt'")
    chat.expect("goes with the next prompt")
    chat.line("Read it.")
    chat.expect("wörld\nplain> ")
    assert messages(local_upstream)[-1]["content"] == f"{notes}\n\nRead it."
    chat.send("\x04")
    assert chat.wait() == 0
    again = chats(*own, "--continue")
    again.expect("plain> ")
    again.line("Once more.")
    again.expect("wörld\nplain> ")
    assert messages(local_upstream)[0] == asked


def test_pdf_is_attached_with_a_warning_in_advance(chats, own, local_upstream, tmp_path):  # noqa: F811
    pdf = b"%PDF-1.4\n\xff\0%%EOF\n"
    (tmp_path / "a.pdf").write_bytes(pdf)
    chat = chats(*own)
    chat.expect("plain> ")
    chat.line(f"/file {tmp_path}/a.pdf")
    chat.expect(r"a\.pdf \(application/pdf, \d+ bytes\) goes with the next prompt\.\nNot every model takes PDF: plain may refuse it\.\nplain> ")
    chat.line("Read it.")
    chat.expect("wörld\nplain> ")
    address = "data:application/pdf;base64," + base64.b64encode(pdf).decode()
    content = [{"type": "file", "file": {"filename": "a.pdf", "file_data": address}}, {"type": "text", "text": "Read it."}]
    assert messages(local_upstream) == [{"role": "user", "content": content}]


def test_unattachable_files_show_a_reason(chats, own, local_upstream, tmp_path):  # noqa: F811
    (tmp_path / "binary").write_bytes(b"a\0b")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "fine.txt").write_text("fine")
    (tmp_path / "long.txt").write_text("x" * ((1 << 20) + 1))
    (tmp_path / "huge.png").write_bytes(PNG + bytes(10 << 20))
    (tmp_path / "fake.png").write_text("no picture, but a text")
    os.mkfifo(tmp_path / "pipe")
    chat = chats(*own)
    for name, said in (
            ("binary", "binary cannot be sent: pictures"), ("empty", "empty is empty"), ("long.txt", "long.txt is larger than 1 MiB"),
            ("huge.png", "huge.png is larger than 10 MiB"), ("pipe", "pipe is no file"), ("none", "cannot read .*none: No such file"), ("", "is no file"),
            ("fine.txt " * 11, "at most 10 files go with a prompt")):
        chat.expect("plain> ")
        chat.line("/file " + " ".join(f"{tmp_path}/{part}" for part in (name.split() or [""])))
        chat.expect(said)
    chat.expect("plain> ")
    chat.line(f"/file {tmp_path}/fake.png")
    chat.expect(r"fake\.png \(text/plain, 22 bytes\)")
    chat.line('/file ""')
    chat.expect("No files go with the next prompt any more.")
    chat.expect("plain> ")
    chat.line("Hello.")
    chat.expect("wörld\nplain> ")
    assert messages(local_upstream) == [{"role": "user", "content": "Hello."}]


def test_names_of_files_are_completed(chats, own, tmp_path):  # noqa: F811
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "alpha.txt").write_text("a")
    (tmp_path / "folder" / "with space").write_text("a")
    chat = chats(*own)
    chat.expect("plain> ")
    chat.send(f"/file {tmp_path}/fol\tal\t\r")
    chat.expect(r"alpha\.txt \(text/plain, 1 bytes\) goes with")


def test_names_with_terminal_controls_are_not_offered(chats, own, tmp_path):  # noqa: F811
    (tmp_path / "folder").mkdir()
    for name in ("note\x1b[2J.txt", "note\u202e.txt", "note\x07", "note-plain.txt"):
        (tmp_path / "folder" / name).write_text("a")
    chat = chats(*own)
    chat.expect("plain> ")
    chat.send(f"/file {tmp_path}/folder/n\t\r")
    # The only remaining candidate is completed in full.
    chat.expect(r"note-plain\.txt \(text/plain, 1 bytes\) goes with")
    assert b"\x1b[2J" not in chat.bytes() and b"\x07" not in chat.bytes()


def test_files_go_with_one_question(own, local_upstream, tmp_path):  # noqa: F811
    (tmp_path / "sky.png").write_bytes(PNG)
    answer = ask(tmp_path, *own, "--file", tmp_path / "sky.png", "What is it?")
    assert answer.stdout.decode() == TEXT + "\n"
    assert [part["type"] for part in messages(local_upstream)[0]["content"]] == ["image_url", "text"]
    alone = ask(tmp_path, *own, "-f", tmp_path / "sky.png")
    assert alone.returncode == 0 and [part["type"] for part in messages(local_upstream)[0]["content"]] == ["image_url"]
    missing = ask(tmp_path, *own, "--file", tmp_path / "none", "What is it?")
    assert missing.returncode == 1 and b"cannot read" in missing.stderr and missing.stdout == b""
