"""`headgate chat` as a conversation on a terminal: the screen, and the requests to the upstream."""

import json
import stat

from conftest import binary
from gateways import gateways, wait_until  # noqa: F401  (a fixture)
from terminal import Terminal
from terminal_chats import USAGE, ask, chat_environment, chats, messages, own  # noqa: F401  (fixtures)
from test_swift_client import DONE, event, response, scripted, words  # noqa: F401  (a fixture)
from upstreams import TEXT, local_upstream  # noqa: F401  (a fixture)


# A conversation


def test_reply_visibly_grows(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own, "--model", "gated")
    chat.expect("gated> ")
    chat.line("Say it.")
    chat.expect("\nHel$")
    local_upstream.release.set()
    chat.expect("lo, wörld\ngated> ")
    chat.line("/quit")
    assert chat.wait() == 0


def test_stopped_reply_is_kept_and_the_upstream_is_closed(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own, "--model", "dripping")
    chat.expect("dripping> ")
    chat.line("Go on.")
    chat.expect("drop drop ")
    chat.send("\x03")
    chat.expect(r"\n\(stopped\)\ndripping> ")
    wait_until(lambda: local_upstream.problems, "the end of the upstream's answer")
    chat.line("/model plain")
    chat.expect("plain> ")
    chat.line("And now?")
    chat.expect(TEXT)
    kept = messages(local_upstream)
    assert [message["role"] for message in kept] == ["user", "assistant", "user"]
    assert kept[1]["content"].startswith("drop drop ")


def test_lines_typed_ahead_end_with_the_stopped_reply(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own, "--model", "dripping")
    chat.expect("dripping> ")
    chat.send("Go on.\rAnd on.\r")
    chat.expect("drop drop ")
    chat.send("\x03")
    chat.expect(r"\(stopped\)\ndripping> ")
    chat.line("/model plain")
    chat.expect("plain> ")
    chat.line("And now?")
    chat.expect(TEXT)
    asked = [message["content"] for message in messages(local_upstream) if message["role"] == "user"]
    assert asked == ["Go on.", "And now?"]


def test_prompts_are_found_again_in_the_next_chat(chats, own, tmp_path):
    first = chats(*own, "--model", "plain")
    first.expect("plain> ")
    first.line("äh, one")
    first.expect("plain> ")
    first.send('"""two\rthree"""\r')
    first.expect("wörld\nplain> ")
    first.send("\x04")
    assert first.wait() == 0
    path = tmp_path / ".local" / "state" / "headgate" / "chat_history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    second = chats(*own, "--model", "plain", "--no-history")
    second.expect("plain> ")
    second.send("\x1b[A")
    second.line("secret")
    second.expect("secret\nHello, wörld\nplain> ")
    second.send("\x1b[A")
    second.shows("plain> secret")
    third = chats(*own, "--model", "plain")
    third.expect("plain> ")
    third.send("\x1b[A")
    third.shows("plain> two\nthree")
    third.send("\x1b[A")
    third.shows("plain> äh, one")
    assert "secret" not in path.read_text()


def test_long_history_is_cut(chats, own, tmp_path):
    path = tmp_path / "state" / "headgate" / "chat_history"
    path.parent.mkdir(parents=True)
    path.write_text("".join(f"prompt {number}\n" for number in range(2500)))
    chat = chats(*own, XDG_STATE_HOME=str(tmp_path / "state"))
    chat.expect("plain> ")
    assert path.read_text().splitlines() == [f"prompt {number}" for number in range(1500, 2500)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    chat.send("\x1b[A")
    chat.shows("plain> prompt 2499")


def test_commands_change_the_request(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own)
    chat.expect("plain> ")
    chat.line("One.")
    chat.expect("wörld\nplain> ")
    chat.line("/system Be brief.")
    chat.expect("plain> ")
    chat.line("Two.")
    chat.expect("wörld\nplain> ")
    assert [m["content"] for m in messages(local_upstream)] == ["Be brief.", "One.", TEXT, "Two."]
    chat.line("/retry")
    chat.expect("wörld\nplain> ")
    assert [m["content"] for m in messages(local_upstream)] == ["Be brief.", "One.", TEXT, "Two."]
    assert len(local_upstream.requests) == 3
    chat.line("/new")
    chat.expect("plain> ")
    chat.line('/system ""')
    chat.expect("plain> ")
    chat.line("//three")
    chat.expect("wörld\nplain> ")
    assert [m["content"] for m in messages(local_upstream)] == ["/three"]
    chat.line("/model")
    chat.expect(r"\* plain\n  gated\n  dripping\nplain> ")
    chat.line("/model other")
    chat.expect(r"There is no model other: /model lists them\.\nplain> ")
    chat.line("/model gatde")
    chat.expect(r"There is no model gatde: did you mean gated\?\nplain> ")
    chat.line("/modle x")
    chat.expect("did you mean /model")
    chat.line("/save")
    chat.expect("needs the name of a file")
    assert len(local_upstream.requests) == 4


def test_several_lines_are_one_message(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own)
    ways = {
        "\x1b[200~a\rb\n\x1b[31mc\x1b[201~\r": "a\nb\n␛[31mc",
        "a\\\rb\r": "a\nb",
        '"""a\r\rb"""\r': "a\n\nb",
        "a\x1b\rb\r": "a\nb",
    }
    for keys, prompt in ways.items():
        chat.expect("plain> ")
        chat.send(keys)
        chat.expect("wörld\n")
        assert messages(local_upstream)[-1]["content"] == prompt
    assert len(local_upstream.requests) == len(ways)


def test_keys_of_the_prompt(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own)
    chat.expect("plain> ")
    chat.send("not this\x03")
    chat.expect(r"not this\^C\nplain> ")
    chat.send('"""\rnor this\x03')
    chat.expect(r"nor this\^C\nplain> ")
    # A wide character takes two columns, and is deleted as one.
    chat.send("日本語x\x7f\x7f!\x1b[D\x1b[D-")
    chat.shows("plain> 日 ?-本 ?!")
    chat.send("\r")
    chat.expect("wörld\nplain> ")
    assert messages(local_upstream) == [{"role": "user", "content": "日-本!"}]
    chat.send("/mo\tdr\t\r")
    chat.expect("dripping> ")
    chat.send("/s\t")
    chat.expect("/system  /set  /sessions  /save")
    chat.send("\x03")
    chat.expect("dripping> ")
    chat.resize(40)
    chat.send("after")
    chat.shows("dripping> after")
    chat.send("\x03")
    chat.expect("dripping> ")
    chat.send("\x04")
    assert chat.wait() == 0


def test_keys_of_vi(chats, own, local_upstream, tmp_path):  # noqa: F811
    (tmp_path / ".editrc").write_text("bind -v\n")
    chat = chats(*own)
    chat.expect("plain> ")
    chat.send("bc\x1b")
    chat.send("0ia\r")
    chat.expect("wörld\nplain> ")
    assert messages(local_upstream)[-1]["content"] == "abc"
    chat.send("no\x03")
    chat.expect(r"\^C\nplain> ")


def test_chat_can_be_suspended_and_continued_in_a_shell(own, local_upstream, tmp_path):  # noqa: F811
    shell = Terminal(["/bin/bash", "--norc", "-i", "-c", f"cd {tmp_path}; exec bash --norc -i"], chat_environment(tmp_path, PS1="shell$ "), 200)
    try:
        shell.expect("shell. ")
        shell.line(f"stty -a >before; {binary('headgate')} chat --config {own[1]}")
        shell.expect("plain> ")
        shell.send("ab\x1a")
        shell.expect("Stopped[^$]*shell. ")
        shell.line("stty -a >between; fg")
        shell.expect("plain> ab")
        shell.line("c")
        shell.expect("wörld\nplain> ")
        assert messages(local_upstream) == [{"role": "user", "content": "abc"}]
        shell.send("\x04")
        shell.expect("shell. ")
        shell.line("cmp before between; stty -a | cmp before -; echo com''pared")
        assert shell.expect("compared")
        assert "differ" not in shell.screen()
        shell.line("exit")
        assert shell.wait() == 0
    finally:
        shell.end()


def test_conversation_is_saved(chats, scripted, tmp_path):  # noqa: F811
    usage = {"text": f"data: {json.dumps({'id': 'c', 'object': 'chat.completion.chunk', 'created': 1, 'model': 'm', 'choices': [], 'usage': USAGE})}\n\n"}
    answer = response(event({"content": "An **answer**."}), event({}, "stop"), usage, DONE)
    url = scripted((["Break."], response(event({"content": "half"}), end="cut")), ([], answer))
    chat = chats("--url", url, "--system", "Be kind.")
    chat.expect("m> ")
    chat.line("Ask.")
    chat.expect("An answer.\nm> ")
    assert chat.style("answer.").bold and not chat.style("An answer").bold
    chat.line("/usage")
    chat.expect(r"last answer:   7 tokens in, 5 out, the first after .* s in all\n")
    chat.expect(r"conversation:  1 answer, 7 tokens in, 5 out, .* s in all\nm> ")
    chat.line("Break.")
    chat.expect("half\n.*/retry")
    document, text = tmp_path / "talk.json", tmp_path / "talk.md"
    for path in (document, text, document):
        chat.line(f"/save {path}")
        chat.expect("Saved to")
        chat.expect("m> ")
    saved = json.loads(document.read_text())
    assert (saved["format"], saved["version"]) == ("headgate-conversations", 2)
    [conversation] = saved["conversations"]
    assert (conversation["title"], conversation["model"], conversation["instructions"]) == ("Ask.", "m", "Be kind.")
    assert [m["content"] for m in conversation["messages"]] == ["Ask.", "An **answer**.", "Break.", "half"]
    assert conversation["messages"][1]["usage"] == {"prompt": 7, "completion": 5}
    assert conversation["messages"][1]["timing"]["total"] >= conversation["messages"][1]["timing"]["first"] > 0
    assert conversation["messages"][3]["error"]["message"]
    assert "## You\n\nAsk.\n\n## m\n\nAn **answer**.\n" in text.read_text()
    assert stat.S_IMODE(text.stat().st_mode) == 0o600
    # An existing file is not replaced.
    other = tmp_path / "other.md"
    other.write_text("mine")
    chat.line(f"/save {other}")
    chat.expect("exists: choose another name")
    assert other.read_text() == "mine"


def test_failure_is_shown_and_the_conversation_continues(chats, scripted, tmp_path):  # noqa: F811
    refusal = {
        "status": 400, "headers": {"Content-Type": "application/json"},
        "chunks": [{"text": json.dumps({"error": {"message": "too \x1b[2Jlong", "type": "invalid_request_error"}})}]}
    url = scripted((["Three."], refusal), (["Two."], words("fine")), (["One."], refusal))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("One.")
    chat.expect(r"too ␛\[2Jlong.*/retry asks again\.\nm> ")
    chat.line("Two.")
    chat.expect("fine\nm> ")
    # The failed prompt is sent again, and earlier replies stay.
    for text in ("Three.", "/retry"):
        chat.line(text)
        chat.expect(r"too .*/retry asks again\.\nm> ")
    path = tmp_path / "talk.md"
    chat.line(f"/save {path}")
    chat.expect("Saved to")
    assert path.read_text() == "# Conversation with m\n\n## You\n\nTwo.\n\n## m\n\nfine\n"


def test_model_cannot_control_the_terminal(chats, scripted):  # noqa: F811
    evil = "\x1b]0;owned\x07\x1b[31m\x1b[?2004h\x9b2Ja\rb\x1bPq\x1b\\\x07\x7f\x08"
    thought = "\x1b[1m\x1b]52;c;eA==\x07"
    url = scripted(([], response(
        event({"reasoning_content": thought}), event({"content": evil}), event({"content": f"`{evil}`\n```\n{evil}\n```\n"}),
        event({"content": f"| {evil} |\n[{evil}]({evil})"}), event({}, "stop"), DONE)))
    chat = chats("--url", url)
    chat.expect("m> ")
    before = len(chat.bytes())
    chat.line("Hello.")
    chat.expect("(?s)owned.*m> ")
    written = chat.bytes()[before:]
    styles = {f"\x1b[0{codes}m".encode() for codes in ("", ";1", ";2", ";36", ";4", ";2;36", ";2;4")}
    # The line editor writes these sequences around a prompt.
    styles |= {b"\x1b[?2004h", b"\x1b[?2004l", b"\x1b[K"}
    rest = written
    for sequence in sorted(styles, key=len, reverse=True):
        rest = rest.replace(sequence, b"")
    assert b"\x1b" not in rest and b"\xc2\x9b" not in rest and b"\x07" not in rest and b"\x08" not in rest
    assert "␛]0;owned␇␛[31m" in chat.screen() and "␛]52;c;eA==␇" in chat.screen()


def test_plain_terminals_get_plain_text(chats, own, scripted):  # noqa: F811
    url = scripted(([], words("**bold** ", "\x1b[31m")))
    colorless = chats("--url", url, NO_COLOR="1")
    colorless.expect("m> ")
    colorless.line("Hello.")
    colorless.expect(r"\*\*bold\*\* ␛\[31m\nm> ")
    dumb = chats("--url", url, TERM="dumb")
    dumb.expect("m> ")
    dumb.line("Hello.")
    dumb.expect(r"\*\*bold\*\* ␛\[31m\nm> ")
    dumb.send("x\x03")
    dumb.expect("\nm> ")
    assert b"\x1b" not in dumb.bytes()
    dumb.send("\x04")
    assert dumb.wait() == 0


def test_lines_are_broken_between_words(chats, scripted):  # noqa: F811
    """Expects breaks between words. Code is unchanged, and lists and quotes keep their indentation."""
    text = ("The quick brown fox jumps over the lazy dog.\n\n- an item that is longer than one line\n\n"
            "日本語の文章は単語の間に空白がないので、どこでも折り返せます。\n\n```\n" + "x = 1; " * 7 + "\n```\n"
            "A " + "w" * 45 + " end.")
    pieces = [text[start:start + 3] for start in range(0, len(text), 3)]
    url = scripted(([], words(*pieces)))
    chat = chats("--url", url, columns=30)
    chat.expect("m> ")
    chat.line("Talk.")
    chat.expect(
        "\nThe quick brown fox jumps over\nthe lazy dog\\.\n\n• an item that is longer than\n  one line\n\n"
        "日 ?本 ?語 ?の ?文 ?章 ?は ?単 ?語 ?の ?間 ?に ?空 ?白 ?が ?\nな")
    chat.expect("\n```\n" + ("x = 1; " * 7)[:30].rstrip() + "\n" + ("x = 1; " * 7)[30:].rstrip() + "\n```\n")
    chat.expect("A\n" + "w" * 30 + "\n" + "w" * 15 + " end\\.\nm> ")


def test_lines_without_styles_are_broken_between_words_too(chats, scripted):  # noqa: F811
    url = scripted(([], words("The quick ", "**brown** fox jum", "ps over the lazy dog.")))
    chat = chats("--url", url, "--no-color", columns=30)
    chat.expect("m> ")
    chat.line("Talk.")
    chat.expect(r"The quick \*\*brown\*\* fox jumps\nover the lazy dog\.\nm> ")


def test_refusal_is_shown_as_one(chats, scripted, tmp_path):  # noqa: F811
    url = scripted(([], response(
        event({"refusal": "I can't help "}), event({"refusal": "with \x1b[2Jthat."}), event({}, "stop"), DONE)))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("Do it.")
    chat.expect(r"I can't help with ␛\[2Jthat\.\n\(the model refused\)\nm> ")
    assert "empty" not in chat.screen()
    piped = ask(tmp_path, "--url", url, "Do it.")
    assert (piped.returncode, piped.stdout) == (1, b"")
    assert piped.stderr.decode() == "headgate: the model refused: I can't help with ␛[2Jthat.\n"
    document = json.loads(ask(tmp_path, "--url", url, "--json", "Do it.").stdout)
    assert document["refusal"] == "I can't help with \x1b[2Jthat." and document["content"] == ""


def test_limit_shows_when_to_retry(chats, scripted, tmp_path):  # noqa: F811
    body = json.dumps({"error": {"message": "Slow down.", "type": "rate_limit_error"}})
    limit = {"status": 429, "headers": {"Content-Type": "application/json", "Retry-After": "20"}, "chunks": [{"text": body}]}
    url = scripted(([], limit))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("Hello.")
    chat.expect(r"Slow down\..* Try again in 20 s\. /retry asks again\.\nm> ")
    question = ask(tmp_path, "--url", url, "Hello.")
    assert question.returncode == 1 and question.stderr.endswith(b"Try again in 20 s.\n")


def test_reasoning_is_dim(chats, scripted, tmp_path):  # noqa: F811
    url = scripted(([], response(
        event({"reasoning_content": "Hm, "}), event({"reasoning_content": "let me see."}), event({"content": "Yes."}),
        event({}, "length"), DONE)))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("Is it?")
    chat.expect(r"Hm, let me see\.\n\nYes\.\n\(cut off at the limit of tokens\) /continue lets it go on\.\nm> ")
    assert b"\x1b[0;2mHm, " in chat.bytes()
    answer = ask(tmp_path, "--url", url, "Is it?")
    assert answer.stdout == b"Yes.\n" and b"limit of tokens" in answer.stderr
