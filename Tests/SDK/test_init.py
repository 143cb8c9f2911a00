"""From nothing to the first streamed response: `headgate init`, with flags and on a terminal."""

import re
import stat
import subprocess
import time

import pytest

from conftest import binary
from connections import whole_text
from gateways import UPSTREAM_KEY, command, gateways, surroundings
from patience import SLOWDOWN
from terminal import Terminal
from upstreams import TEXT, local_upstream

KEY_FORM = r"hg-[A-Za-z0-9_-]{43}"


@pytest.fixture
def init(gateways):
    """Runs the command for a user whose own file it creates."""
    path = gateways.folder / "config" / "headgate" / "headgate.yaml"

    def init(*arguments, **variables):
        return command(gateways.folder, "init", *arguments, HEADGATE_CONFIG=None, **variables)

    init.path = path
    return init


def test_key_follows_its_prompt_in_one_stream_too(tmp_path):
    done = subprocess.run(
        [binary("headgate"), "init", "--provider", "openai"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=30 * SLOWDOWN, env=surroundings(tmp_path, HEADGATE_CONFIG=None, OPENAI_API_KEY=UPSTREAM_KEY))
    assert done.returncode == 0, done.stdout
    assert re.search(rf"shown only now;.*:\n{KEY_FORM}\nNext: headgate serve", done.stdout), done.stdout


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_first_response_comes_within_a_minute_of_init(gateways, local_upstream, init):
    begun = time.monotonic()
    openai = {"OPENAI_API_KEY": UPSTREAM_KEY, "OPENAI_BASE_URL": local_upstream.url}
    result = init("--yes", OLLAMA_HOST=f"127.0.0.1:{local_upstream.port}", **openai)
    assert result.returncode == 0, result.stderr
    key = result.stdout.strip()
    assert re.fullmatch(KEY_FORM, key) and "Next: headgate serve\n" in result.stderr
    # Runs the suggested command, with another port because this machine can have a gateway.
    gateway = gateways.start(None, HEADGATE_CONFIG=None, HEADGATE_LISTEN="127.0.0.1:0", **openai)
    with gateway.connect(key=key) as client:
        assert whole_text(client.chat("gpt-5", stream=True)) == TEXT
    assert time.monotonic() - begun < 60
    _, headers, _ = local_upstream.requests[0]
    assert headers["Authorization"] == f"Bearer {UPSTREAM_KEY}"
    with gateway.connect(key=None) as client:
        assert client.chat("gpt-5").status == 401


def test_file_is_private_and_contains_no_secret(init):
    result = init("--provider", "openai,anthropic", "--provider", "openai", OPENAI_API_KEY=UPSTREAM_KEY)
    assert result.returncode == 0, result.stderr
    assert (mode(init.path), mode(init.path.parent)) == (0o600, 0o700)
    text = init.path.read_text()
    key = result.stdout.strip()
    assert UPSTREAM_KEY not in text + result.stderr and key not in text + result.stderr
    assert text.count("kind:") == 2 and "${OPENAI_API_KEY" in text
    assert "Before you start it, set ANTHROPIC_API_KEY." in result.stderr
    # Every key of the file is explained by a comment near it.
    assert len(re.findall(r"^# ", text, re.M)) >= 6


def test_file_passes_check_and_names_what_is_missing(gateways, init):
    assert init("--provider", "anthropic").returncode == 0
    checked = command(gateways.folder, "check", HEADGATE_CONFIG=None, ANTHROPIC_API_KEY=UPSTREAM_KEY)
    assert checked.returncode == 0, checked.stderr
    missing = command(gateways.folder, "check", HEADGATE_CONFIG=None)
    assert missing.returncode == 78 and "ANTHROPIC_API_KEY" in missing.stderr and "key of Anthropic" in missing.stderr


def test_existing_file_is_not_replaced_without_force(init):
    init.path.parent.mkdir(parents=True)
    init.path.write_text("mine\n")
    result = init("--provider", "openai")
    assert result.returncode == 1 and "--force" in result.stderr and init.path.read_text() == "mine\n"
    assert not (init.path.parent / "key").exists()
    assert init("--provider", "openai", "--force").returncode == 0
    assert "kind: openai" in init.path.read_text()
    assert sorted(path.name for path in init.path.parent.iterdir()) == ["headgate.yaml", "key"]


def test_key_survives_rewriting_the_file(gateways, init):
    key = init("--provider", "openai").stdout.strip()
    again = init("--provider", "openai", "--force")
    assert again.stdout == "" and "headgate key show" in again.stderr
    assert command(gateways.folder, "key", "show").stdout.strip() == key
    shown = command(gateways.folder, "env", HEADGATE_CONFIG=None, OPENAI_API_KEY=UPSTREAM_KEY)
    assert f"OPENAI_API_KEY='{key}'" in shown.stdout, "our own commands do not find the key"


def test_gateway_is_keyless_if_there_is_nothing_to_protect(init, gateways):
    result = init("--provider", "ollama", "--provider", "on-device")
    assert (result.returncode, result.stdout) == (0, "")
    checked = command(gateways.folder, "check", "--quiet", HEADGATE_CONFIG=None)
    assert checked.stdout.startswith("ok (upstreams: 2, models: 2, keys: 0)"), checked.stderr
    assert init("--provider", "openai", "--no-key", "--force").stdout == ""
    assert init("--provider", "ollama", "--key", "--force").stdout.startswith("hg-")


def test_custom_output_is_shown_with_its_option(init, tmp_path):
    path = tmp_path / "my file.yaml"
    result = init("--yes", "--no-key", "--output", path, OPENAI_API_KEY=UPSTREAM_KEY)
    assert result.returncode == 0 and path.exists() and not init.path.exists()
    assert f"Next: headgate serve --config '{path}'\n" in result.stderr


@pytest.mark.parametrize(("arguments", "words"), [
    (["--provider", "opnai"], "did you mean openai?"),
    (["--provider", "nothing-like-it"], "choose from openai, anthropic"),
    ([], "--provider, or take what is found with --yes"),
])
def test_impossible_setup_is_reported_and_writes_nothing(init, arguments, words):
    result = init(*arguments)
    assert result.returncode == 1 and words in result.stderr
    assert not init.path.exists()


def test_gateways_own_address_is_not_written(init):
    result = init("--yes", OPENAI_API_KEY="hg-x", OPENAI_BASE_URL="http://127.0.0.1:8686/v1")
    assert result.returncode == 78 and "this gateway itself" in result.stderr and not init.path.exists()


@pytest.fixture
def terminal(gateways):
    started = []

    def start(*arguments, **variables):
        environment = surroundings(gateways.folder, HEADGATE_CONFIG=None, TERM="xterm", **variables)
        started.append(Terminal([binary("headgate"), "init", *arguments], environment, columns=200))
        return started[-1]

    yield start
    for each in started:
        each.end()


def test_questions_lead_from_nothing_to_an_answer(terminal, gateways, local_upstream, init):
    begun = time.monotonic()
    openai = {"OPENAI_API_KEY": UPSTREAM_KEY, "OPENAI_BASE_URL": local_upstream.url}
    screen = terminal(OLLAMA_HOST=f"127.0.0.1:{local_upstream.port}", **openai)
    screen.expect(re.escape(f"This writes {init.path}."))
    screen.expect("found: OpenAI, by OPENAI_API_KEY")
    screen.expect("found: Ollama, by OLLAMA_HOST")
    screen.expect(r"Which providers\? \[openai, ollama\] ")
    screen.line("opnai")
    screen.expect("did you mean openai")
    screen.expect(r"Which providers\? ")
    screen.line("")
    screen.expect(r"Shall apps present a key to the gateway\? \[Y/n\] ")
    screen.line("y")
    key = screen.expect(KEY_FORM)[0]
    screen.expect("Next: headgate serve")
    assert screen.wait() == 0
    gateway = gateways.start(None, HEADGATE_CONFIG=None, HEADGATE_LISTEN="127.0.0.1:0", **openai)
    with gateway.connect(key=key) as client:
        assert whole_text(client.chat("gpt-5", stream=True)) == TEXT
        assert whole_text(client.chat("llama3.2", stream=True)) == TEXT
    assert time.monotonic() - begun < 60


def test_pasted_key_is_not_shown_and_goes_to_a_file(terminal, gateways, init):
    screen = terminal(OLLAMA_HOST="127.0.0.1:1")
    screen.expect(r"Which providers\? \[ollama\] ")
    screen.line("anthropic, gemini")
    screen.expect("ANTHROPIC_API_KEY is not set. Paste the key")
    screen.expect("later: ")
    screen.line(UPSTREAM_KEY)
    file = init.path.parent / "anthropic.key"
    screen.expect("GEMINI_API_KEY is not set")
    assert not file.exists()
    screen.expect("later: ")
    screen.line("")
    screen.expect(r"\[Y/n\] ")
    screen.line("no")
    screen.expect(re.escape(f"The key of Anthropic is in {file}."))
    screen.expect("Before you start it, set GEMINI_API_KEY.")
    assert screen.wait() == 0
    assert UPSTREAM_KEY.encode() not in screen.bytes()
    assert (file.read_text(), mode(file)) == (UPSTREAM_KEY + "\n", 0o600)
    text = init.path.read_text()
    assert f"api_key: {{file: {file}}}" in text and UPSTREAM_KEY not in text
    checked = command(gateways.folder, "check", "--quiet", HEADGATE_CONFIG=None, GEMINI_API_KEY="g")
    assert checked.returncode == 0, checked.stderr


def test_pasted_key_is_not_written_without_a_configuration(terminal, init):
    screen = terminal(OLLAMA_HOST="127.0.0.1:1")
    screen.expect(r"Which providers\? ")
    screen.line("anthropic")
    screen.expect("later: ")
    screen.line(UPSTREAM_KEY)
    screen.expect(r"\[Y/n\] ")
    screen.send("\x04")
    screen.expect("nothing was written")
    assert screen.wait() == 1
    assert not init.path.exists() and not (init.path.parent / "anthropic.key").exists()


def test_existing_key_is_replaced_only_with_force(terminal, init):
    file = init.path.parent / "anthropic.key"
    file.parent.mkdir(parents=True)
    file.write_text("old-" + UPSTREAM_KEY + "\n")

    def asked(answer, *arguments) -> str:
        screen = terminal(*arguments, OLLAMA_HOST="127.0.0.1:1")
        screen.expect(r"Which providers\? ")
        screen.line("anthropic")
        if answer is None:
            screen.expect(re.escape(f"the key is the one in {file}."))
        else:
            screen.expect(re.escape(f"or press Enter to keep the one in {file}: "))
            screen.line(answer)
        screen.expect(r"\[Y/n\] ")
        screen.line("no")
        screen.expect("Next: headgate serve")
        assert screen.wait() == 0 and f"api_key: {{file: {file}}}" in init.path.read_text()
        return file.read_text()

    assert asked(None) == "old-" + UPSTREAM_KEY + "\n"
    assert asked("", "--force") == "old-" + UPSTREAM_KEY + "\n"
    assert asked(UPSTREAM_KEY, "--force") == UPSTREAM_KEY + "\n"


def test_end_of_input_writes_nothing(terminal, init):
    screen = terminal(OLLAMA_HOST="127.0.0.1:1")
    screen.expect(r"Which providers\? ")
    screen.send("\x04")
    screen.expect("nothing was written")
    assert screen.wait() == 1 and not init.path.exists()
