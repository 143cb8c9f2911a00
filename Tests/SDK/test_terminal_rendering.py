"""Rendering of replies on a terminal: tables, code, and lines that fit the current window."""

from terminal_chats import chats  # noqa: F401  (a fixture)
from test_swift_client import event, gateways, response, scripted, words  # noqa: F401  (fixtures)

TABLE = "| id | what |\n|--:|:-:|\n| 1 | `x` and **bold** |\n| 22 | \x1b[2J日本 |\n"


def pieces(text: str, size: int = 3) -> list[str]:
    return [text[start:start + size] for start in range(0, len(text), size)]


def test_table_is_aligned(chats, scripted):  # noqa: F811
    url = scripted(([], words(*pieces(f"Look:\n\n{TABLE}\nDone."))))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("Show it.")
    chat.expect(
        "\nLook:\n\n│ id │    what    │\n├────┼────────────┤\n│  1 │ x and bold │\n│ 22 │  ␛\\[2J日 ?本 ?  │\n\nDone\\.\nm> ")
    assert chat.style("what").bold and chat.style("x and").fg == "cyan" and not chat.style("and").bold
    assert b"\x1b[2J" not in chat.bytes()


def test_table_fits_the_current_window(chats, scripted):  # noqa: F811
    url = scripted(([], words(*pieces("| a | b |\n|---|---|\n| one two three | four five six seven |\n"))))
    chat = chats("--url", url, columns=30)
    chat.expect("m> ")
    chat.line("Show it.")
    chat.expect(
        "\n│ a            │ b           │\n├──────────────┼─────────────┤\n│ one two      │ four five   │\n"
        "│ three        │ six seven   │\nm> |\n│ a")
    chat.resize(60)
    chat.line("Again.")
    chat.expect("\n│ one two three │ four five six seven │\nm> ")
    narrow = chats("--url", url, columns=14)
    narrow.expect("m> ")
    narrow.line("Show it.")
    narrow.expect("\na: one two\nthree\nb: four five\nsix seven\nm> ")


def test_code_of_a_known_language_is_coloured(chats, scripted):  # noqa: F811
    code = "```python\nif name == \"x\":  # \x1b[31mred\n    return 12\n```\n```\nif plain\n```\n"
    url = scripted(([], words(*pieces(code))))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("Show it.")
    chat.expect("\n```python\nif name == \"x\":  # ␛\\[31mred\n    return 12\n```\n```\nif plain\n```\nm> ")
    assert [chat.style(text).fg for text in ("if name", "name ==", '"x"', "return", "12", "if plain")] == [
        "magenta", "default", "green", "magenta", "brown", "cyan"]
    assert b"\x1b[0;2m# \xe2\x90\x9b[31mred" in chat.bytes()


def test_code_without_colours_is_unchanged(chats, scripted):  # noqa: F811
    url = scripted(([], words(*pieces("```python\nif x:\n```\n" + TABLE.replace("\x1b[2J", "")))))
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        chat = chats("--url", url, **variables)
        chat.expect("m> ")
        before = len(chat.bytes())
        chat.line("Show it.")
        chat.expect("```python\nif x:\n```\n\\| id \\| what \\|\n\\|--:\\|:-:\\|\n(?s:.*)m> ")
        assert b"\x1b[0;" not in chat.bytes()[before:].replace(b"\x1b[0;1m", b"")


def test_words_are_never_split_while_streaming(chats, scripted):  # noqa: F811
    url = scripted(([], words(*"The quick brown fox jumps 👩‍👩‍👧‍👦 over naïve cafe\u0301s and 🇫🇷 flags")))
    chat = chats("--url", url, columns=20)
    chat.expect("m> ")
    before = len(chat.bytes())
    chat.line("Talk.")
    chat.expect("flags\nm> ")
    shown = chat.bytes()[before:].decode().replace("\r\n", "\n")
    assert "The quick brown fox\njumps 👩‍👩‍👧‍👦 over naïve\ncafe\u0301s and 🇫🇷 flags\n" in shown
