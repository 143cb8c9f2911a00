"""`headgate chat` for a single reply, and the gateway that it finds or starts."""

import json
import os
import signal
import subprocess

import pytest

from conftest import binary
from gateways import KEY, gateways, wait_until  # noqa: F401  (a fixture)
from terminal_chats import RUN_SECONDS, ask, chat_environment, chats, own  # noqa: F401  (fixtures)
from test_on_device import descendants, gone
from test_swift_client import event, response, scripted, words  # noqa: F401  (a fixture)
from upstreams import TEXT, local_upstream  # noqa: F401  (a fixture)


# One question


def test_reply_in_a_pipe_is_the_models_text(scripted, tmp_path):  # noqa: F811
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
    # One-off questions are not stored.
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
    url = scripted((["cut"], response(event({"content": "par"}), end="cut")), ([], words("fi", "ne")))
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
    url = scripted(([], response(event({"content": "par"}), end="cut")))
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


def test_configured_keys_are_read_from_the_environment_or_a_file(scripted, tmp_path):  # noqa: F811
    url = scripted(([], words("in")))
    assert ask(tmp_path, "Hello.", HEADGATE_URL=url).stdout == b"in\n"
    path = tmp_path / "key"
    path.write_text(KEY + "\n")
    assert ask(tmp_path, "--key-file", path, "Hello.", HEADGATE_URL=f"{url}/v1", HEADGATE_KEY="").stdout == b"in\n"
    assert ask(tmp_path, "Hello.", HEADGATE_URL=url, HEADGATE_KEY="").returncode == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, None])
def test_own_gateway_ends_with_the_chat(chats, own, number):
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


def test_unstartable_gateway_shows_the_reason(tmp_path, own):
    # Only the gateway itself notices at its start that the file of authorities is missing.
    path = tmp_path / "broken.yaml"
    path.write_text('upstreams: {a: {kind: openai, base_url: "https://127.0.0.1:1/v1", ca: "/nonexistent.pem"}}\n')
    answer = ask(tmp_path, "--config", path, "Hello.")
    assert answer.returncode in (1, 78)
    assert b"nonexistent.pem" in answer.stderr
    companion = subprocess.run(
        [binary("headgate"), "serve", "--companion"], capture_output=True, timeout=RUN_SECONDS,
        env=chat_environment(tmp_path), stdin=subprocess.DEVNULL)
    assert companion.returncode == 1 and b"--companion is for" in companion.stderr


def test_unusable_on_device_model_shows_the_reason(tmp_path):
    answer = ask(tmp_path, "Hello.", PATH="/nonexistent", HEADGATE_LISTEN="127.0.0.1:1")
    assert (answer.returncode, answer.stdout) == (1, b"")
    assert b"has no model: python3 is not installed" in answer.stderr


def test_start_of_a_gateway_can_be_cancelled(chats, tmp_path):
    # A python3 that never prints anything.
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\nexec sleep 1000\n")
    python.chmod(0o755)
    chat = chats(PATH=f"{tmp_path}:/usr/bin:/bin", HEADGATE_LISTEN="127.0.0.1:1")
    chat.expect("starting a gateway")
    children = wait_until(lambda: len(found := descendants(chat.pid)) == 4 and found, "a gateway, its program, caretakers")
    descriptors = [os.pidfd_open(pid) for pid in children]
    chat.send("\x03")
    assert chat.wait() == 130
    assert gone(descriptors)


# The model uses every processor.
@pytest.mark.serial
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
