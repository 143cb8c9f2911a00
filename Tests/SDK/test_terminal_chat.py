"""`headgate chat` on a terminal and in pipes: what a person sees, and what the upstream is asked."""

import json
import os
import signal
import stat
import subprocess

import pytest

from conftest import binary
from gateways import KEY, UPSTREAM_KEY, gateways, surroundings, wait_until  # noqa: F401  (a fixture)
from terminal import Terminal
from test_on_device import descendants, gone
from test_swift_client import DONE, event, reply, scripted, words  # noqa: F401  (a fixture)
from upstreams import TEXT, local_upstream  # noqa: F401  (a fixture)

RUN_SECONDS = 30
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def chat_environment(folder, **variables) -> dict:
    return surroundings(folder, **{"TERM": "xterm-256color", "LANG": "C.UTF-8", "HEADGATE_KEY": KEY, **variables})


def ask(folder, *arguments, text=None, **variables) -> subprocess.CompletedProcess:
    """A question without a terminal; the answer as bytes."""
    done = subprocess.run(
        [binary("headgate"), "chat", *map(str, arguments)], capture_output=True, timeout=RUN_SECONDS,
        input=None if text is None else text.encode(), stdin=subprocess.DEVNULL if text is None else None,
        env=chat_environment(folder, **variables))
    for output in (done.stdout, done.stderr):
        assert KEY.encode() not in output and UPSTREAM_KEY.encode() not in output
    return done


@pytest.fixture
def chats(tmp_path):
    """Opens chats on terminals of their own, and ends those that are left."""
    open_chats = []

    def start(*arguments, columns=200, **variables) -> Terminal:
        command = [binary("headgate"), "chat", *arguments]
        terminal = Terminal(command, chat_environment(tmp_path, **variables), columns)
        open_chats.append(terminal)
        return terminal

    yield start
    for terminal in open_chats:
        terminal.end()
        assert KEY not in terminal.screen() and UPSTREAM_KEY not in terminal.screen()


@pytest.fixture
def own(tmp_path, local_upstream):  # noqa: F811
    """Arguments of a chat that starts a gateway for itself, before an upstream that the test controls."""
    path = tmp_path / "own.yaml"
    path.write_text(
        "listen: 127.0.0.1:1\n"
        f'upstreams: {{local: {{kind: openai, base_url: "{local_upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        "models: {plain: {upstream: local}, gated: {upstream: local}, dripping: {upstream: local}}\n")
    return ["--config", path]


def messages(upstream, index=-1) -> list[dict]:
    return json.loads(upstream.requests[index][2])["messages"]


# A conversation


def test_answer_is_seen_to_grow(chats, own, local_upstream):  # noqa: F811
    chat = chats(*own, "--model", "gated")
    chat.expect("gated> ")
    chat.line("Say it.")
    chat.expect("\nHel$")
    local_upstream.release.set()
    chat.expect("lo, wörld\ngated> ")
    chat.line("/quit")
    assert chat.wait() == 0


def test_stopped_answer_is_kept_and_the_upstream_is_closed(chats, own, local_upstream):  # noqa: F811
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


def test_commands_change_what_is_asked(chats, own, local_upstream):  # noqa: F811
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
    chat.expect("does not list it.*\nother> ")
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
    # Wide characters take two columns, and are removed as one.
    chat.send("日本語x\x7f\x7f!\x1b[D\x1b[D-")
    chat.shows("plain> 日 ?-本 ?!")
    chat.send("\r")
    chat.expect("wörld\nplain> ")
    assert messages(local_upstream) == [{"role": "user", "content": "日-本!"}]
    chat.send("/mo\tdr\t\r")
    chat.expect("dripping> ")
    chat.send("/s\t")
    chat.expect("/system  /save")
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


def test_chat_can_be_stopped_and_goes_on_in_a_shell(own, local_upstream, tmp_path):  # noqa: F811
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
    answer = reply(event({"content": "An **answer**."}), event({}, "stop"), usage, DONE)
    url = scripted((["Break."], reply(event({"content": "half"}), end="cut")), ([], answer))
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
    assert (saved["format"], saved["version"]) == ("headgate-conversations", 1)
    [conversation] = saved["conversations"]
    assert (conversation["title"], conversation["model"], conversation["instructions"]) == ("Ask.", "m", "Be kind.")
    assert [m["content"] for m in conversation["messages"]] == ["Ask.", "An **answer**.", "Break.", "half"]
    assert conversation["messages"][1]["usage"] == {"prompt": 7, "completion": 5}
    assert conversation["messages"][1]["timing"]["total"] >= conversation["messages"][1]["timing"]["first"] > 0
    assert conversation["messages"][3]["error"]["message"]
    assert "## You\n\nAsk.\n\n## m\n\nAn **answer**.\n" in text.read_text()
    assert stat.S_IMODE(text.stat().st_mode) == 0o600
    # Somebody else's file stays.
    other = tmp_path / "other.md"
    other.write_text("mine")
    chat.line(f"/save {other}")
    chat.expect("exists: choose another name")
    assert other.read_text() == "mine"


def test_failure_is_shown_and_the_conversation_goes_on(chats, scripted, tmp_path):  # noqa: F811
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
    # What failed is asked again, and what was answered before stays.
    for text in ("Three.", "/retry"):
        chat.line(text)
        chat.expect(r"too .*/retry asks again\.\nm> ")
    path = tmp_path / "talk.md"
    chat.line(f"/save {path}")
    chat.expect("Saved to")
    assert path.read_text() == "# Conversation with m\n\n## You\n\nTwo.\n\n## m\n\nfine\n"


def test_model_cannot_command_the_terminal(chats, scripted):  # noqa: F811
    evil = "\x1b]0;owned\x07\x1b[31m\x1b[?2004h\x9b2Ja\rb\x1bPq\x1b\\\x07\x7f\x08"
    thought = "\x1b[1m\x1b]52;c;eA==\x07"
    url = scripted(([], reply(
        event({"reasoning_content": thought}), event({"content": evil}), event({"content": f"`{evil}`\n```\n{evil}\n```\n"}),
        event({"content": f"| {evil} |\n[{evil}]({evil})"}), event({}, "stop"), DONE)))
    chat = chats("--url", url)
    chat.expect("m> ")
    before = len(chat.bytes())
    chat.line("Hello.")
    chat.expect("(?s)owned.*m> ")
    written = chat.bytes()[before:]
    styles = {f"\x1b[0{codes}m".encode() for codes in ("", ";1", ";2", ";36", ";4", ";2;36", ";2;4")}
    # What the editor itself writes around a prompt.
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


def test_reasoning_is_dim(chats, scripted, tmp_path):  # noqa: F811
    url = scripted(([], reply(
        event({"reasoning_content": "Hm, "}), event({"reasoning_content": "let me see."}), event({"content": "Yes."}),
        event({}, "length"), DONE)))
    chat = chats("--url", url)
    chat.expect("m> ")
    chat.line("Is it?")
    chat.expect(r"Hm, let me see\.\n\nYes\.\n\(cut off at the limit of tokens\)\nm> ")
    assert b"\x1b[0;2mHm, " in chat.bytes()
    answer = ask(tmp_path, "--url", url, "Is it?")
    assert answer.stdout == b"Yes.\n" and b"limit of tokens" in answer.stderr


# One question


def test_answer_in_a_pipe_is_what_the_model_wrote(scripted, tmp_path):  # noqa: F811
    wild = "**a** \x1b[31m\r\n```\n\twörld 🌍"
    url = scripted(
        (['"Sum it up.\\n\\nline one\\nline two\\n"'], words("both")), (['"line one\\n"'], words("input")),
        (['"temperature":0.5', '"max_tokens":9', '"Speak French."', '"b c"'], words("options")), ([], words(*wild)))
    answer = ask(tmp_path, "--url", url, "Hello.")
    assert (answer.returncode, answer.stdout.decode(), answer.stderr) == (0, wild + "\n", b"")
    assert ask(tmp_path, "--url", url, text="line one\n").stdout == b"input\n"
    assert ask(tmp_path, "--url", url, "Sum it up.", text="line one\nline two\n").stdout == b"both\n"
    options = ["--temperature", "0.5", "--max-tokens", "9", "--system", "Speak French.", "--model", "m"]
    assert ask(tmp_path, "--url", url, *options, "b", "c").stdout == b"options\n"
    # No history of what is asked in passing.
    assert not (tmp_path / ".local").exists()


def test_answer_ends_with_its_reader(own, local_upstream, tmp_path):  # noqa: F811
    process = subprocess.Popen(
        [binary("headgate"), "chat", *own, "--model", "dripping", "Go on."], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=chat_environment(tmp_path))
    try:
        assert process.stdout.read(5) == b"drop "
        process.stdout.close()
        assert process.wait(RUN_SECONDS) == 1
    finally:
        process.kill()
    wait_until(lambda: local_upstream.problems, "the end of the upstream's answer")
    assert process.stderr.read() == b"headgate: starting a gateway for this command ...\n"


def test_answer_as_json(scripted, tmp_path):  # noqa: F811
    url = scripted((["cut"], reply(event({"content": "par"}), end="cut")), ([], words("fi", "ne")))
    whole = ask(tmp_path, "--url", url, "--json", "Hello.")
    document = json.loads(whole.stdout)
    timing = document.pop("timing")
    assert timing["total_seconds"] >= timing["first_token_seconds"] >= 0
    assert document == {"model": "m", "content": "fine", "finish_reason": "stop", "is_complete": True}
    assert whole.returncode == 0 and whole.stdout.count(b"\n") == 1
    broken = ask(tmp_path, "--url", url, "--json", "cut")
    document = json.loads(broken.stdout)
    assert broken.returncode == 1
    assert (document["content"], document["is_complete"]) == ("par", False) and document["error"]


def test_failures_have_an_exit_code_and_a_reason(scripted, tmp_path):  # noqa: F811
    url = scripted(([], reply(event({"content": "par"}), end="cut")))
    cut = ask(tmp_path, "--url", url, "Hello.")
    assert (cut.returncode, cut.stdout) == (1, b"par\n") and cut.stderr.startswith(b"headgate: ")
    refused = ask(tmp_path, "--url", url, "Hello.", HEADGATE_KEY="hg-wrong")
    assert refused.returncode == 1 and b"401" in refused.stderr and b"--key-file" in refused.stderr
    assert b"hg-wrong" not in refused.stderr
    assert ask(tmp_path, "--url", url).returncode == 64
    assert ask(tmp_path, "--url", "htp://x", "Hello.").returncode == 1
    assert ask(tmp_path, "--config", tmp_path / "none.yaml", "Hello.").returncode == 78
    unreachable = ask(tmp_path, "--url", "http://127.0.0.1:1", "Hello.")
    assert unreachable.returncode == 1 and b"Is it running?" in unreachable.stderr


def test_signals_end_a_question(chats, own, local_upstream, tmp_path):  # noqa: F811
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = subprocess.Popen(
            [binary("headgate"), "chat", *own, "--model", "dripping", "Go on."], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=chat_environment(tmp_path))
        try:
            assert process.stdout.read(5) == b"drop "
            process.send_signal(number)
            rest = process.communicate(timeout=RUN_SECONDS)[0]
        finally:
            process.kill()
        assert process.returncode == code
        assert rest.endswith(b"\n")
    wait_until(lambda: len(local_upstream.problems) == 2, "the end of the upstream's answers")


# The gateway of a chat


def test_running_gateway_is_found_with_the_key_it_made(chats, gateways, local_upstream, tmp_path):  # noqa: F811
    text = (
        f'upstreams: {{local: {{kind: openai, base_url: "{local_upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
        "models: {plain: {upstream: local}}\n")
    shared = {"XDG_CONFIG_HOME": str(gateways.folder / "config")}
    for listen in (f"unix:{gateways.folder}/hg.sock", "127.0.0.1:0"):
        gateway = gateways.start(f'listen: "{listen}"\n{text}', name="made")
        if listen == "127.0.0.1:0":
            gateway.write(f'listen: "{gateway.urls[0].removeprefix("http://")}"\n{text}')
        answer = ask(tmp_path, "--config", gateway.path, "Hello.", HEADGATE_KEY="", **shared)
        assert (answer.stdout.decode(), answer.stderr) == (TEXT + "\n", b"")
        assert '"route":' not in answer.stderr.decode()
        assert gateway.stop() == 0


def test_configured_keys_come_from_the_environment_or_a_file(scripted, tmp_path):  # noqa: F811
    url = scripted(([], words("in")))
    assert ask(tmp_path, "Hello.", HEADGATE_URL=url).stdout == b"in\n"
    path = tmp_path / "key"
    path.write_text(KEY + "\n")
    assert ask(tmp_path, "--key-file", path, "Hello.", HEADGATE_URL=f"{url}/v1", HEADGATE_KEY="").stdout == b"in\n"
    assert ask(tmp_path, "Hello.", HEADGATE_URL=url, HEADGATE_KEY="").returncode == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, None])
def test_gateway_of_its_own_ends_with_the_chat(chats, own, number):
    chat = chats(*own)
    chat.expect("through a gateway of its own")
    chat.expect("plain> ")
    settings = chat.modes()
    children = [os.pidfd_open(pid) for pid in descendants(chat.pid)]
    assert len(children) == 1
    assert KEY not in "".join(open(f"/proc/{pid}/cmdline").read() for pid in descendants(chat.pid))
    if number:
        chat.signal(number)
    else:
        chat.send("\x04")
    assert chat.wait() == (0 if number is None else -number if number == signal.SIGKILL else 128 + number)
    assert gone(children)
    for descriptor in children:
        os.close(descriptor)
    assert settings


def test_gateway_that_cannot_start_says_why(tmp_path, own):
    # Its own upstream: found only by the gateway itself, when it starts.
    path = tmp_path / "broken.yaml"
    path.write_text('upstreams: {a: {kind: openai, base_url: "https://127.0.0.1:1/v1", ca: "/nonexistent.pem"}}\n')
    answer = ask(tmp_path, "--config", path, "Hello.")
    assert answer.returncode in (1, 78)
    assert b"nonexistent.pem" in answer.stderr
    companion = subprocess.run(
        [binary("headgate"), "serve", "--companion"], capture_output=True, timeout=RUN_SECONDS,
        env=chat_environment(tmp_path), stdin=subprocess.DEVNULL)
    assert companion.returncode == 1 and b"--companion is for" in companion.stderr


def test_model_of_this_device_that_cannot_run_says_why(tmp_path):
    answer = ask(tmp_path, "Hello.", PATH="/nonexistent", HEADGATE_LISTEN="127.0.0.1:1")
    assert (answer.returncode, answer.stdout) == (1, b"")
    assert b"has no model: python3 is not installed" in answer.stderr


def test_start_of_a_gateway_can_be_given_up(chats, tmp_path):
    # A python3 that never says anything.
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\nexec sleep 1000\n")
    python.chmod(0o755)
    chat = chats(PATH=f"{tmp_path}:/usr/bin:/bin", HEADGATE_LISTEN="127.0.0.1:1")
    chat.expect("starting a gateway")
    children = wait_until(lambda: len(found := descendants(chat.pid)) == 2 and found, "a gateway with its program")
    descriptors = [os.pidfd_open(pid) for pid in children]
    chat.send("\x03")
    assert chat.wait() == 130
    assert gone(descriptors)


def test_real_model_answers_without_any_setup(chats, tmp_path):
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    chat = chats("--max-tokens", "12", XDG_DATA_HOME=data, HEADGATE_LISTEN="127.0.0.1:1", **pip)
    chat.expect("on-device model: ")
    chat.expect("smollm2> ")
    chat.line("Say hello.")
    chat.expect(r"\S[\s\S]*\nsmollm2> ")
    chat.line("/usage")
    chat.expect(r"\d+ tokens in, \d+ out")
    children = [os.pidfd_open(pid) for pid in descendants(chat.pid)]
    assert len(children) > 1
    chat.expect("smollm2> ")
    chat.send("\x04")
    assert chat.wait() == 0
    assert gone(children)
