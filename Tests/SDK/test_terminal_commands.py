"""Commands of `headgate chat` that change requests, and use or change replies."""

import base64
import json
import os
import signal
from pathlib import Path

from terminal_chats import chats, messages, own  # noqa: F401  (fixtures)
from test_swift_client import DONE, event, gateways, response, scripted, words  # noqa: F401  (fixtures)
from upstreams import TEXT, local_upstream  # noqa: F401  (a fixture)


def program(path, text: str):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_settings_are_set_listed_and_unset(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own, "--max-tokens", "99")
    chat.expect("plain> ")
    for line, said in (
            ("temperature 0.5", r"temperature  0\.5, from the next answer on\."), ("top-p=0.25", r"top_p        0\.25, "),
            ("seed 7", "seed         7, "), (r'stop "a b" \n', r'stop         "a b" "\\n", '), ("system 'Be brief.'", r"system       Be brief\., ")):
        chat.line(f"/set {line}")
        chat.expect(said + "(?s:.*)plain> ")
    chat.line("/set")
    chat.expect(
        r'\ntemperature  0\.5\ntop_p        0\.25\nmax_tokens   99\nseed         7\nstop         "a b" "\\n"\nsystem       Be brief\.\nplain> ')
    chat.line("One.")
    chat.expect("wörld\nplain> ")
    request = json.loads(local_upstream.requests[-1][2])
    assert {name: request[name] for name in ("temperature", "top_p", "max_tokens", "seed", "stop")} == {
        "temperature": 0.5, "top_p": 0.25, "max_tokens": 99, "seed": 7, "stop": ["a b", "\n"]}
    assert request["messages"][0] == {"role": "system", "content": "Be brief."}
    for name in ("temperature", "top_p", "max_tokens", "seed", "stop", "system"):
        chat.line(f"/unset {name}")
        chat.expect(f"{name} +not set, (?s:.*)plain> ")
    chat.line("Two.")
    chat.expect("wörld\nplain> ")
    request = json.loads(local_upstream.requests[-1][2])
    assert not {"temperature", "top_p", "max_tokens", "seed", "stop"} & request.keys()
    assert request["messages"][0]["role"] == "user"


def test_wrong_settings_show_the_valid_values(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own)
    for line, said in (
            ("/set temprature 1", r"There is no setting temprature: did you mean temperature\?"),
            ("/set temperature hot", "temperature is sampling temperature, from 0 to 2"),
            ("/set max_tokens 0", "max_tokens is the longest answer, in tokens"), ("/unset", "/unset needs a name"),
            ("/unset x", "There is no setting x: there are temperature, top_p, ")):
        chat.expect("plain> ")
        chat.line(line)
        chat.expect(said)
    assert local_upstream.requests == []


def test_quotes_around_a_system_prompt_are_removed(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own)
    for typed, meant in (('"Be kind."', "Be kind."), ("“Sei nett.”", "Sei nett."), ('Say "x" and "y"', 'Say "x" and "y"')):
        chat.expect("plain> ")
        chat.line(f"/system {typed}")
        chat.expect("plain> ")
        chat.line("Hello.")
        chat.expect("wörld")
        assert messages(local_upstream)[0] == {"role": "system", "content": meant}


def test_truncated_reply_continues_in_place(chats, scripted):  # noqa: F811
    cut = response(event({"content": "```python\nx = 1  # on"}), event({}, "length"), DONE)
    url = scripted(
        (["Next.", r'"```python\nx = 1  # one\ny = 2\n```"'], words("ok")),
        (["Go on exactly where", r'"```python\nx = 1  # on"'], words("e\ny ", "= 2\n```")),
        (["Whole."], words("whole")), ([], cut))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("/continue")
    chat.expect("there is no answer that could go on\nm> ")
    chat.line("Code.")
    chat.expect(r"# on\n\(cut off at the limit of tokens\) /continue lets it go on\.\nm> ")
    chat.line("/continue")
    chat.expect("\ne\ny = 2\n```\nm> ")
    # The continued text is still in the code block.
    assert chat.style("2").fg == "brown"
    chat.line("/continue")
    chat.expect("the last answer is whole: /retry asks for another one\nm> ")
    chat.line("Next.")
    chat.expect("\nok\nm> ")


def test_stopped_reply_can_be_continued(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own, "--model", "dripping")
    chat.expect("dripping> ")
    chat.line("Go.")
    chat.expect("drop drop ")
    chat.send("\x03")
    chat.expect(r"\(stopped\)\ndripping> ")
    chat.line("/model plain")
    chat.expect("plain> ")
    chat.line("/continue")
    chat.expect(f"{TEXT}\nplain> ")
    assert [message["role"] for message in messages(local_upstream)] == ["user", "assistant", "user"]
    chat.line("And?")
    chat.expect("wörld\nplain> ")
    roles = [message["role"] for message in messages(local_upstream)]
    assert roles == ["user", "assistant", "user"]
    whole = messages(local_upstream)[1]["content"]
    assert whole.startswith("drop drop ") and whole.endswith(TEXT)


def test_answer_is_copied_through_the_terminal(chats, scripted):  # noqa: F811
    answer = "Two:\n```sh\necho \x1b[201~1\n```\n- x\n  ```\n  two\n  ```\n"
    url = scripted(([], words(*answer)))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("/copy")
    chat.expect("there is no answer to copy yet\nm> ")
    chat.line("Code.")
    chat.expect("two\n(?s:.*)m> ")
    # Escape characters are replaced, so that text pasted into a terminal cannot end the paste.
    copies = {"": answer.replace("\x1b", "␛"), " 1": "echo ␛[201~1\n", " 2": "two\n"}
    for argument, copied in copies.items():
        chat.line(f"/copy{argument}")
        chat.expect(r"Copied .* through the terminal\.\nm> ")
        assert b"\x1b]52;c;" + base64.b64encode(copied.encode()) + b"\x07" in chat.bytes()
    for argument, said in (("3", "the last answer has 2 blocks of code"), ("0", "has 2 blocks"), ("x", "takes the number of a block")):
        chat.line(f"/copy {argument}")
        chat.expect(f"{said}.*\nm> ")


def test_answer_is_copied_with_a_program(chats, own, local_upstream, tmp_path):  # noqa: F811
    folder = tmp_path / "programs"
    folder.mkdir()
    # Like real clipboard programs, this one leaves a process behind that holds the text.
    program(folder / "wl-copy", f"cat >{tmp_path}/copied; sleep 300 & echo $! >>{tmp_path}/left")
    program(folder / "xclip", f"cat >{tmp_path}/x; exit 1")
    try:
        for variables, way, in (
                ({"WAYLAND_DISPLAY": "w"}, "with wl-copy and through the terminal"), ({"DISPLAY": ":9"}, "through the terminal"),
                ({"WAYLAND_DISPLAY": "w", "TERM": "dumb"}, "with wl-copy")):
            chat = chats(*own, PATH=f"{folder}:/usr/bin:/bin", **variables)
            chat.expect("plain> ")
            chat.line("One.")
            chat.expect("wörld\nplain> ")
            chat.line("/copy")
            chat.expect(rf"Copied the answer {way}\.\nplain> ")
            if "DISPLAY" not in variables:
                assert (tmp_path / "copied").read_text() == TEXT
    finally:
        for pid in (tmp_path / "left").read_text().split():
            os.kill(int(pid), signal.SIGKILL)
    dumb = chats(*own, PATH="/usr/bin:/bin", TERM="dumb")
    dumb.expect("plain> ")
    dumb.line("One.")
    dumb.expect("wörld\nplain> ")
    dumb.line("/copy")
    dumb.expect("there is no way to a clipboard")


def test_prompts_are_written_in_an_editor(chats, own, local_upstream, tmp_path):  # noqa: F811
    editor = program(
        tmp_path / "my editor",
        f'stat -c %a "$2" "$(dirname "$2")" >>{tmp_path}/modes; cat "$2" >>{tmp_path}/seen; touch "$2~"; echo "$2" >{tmp_path}/name\n'
        f'cp {tmp_path}/write "$2"')
    write = tmp_path / "write"
    chat = chats(*own, EDITOR="false", VISUAL=f"'{editor}' -x")
    chat.expect("plain> ")
    write.write_text("from the\neditor\n\n")
    chat.line("/edit")
    chat.expect("from the\neditor\nHello, wörld\nplain> ")
    assert messages(local_upstream) == [{"role": "user", "content": "from the\neditor"}]
    # The new text replaces the last prompt.
    write.write_text("better")
    chat.line("/edit last")
    chat.expect("better\nHello, wörld\nplain> ")
    assert messages(local_upstream) == [{"role": "user", "content": "better"}]
    assert (tmp_path / "seen").read_text() == "from the\neditor\n"
    chat.line("/edit last")
    chat.expect("Nothing was changed")
    write.write_text(" \n")
    chat.line("/edit something")
    chat.expect("Nothing was written, and nothing is sent.")
    assert (tmp_path / "seen").read_text().endswith("better\nsomething\n")
    assert len(local_upstream.requests) == 2
    assert set((tmp_path / "modes").read_text().split()) == {"600", "700"}
    # The editor's file is removed, and the terminal is restored.
    folder = (tmp_path / "name").read_text().rsplit("/", 1)[0]
    assert folder.startswith(f"{tmp_path}/headgate-") and not (tmp_path / folder).exists()
    chat.expect("plain> ")
    chat.send("\x1b[A\x1b[A\x1b[A")
    chat.shows("plain> better")


def test_reply_stays_if_regenerating_fails(chats, scripted, tmp_path):  # noqa: F811
    refusal = {
        "status": 400, "headers": {"Content-Type": "application/json"},
        "chunks": [{"text": json.dumps({"error": {"message": "too long", "type": "invalid_request_error"}})}]}
    url = scripted((["Worse."], refusal), (["One."], words("fine")))
    chat = chats("--url", url, EDITOR=str(program(tmp_path / "editor", 'echo "Worse." >"$1"')))
    chat.expect("m> ")
    chat.line("One.")
    chat.expect("fine\nm> ")
    for line in ("/edit last", "/retry"):
        chat.line(line)
        chat.expect(r"too long.*/retry asks again\.\nm> ")
    path = tmp_path / "talk.md"
    chat.line(f"/save {path}")
    chat.expect("Saved to")
    assert path.read_text() == "# Conversation with m\n\n## You\n\nOne.\n\n## m\n\nfine\n"


def test_editor_that_fails_sends_nothing(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own, EDITOR="exit 3; #")
    chat.expect("plain> ")
    chat.line("/edit")
    chat.expect(r"the editor .* ended with code 3: nothing is sent\nplain> ")
    assert local_upstream.requests == []


def test_text_of_a_failed_editor_is_kept(chats, own, local_upstream, tmp_path):  # noqa: F811
    editor = program(tmp_path / "editor", f'echo "much work" >"$1"; echo "$1" >{tmp_path}/name; exit 3')
    chat = chats(*own, columns=400, EDITOR=str(editor))
    chat.expect("plain> ")
    chat.line("/edit")
    chat.expect(r"ended with code 3: nothing is sent \(what was written stays in .*prompt\.md\)\nplain> ")
    assert Path((tmp_path / "name").read_text().strip()).read_text() == "much work\n"
    assert local_upstream.requests == []


def test_editor_has_the_terminal(chats, own, local_upstream, tmp_path):  # noqa: F811
    editor = program(tmp_path / "editor", 'echo "what is it"; read line; echo "$line" >"$1"')
    chat = chats(*own, EDITOR=str(editor))
    chat.expect("plain> ")
    chat.line("/edit")
    chat.expect("what is it")
    chat.line("typed here")
    chat.expect("typed here\ntyped here\nHello, wörld\nplain> ")
    assert messages(local_upstream) == [{"role": "user", "content": "typed here"}]
    chat.line("/edit")
    chat.expect("what is it")
    chat.send("\x03")
    chat.expect(r"the editor .* ended with (signal 2|code 130): nothing is sent\nplain> ")
    chat.line("Still here.")
    chat.expect("wörld\nplain> ")
