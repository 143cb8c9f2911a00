"""Conversations of `headgate chat`: stored, listed and continued."""

import json
import os
import stat

from gateways import KEY, UPSTREAM_KEY, wait_until
from listing_upstreams import listing  # noqa: F401  (a fixture)
from terminal_chats import ask, chats, messages, own  # noqa: F401  (fixtures)
from upstreams import STREAM_END, TEXT, event, local_upstream  # noqa: F401  (a fixture)


def talk(chats, own, *prompts, arguments=()):  # noqa: F811
    """Runs a chat with these prompts, and leaves it."""
    chat = chats(*own, *arguments)
    chat.expect("plain> ")
    for prompt in prompts:
        chat.line(prompt)
        chat.expect("plain> ")
    chat.send("\x04")
    assert chat.wait() == 0


def contents(upstream) -> list[str]:
    return [message["content"] for message in messages(upstream)]


def test_last_conversation_is_continued(chats, own, local_upstream, tmp_path):  # noqa: F811
    talk(chats, own, "/set temperature 0.5", "/system Be kind.", "One.")
    [path] = (tmp_path / ".local/state/headgate/chats").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert KEY not in path.read_text() and UPSTREAM_KEY not in path.read_text()
    chat = chats(*own, "--continue")
    chat.expect(f"> One\\.\n{TEXT}\n(?s:.*)plain> ")
    chat.line("Two.")
    chat.expect("wörld\nplain> ")
    assert contents(local_upstream) == ["Be kind.", "One.", TEXT, "Two."]
    assert json.loads(local_upstream.requests[-1][2])["temperature"] == 0.5
    chat.line("/retry")
    chat.expect("wörld\nplain> ")
    assert contents(local_upstream) == ["Be kind.", "One.", TEXT, "Two."]
    # The list has one conversation, because the second chat continued it.
    listed = ask(tmp_path, "--list")
    assert listed.returncode == 0 and listed.stderr == b""
    [line] = listed.stdout.decode().splitlines()
    assert line.startswith("  1  20") and line.endswith("  plain  4 messages  One.")


def test_question_continues_a_stored_conversation(chats, own, local_upstream, tmp_path):  # noqa: F811
    talk(chats, own, "One.")
    answer = ask(tmp_path, *own, "--continue", "Two.")
    assert (answer.returncode, answer.stdout.decode()) == (0, TEXT + "\n")
    assert contents(local_upstream) == ["One.", TEXT, "Two."]
    document = json.loads(ask(tmp_path, *own, "--load", "1", "--json", text="Three.").stdout)
    assert document["content"] == TEXT
    assert contents(local_upstream) == ["One.", TEXT, "Two.", TEXT, "Three."]
    assert ask(tmp_path, *own, "--load", "1", "--no-history", "Four.").returncode == 0
    assert contents(local_upstream)[-1] == "Four."
    # A question without `--continue` or `--load` is not stored.
    assert ask(tmp_path, *own, "Five.").returncode == 0
    assert ask(tmp_path, "--list").stdout.decode().endswith("  plain  6 messages  One.\n")


def test_conversations_are_listed_and_loaded(chats, own, local_upstream, tmp_path):  # noqa: F811
    talk(chats, own, "First.")
    talk(chats, own, "Second.", "More.")
    folder = tmp_path / ".local/state/headgate/chats"
    for path in folder.iterdir():
        is_first = "First." in path.read_text()
        os.utime(path, (1_700_000_000 + 100 * (not is_first),) * 2)
    chat = chats(*own)
    chat.expect("plain> ")
    chat.line("/sessions")
    chat.expect(r"\n  1  20\S+ \S+  plain  4 messages  Second\.\n  2  20\S+ \S+  plain  2 messages  First\.\n.*\nplain> ")
    chat.line("/load 2")
    chat.expect(rf"> First\.\n{TEXT}\nGoing on with 2 messages, talking to plain\.\nplain> ")
    chat.line("/sessions")
    chat.expect(r"\n  1 .*\n\* 2 .*First\.\n(?s:.*)plain> ")
    chat.line("Third.")
    chat.expect("wörld\nplain> ")
    assert contents(local_upstream) == ["First.", TEXT, "Third."]
    chat.line("/load 3")
    chat.expect("there is no conversation 3: /sessions lists those that are kept\nplain> ")
    chat.line("/load")
    chat.expect("/load needs a number")
    chat.line("/new")
    chat.expect("plain> ")
    chat.line("Fourth.")
    chat.expect("wörld\nplain> ")
    assert contents(local_upstream) == ["Fourth."]
    assert len(list(folder.iterdir())) == 3


def test_conversations_are_deleted_after_a_question(chats, own, local_upstream, tmp_path):  # noqa: F811
    for number, prompt in enumerate(("First.", "Second.", "Third.")):
        talk(chats, own, prompt)
        for path in (tmp_path / ".local/state/headgate/chats").iterdir():
            if prompt in path.read_text():
                os.utime(path, (1_700_000_000 + number,) * 2)
    folder = tmp_path / ".local/state/headgate/chats"

    def kept() -> str:
        return "".join(path.read_text() for path in folder.iterdir())

    chat = chats(*own, "--load", "1")
    chat.expect("plain> ")
    # Any reply but yes keeps the conversation, and so does Ctrl-C.
    for answer in ("", "no", "\x03"):
        chat.line("/delete 2")
        chat.expect(r"Delete conversation 2, “Second\.”\? \[y/N\] ")
        if answer == "\x03":
            chat.send(answer)
        else:
            chat.line(answer)
        chat.expect("Nothing is deleted\\.\nplain> ")
    assert "Second." in kept()
    chat.line("/delete 2")
    chat.expect(r"\[y/N\] ")
    chat.line("y")
    chat.expect("Conversation 2 is deleted\\. .*\nplain> ")
    assert "Second." not in kept() and "First." in kept() and "Third." in kept()
    # The other conversations keep their numbers.
    for wrong, said in (("2", "conversation 2 is gone already"), ("4", "there is no conversation 4"), ("x", "/delete needs a number"), ("", "/delete needs a number")):
        chat.line(f"/delete {wrong}")
        chat.expect(f"{said}(?s:.*)plain> ")
    # The next reply does not restore the deleted current conversation.
    chat.line("/delete 1")
    chat.expect(r"“Third\.”\? \[y/N\] ")
    chat.line("yes")
    chat.expect("Conversation 1 is deleted\\. .*\nA new conversation\\.\nplain> ")
    chat.line("Fourth.")
    chat.expect("wörld\nplain> ")
    assert contents(local_upstream) == ["Fourth."]
    assert "Third." not in kept() and "Fourth." in kept() and len(list(folder.iterdir())) == 2
    chat.line("/sessions")
    chat.expect("Fourth(?s:.*)First(?s:.*)plain> ")
    chat.send("/del\t")
    chat.shows("plain> /delete ")


def test_deletion_can_be_undone_until_the_chat_ends(chats, own, local_upstream, tmp_path):  # noqa: F811
    folder = tmp_path / ".local/state/headgate/chats"
    for number, prompt in enumerate(("First.", "Second.", "Third.")):
        talk(chats, own, prompt)
        [path] = [path for path in folder.iterdir() if prompt in path.read_text()]
        os.utime(path, (1_700_000_000 + number,) * 2)
    before = {path: (path.read_text(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    (folder / "broken.json").write_text("{")
    os.utime(folder / "broken.json", (1_600_000_000,) * 2)
    chat = chats(*own, "--load", "1")
    chat.expect("plain> ")
    chat.line("/undelete")
    chat.expect("nothing has been deleted here that could be brought back\nplain> ")
    for number, title in ((4, "that cannot be read, for good"), (2, "“Second.”"), (1, "“Third.”")):
        chat.line(f"/delete {number}")
        chat.expect(rf"Delete conversation {number}, {title}\? \[y/N\] ")
        chat.line("y")
        is_back = "" if number == 4 else " /undelete brings it back until you leave\\."
        chat.expect(rf"Conversation {number} is deleted\.{is_back}\n(?s:.*)plain> ")
    assert len(list(folder.iterdir())) == 1
    # The conversation that was deleted last is restored first, with its old time and number.
    for number, title in ((1, "Third"), (2, "Second")):
        chat.line("/undelete")
        chat.expect(rf"“{title}\.” is back\. /load {number} goes on with it\.\nplain> ")
    assert {path: (path.read_text(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in before)
    chat.line("/undelete")
    chat.expect("nothing has been deleted here that could be brought back\nplain> ")
    chat.line("/load 2")
    chat.expect(r"Going on with 2 messages, talking to plain\.\nplain> ")
    chat.line("More.")
    chat.expect("wörld\nplain> ")
    assert contents(local_upstream) == ["Second.", TEXT, "More."]
    assert len(list(folder.iterdir())) == 3


def test_restored_conversation_does_not_replace_a_continued_copy(chats, own, tmp_path):  # noqa: F811
    folder = tmp_path / ".local/state/headgate/chats"
    talk(chats, own, "One.")
    [path] = folder.iterdir()
    other = chats(*own, "--continue")
    other.expect("plain> ")
    chat = chats(*own)
    chat.expect("plain> ")
    chat.line("/delete 1")
    chat.expect(r"\[y/N\] ")
    chat.line("y")
    chat.expect("is deleted(?s:.*)plain> ")
    other.line("Two.")
    other.expect("wörld\nplain> ")
    chat.line("/undelete")
    chat.expect(r"“One\.” is back\. /sessions lists it\.\nplain> ")
    [back] = set(folder.iterdir()) - {path}
    assert "Two." in path.read_text() and "One." in back.read_text() and "Two." not in back.read_text()


def test_concurrent_additions_during_the_model_query_stay(chats, own, listing, tmp_path):  # noqa: F811
    talk(chats, own, "One.")
    [path] = (tmp_path / ".local/state/headgate/chats").iterdir()
    upstream = listing("plain")
    model = {"id": "plain", "object": "model", "created": 1, "owned_by": "test"}
    upstream.body = json.dumps({"object": "list", "data": [model]}).encode()
    upstream.answer = event("Good.") + STREAM_END
    upstream.gate.clear()
    chat = chats("--url", upstream.url, "--continue")
    # The chat has read the conversation before it requests the models.
    wait_until(lambda: upstream.asked, "a question for models")
    longer = path.read_text().replace("One.", "One, and what the other chat has added.")
    (tmp_path / "longer.json").write_text(longer)
    (tmp_path / "longer.json").rename(path)
    upstream.gate.set()
    chat.expect("plain> ")
    chat.line("Two.")
    chat.expect("Good\\.\nplain> ")
    assert path.read_text() == longer
    [mine] = set(path.parent.iterdir()) - {path}
    assert "Two." in mine.read_text() and "One." in mine.read_text()


def test_stored_files_can_have_any_time_and_number(chats, own, local_upstream, tmp_path):  # noqa: F811
    talk(chats, own, "One.")
    [path] = (tmp_path / ".local/state/headgate/chats").iterdir()
    document = json.loads(path.read_text())
    conversation = document["conversations"][0]
    conversation["updated"] = 1e300
    conversation["messages"][1]["usage"] = {"prompt": 1e300, "completion": 9_007_199_254_740_991}
    conversation["messages"][1]["timing"] = {"first": -1e300, "total": 1e300}
    path.write_text(json.dumps(document))
    # The largest time that a common file system stores.
    os.utime(path, (0, 1 << 33))
    assert ask(tmp_path, "--list").stdout.decode().endswith("  plain  2 messages  One.\n")
    talk(chats, own, "/usage", "Two.", "/usage", arguments=["--continue"])
    assert contents(local_upstream) == ["One.", TEXT, "Two."]
    os.utime(path, (0, -(1 << 31)))
    assert ask(tmp_path, "--list").returncode == 0


def test_another_conversation_does_not_replace_a_saved_one(chats, own, tmp_path):  # noqa: F811
    path = tmp_path / "talk.md"
    chat = chats(*own)
    chat.expect("plain> ")
    for before in ("First.", "/new", "Second."):
        chat.line(before)
        chat.expect("plain> ")
        if before == "First.":
            chat.line(f"/save {path}")
            chat.expect("Saved to .*\nplain> ")
    chat.line(f"/save {path}")
    chat.expect("exists: choose another name\nplain> ")
    assert "First." in path.read_text()


def test_saved_file_is_loaded(chats, own, local_upstream, tmp_path):  # noqa: F811
    talk(chats, own, "One.", f"/save {tmp_path}/a\\ b.json")
    # A file as the web chat exports it, with a hidden branch.
    document = {"format": "headgate-conversations", "version": 2, "conversations": [{
        "id": "c", "title": "t", "updated": 1, "model": "gone", "instructions": "", "settings": {"temperature": 1}, "tip": "4", "messages": [
            {"id": "1", "parent": "", "role": "user", "content": "Hi \x1b[2J.", "attachments": [{"name": "a.txt", "type": "text/plain", "data": "YWJj"}]},
            {"id": "2", "parent": "1", "role": "assistant", "content": "not this"},
            {"id": "3", "parent": "1", "role": "assistant", "content": "this \x1b[2J", "finish": "length"},
            {"id": "4", "parent": "3", "role": "user", "content": "open"}]}]}
    (tmp_path / "web.json").write_text(json.dumps(document))
    chat = chats(*own)
    chat.expect("plain> ")
    chat.line(f"/load {tmp_path}/web.json")
    # The exported conversation's model does not exist here.
    chat.expect(r"Going on with 2 messages, talking to plain\.\nplain> ")
    chat.line("/retry")
    chat.expect("wörld\nplain> ")
    sent = contents(local_upstream)
    assert sent == ["File “a.txt”:\n```\nabc\n```\n\nHi \x1b[2J.", "this \x1b[2J", "open"]
    assert b"\x1b[2J" not in chat.bytes()
    started = chats(*own, "--load", tmp_path / "a b.json", "--system", "Be new.")
    started.expect(f"> One\\.\n{TEXT}\n(?s:.*)plain> ")
    started.line("Two.")
    started.expect("wörld\nplain> ")
    assert contents(local_upstream) == ["Be new.", "One.", TEXT, "Two."]
    for name, text, said in (
            ("broken", "{", "is no conversation"), ("other", '{"format": "x", "version": 1, "conversations": []}', "is no conversation"),
            ("none", json.dumps({**document, "conversations": []}), "holds no conversation"),
            ("role", json.dumps({**document, "conversations": [{"messages": [{"role": "tool", "content": ""}]}]}), "neither a prompt nor an answer"),
            ("image", json.dumps({**document, "conversations": [{"messages": [{"role": "user", "content": "", "attachments": [
                {"name": "x", "type": "image/png", "data": "AAAA"}]}]}]}), "cannot be sent")):
        (tmp_path / name).write_text(text)
        chat.line(f"/load {tmp_path / name}")
        chat.expect(f"{said}.*\nplain> ")
    chat.line(f"/load {tmp_path}/missing")
    chat.expect("cannot read .*: No such file")
    os.mkfifo(tmp_path / "pipe")
    chat.expect("plain> ")
    chat.line(f"/load {tmp_path}/pipe")
    chat.expect("is no file")


def test_names_in_stored_files_cannot_control_the_terminal(chats, own, tmp_path):  # noqa: F811
    talk(chats, own, "One.")
    [path] = (tmp_path / ".local/state/headgate/chats").iterdir()
    document = json.loads(path.read_text())
    document["conversations"][0]["messages"][0]["content"] = "\x1b[2Jevil\nname"
    document["conversations"][0]["model"] = "\x1b]0;m\x07"
    path.write_text(json.dumps(document))
    (path.parent / "broken.json").write_text("{")
    listed = ask(tmp_path, "--list")
    assert b"\x1b" not in listed.stdout and "␛[2Jevil name" in listed.stdout.decode()
    assert listed.stdout.count(b"\n") == 2 and b"(cannot be read)" in listed.stdout


def test_two_chats_with_one_conversation_keep_both(chats, own, tmp_path):  # noqa: F811
    talk(chats, own, "One.")
    folder = tmp_path / ".local/state/headgate/chats"
    both = [chats(*own, "--continue") for _ in range(2)]
    for chat, prompt in zip(both, ("Left.", "Right.")):
        chat.expect("plain> ")
        chat.line(prompt)
        chat.expect("wörld\nplain> ")
    said = ["".join(path.read_text()) for path in folder.iterdir()]
    assert len(said) == 2 and sum("Left." in text for text in said) == 1 and sum("Right." in text for text in said) == 1


def test_nothing_is_stored_if_storage_is_off(chats, own, tmp_path):  # noqa: F811
    talk(chats, own, "One.", arguments=["--no-history"])
    assert not (tmp_path / ".local").exists()
    assert ask(tmp_path, "--list").stdout == b"No conversations are kept.\n"
    chat = chats(*own, "--continue")
    chat.expect("no conversations are kept")
    assert chat.wait() == 1
    assert ask(tmp_path, "--continue", "Hello.").returncode == 1
    assert ask(tmp_path, "--list", "--load", "1").returncode == 64


def test_oldest_conversations_are_removed(chats, own, tmp_path):  # noqa: F811
    folder = tmp_path / ".local/state/headgate/chats"
    folder.mkdir(parents=True)
    for number in range(205):
        path = folder / f"{number}.json"
        path.write_text("{}")
        os.utime(path, (1_000_000 + number,) * 2)
    talk(chats, own, "One.")
    names = {path.name for path in folder.iterdir()}
    assert len(names) == 200 and "5.json" not in names and "6.json" in names
