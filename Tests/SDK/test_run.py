"""`headgate run`: the environment, the lifetime, and the exit code of a program."""

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from conftest import REPOSITORY, binary
from gateways import KEY, KEYS, UPSTREAM_KEY, command, gateways, module_gateways, surroundings, wait_until  # noqa: F401
from paced_upstream import LINE, PacedUpstream
from patience import RUN_SECONDS
from preloads import preload
from terminal import Terminal
from upstreams import free_port

# Real keys in all the places where programs look for them.
SECRETS = {
    "OPENAI_API_KEY": "sk-proj-real-0123456789abcdef", "OPENAI_API_KEY_2": "sk-second",
    "ANTHROPIC_API_KEY": "sk-ant-real-0123456789", "ANTHROPIC_AUTH_TOKEN": "oat-real-0123456789abcdef",
    "AZURE_OPENAI_API_KEY": "azure-real-0123456789", "AZURE_OPENAI_KEY": "azure-real-1", "MISTRAL_API_KEY_EU": "mistral-real-1",
    "AZURE_OPENAI_ENDPOINT": "https://real.openai.azure.example",
    "OPENAI_API_VERSION": "2024-10-21",
    "GEMINI_API_KEY": "AIzaReal", "GOOGLE_API_KEY": "AIzaOther", "MISTRAL_API_KEY": "mistral-real",
    "GROQ_API_KEY": "gsk_real", "HF_TOKEN": "hf_real", "AWS_BEARER_TOKEN_BEDROCK": "bedrock-real",
    "OPENROUTER_API_KEY_FILE": "/run/secrets/real-openrouter", "OLLAMA_HOST": "http://real-ollama.example:11434",
    "NOTES": "my key is sk-proj-real-0123456789abcdef, do not lose it", "PERSONAL": "sk-or-v1-real0123456789abcdef",
}


@pytest.fixture(scope="module")
def upstream():
    upstream = PacedUpstream(pace=0)
    yield upstream
    upstream.close()


def text(upstream: PacedUpstream, listen: str, end: str = "") -> str:
    return (
        f"listen: {listen}\n"
        f'upstreams:\n  paced: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
        f"models:\n  chat: {{upstream: paced}}\n{end}")


@pytest.fixture(scope="module")
def gateway(module_gateways, upstream):  # noqa: F811
    """Starts a gateway."""
    return module_gateways.start(text(upstream, f"127.0.0.1:{free_port()}", KEYS))


@pytest.fixture
def lonely(tmp_path, upstream):
    """Writes the configuration of a gateway that is not running."""
    path = tmp_path / "lonely.yaml"
    path.write_text(text(upstream, f"127.0.0.1:{free_port()}"))
    return path


def run(gateway, *program, options=(), **variables) -> subprocess.CompletedProcess:
    variables = {"HEADGATE_KEY": KEY, **variables}
    return command(gateway.folder, "run", "--config", gateway.path, *options, "--", *program, **variables)


def run_alone(path: Path, *program, options=(), **variables) -> subprocess.CompletedProcess:
    return command(path.parent, "run", "--config", path, *options, "--", *program, **variables)


def variables(result) -> dict:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


PRINT = (sys.executable, "-c", "import json, os; print(json.dumps(dict(os.environ)))")


# MARK: The environment


def test_env_shows_no_provider_key(gateway):
    result = run(gateway, "env", **SECRETS)
    assert result.returncode == 0
    for value in [value for name, value in SECRETS.items() if name != "OPENAI_API_VERSION"] + [UPSTREAM_KEY]:
        assert value not in result.stdout + result.stderr
    assert "real" not in result.stdout
    assert f"OPENAI_API_KEY={KEY}\n" in result.stdout and f"ANTHROPIC_API_KEY={KEY}\n" in result.stdout


def test_program_gets_the_gateway_and_its_other_variables(gateway):
    found = variables(run(gateway, *PRINT, LANG="C.UTF-8", EDITOR="ed", **SECRETS))
    url = gateway.urls[0]
    assert found["OPENAI_BASE_URL"] == found["OPENAI_API_BASE"] == url + "/v1"
    assert found["ANTHROPIC_BASE_URL"] == found["HEADGATE_URL"] == found["OLLAMA_HOST"] == url
    assert found["OLLAMA_API_KEY"] == KEY
    assert (found["LANG"], found["EDITOR"], found["HOME"]) == ("C.UTF-8", "ed", str(gateway.folder))


def test_changes_are_summarized_in_one_line_without_values(gateway):
    result = run(gateway, "true", **SECRETS)
    assert result.stdout == ""
    match = re.fullmatch(r"headgate: (\S+), set ([A-Z_, ]+); removed ([A-Z0-9_, ]+)\n", result.stderr)
    assert match, result.stderr
    assert match[1] == gateway.urls[0] and "OPENAI_API_KEY" in match[2].split(", ")
    removed = match[3].split(", ")
    # Variables with the gateway's values remain, and the API's version is not a secret.
    kept = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_VERSION", "OLLAMA_HOST"}
    assert set(removed) == SECRETS.keys() - kept | {"UPSTREAM_KEY"} and removed == sorted(removed)


def test_documentation_lists_the_set_variables(gateway):
    shown = re.search(r"^headgate: http://127\.0\.0\.1:8686, set (.*); removed (.*)$", (REPOSITORY / "docs" / "commands.md").read_text(), re.M)
    result = run(gateway, "true", GROQ_API_KEY="g", HF_TOKEN="h")
    assert f", set {shown[1]}; removed {shown[2]}, UPSTREAM_KEY\n" in result.stderr


def test_quiet_prints_nothing(gateway):
    assert run(gateway, "true", options=["--quiet"], **SECRETS).stderr == ""


def test_kept_variable_stays(gateway):
    result = run(gateway, *PRINT, options=["--keep", "HF_TOKEN", "--keep", "OPENAI_API_KEY"], **SECRETS)
    found = variables(result)
    assert found["HF_TOKEN"] == "hf_real" and found["OPENAI_API_KEY"] == SECRETS["OPENAI_API_KEY"]
    assert "GROQ_API_KEY" not in found and "HF_TOKEN" not in result.stderr


def test_variables_of_the_configurations_secrets_are_removed(gateways, upstream):  # noqa: F811
    folder = gateways.folder
    (folder / "header").write_text("secret-of-a-file")
    end = (
        '  other: {kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: "${MINE}",'
        ' headers: {X-Team: "${TEAM_SECRET:-none}", X-File: {file: "${PLACE}"}}, proxy: "http://${WHO}@127.0.0.1:3128"}\n')
    path = folder / "headgate.yaml"
    names = {"MINE": "m", "TEAM_SECRET": "t", "PLACE": str(folder / "header"), "WHO": "u:p", "PORT": str(free_port())}
    path.write_text(text(upstream, "127.0.0.1:${PORT}").replace("models:", end + "models:"))
    result = command(
        folder, "run", "--config", path, "--", *PRINT, CREDENTIALS_DIRECTORY="/run/credentials", **names)
    found = variables(result)
    # The program also gets variables that are not secrets.
    assert found.keys() & {*names, "UPSTREAM_KEY", "CREDENTIALS_DIRECTORY"} == {"PORT"}


def test_traffic_to_the_gateway_avoids_proxies(gateway):
    found = variables(run(gateway, *PRINT, HTTPS_PROXY="http://127.0.0.1:9", NO_PROXY="a.example"))
    assert found["NO_PROXY"] == found["no_proxy"] == "a.example,127.0.0.1"
    assert "NO_PROXY" not in variables(run(gateway, *PRINT))
    # This is the name of another machine, although it begins with 127.
    elsewhere = run(gateway, *PRINT, options=["--url", "http://127.example.com"], HTTPS_PROXY="http://127.0.0.1:9")
    assert "NO_PROXY" not in variables(elsewhere)


def test_non_text_values_pass_unchanged(gateway):
    environment = surroundings(gateway.folder, HEADGATE_KEY=KEY, ODD="caf\udce9")
    result = subprocess.run(
        [binary("headgate"), "run", "--config", gateway.path, "--", "printenv", "ODD"], capture_output=True, timeout=RUN_SECONDS,
        env={name.encode(): value.encode(errors="surrogateescape") for name, value in environment.items()})
    assert result.stdout == b"caf\xe9\n"


def test_openai_library_needs_nothing_else(lonely):
    code = (
        "import openai\n"
        "stream = openai.OpenAI().chat.completions.create(\n"
        "    model='chat', stream=True, messages=[{'role': 'user', 'content': 'Hello'}])\n"
        "print(''.join(chunk.choices[0].delta.content or '' for chunk in stream if chunk.choices))\n")
    # The variables name a proxy that would misdirect the request.
    result = run_alone(lonely, sys.executable, "-c", code, HTTP_PROXY="http://127.0.0.1:9", ALL_PROXY="http://127.0.0.1:9")
    assert result.stdout == "".join(LINE) + "\n", result.stderr


# MARK: Which gateway


def test_gateway_with_configured_keys_requires_one_of_them(gateway):
    result = run(gateway, "true", HEADGATE_KEY="")
    assert result.returncode == 1 and "HEADGATE_KEY" in result.stderr


def test_gateway_is_started_if_none_runs_and_ends_with_the_program(lonely):
    code = "import os; print(os.environ['OPENAI_BASE_URL'], os.environ['OPENAI_API_KEY'])"
    result = run_alone(lonely, sys.executable, "-c", code)
    url, key = result.stdout.split()
    assert result.returncode == 0 and key.startswith("hg-") and key not in result.stderr
    port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/v1", url)[1])
    assert "starting a gateway" in result.stderr
    # The started gateway has ended, so its port has no listener.
    assert subprocess.run(["curl", "-s", f"http://127.0.0.1:{port}/livez"]).returncode == 7


def test_socket_only_gateway_is_not_used_for_programs(gateways, upstream):  # noqa: F811
    path = gateways.folder / "g.sock"
    gateway = gateways.start(text(upstream, f"unix:{path}"))
    result = command(gateway.folder, "run", "--config", gateway.path, "--", "printenv", "OPENAI_BASE_URL")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1\n", result.stdout), result.stderr


def test_broken_configuration_removes_nothing_and_runs_nothing(tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text("listn: 1\n")
    for more in ([], ["--url", "http://127.0.0.1:1"]):
        result = command(tmp_path, "run", "--config", path, *more, "--", "echo", "ran")
        assert (result.returncode, result.stdout) == (78, "")
        assert "listn" in result.stderr


# MARK: Exit codes


@pytest.mark.parametrize("companion", [False, True], ids=["running", "started"])
@pytest.mark.parametrize(
    "program, code",
    [
        (["sh", "-c", "exit 7"], 7), (["no-such-program-anywhere"], 127), (["/etc/passwd"], 126), (["/"], 126),
        (["true"], 0),
    ],
    ids=lambda value: str(value),
)
def test_exit_code_is_the_programs(gateway, lonely, companion, program, code):
    result = run_alone(lonely, *program) if companion else run(gateway, *program)
    assert result.returncode == code
    if code in (126, 127):
        assert f"cannot run {program[0]}: " in result.stderr


def test_signal_of_the_program_shows_in_the_exit_code(gateway, lonely):
    assert run_alone(lonely, "sh", "-c", "kill -TERM $$").returncode == 128 + signal.SIGTERM
    # The signal ends the program itself.
    assert run(gateway, "sh", "-c", "kill -TERM $$").returncode == -signal.SIGTERM


@pytest.mark.parametrize("arguments", [[], ["--"], ["--unknown", "env"], ["-x"]])
def test_misuse_is_a_usage_error(tmp_path, arguments):
    result = command(tmp_path, "run", *arguments)
    assert result.returncode == 64 and result.stdout == ""


def test_options_after_the_programs_name_are_its_own(gateway):
    result = command(
        gateway.folder, "run", "--config", gateway.path, "-q", "echo", "--quiet", "--", "-x", HEADGATE_KEY=KEY)
    assert result.stdout == "--quiet -- -x\n"


def test_help_has_examples(tmp_path):
    for arguments in (["run", "--help"], ["help", "run"], ["run", "-h"]):
        result = command(tmp_path, *arguments)
        assert result.returncode == 0 and "headgate run -- claude" in result.stdout


# MARK: Life


def start(path: Path, code: str) -> subprocess.Popen:
    return subprocess.Popen(
        [binary("headgate"), "run", "--config", path, "--", sys.executable, "-u", "-c", code], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, env=surroundings(path.parent, HEADGATE_KEY=KEY))


def children(pid: int) -> list:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state = status.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(state[1]) == pid and state[0] != "Z":
            found.append(int(status.parent.name))
    return found


def test_program_replaces_the_command_if_a_gateway_runs(gateway):
    program = start(gateway.path, "import os; print(os.getpid())")
    assert int(program.stdout.readline()) == program.pid
    assert program.wait(20) == 0


def test_standard_input_and_other_descriptors_are_the_programs(gateway, lonely):
    reader, writer = os.pipe()
    os.write(writer, b"more")
    os.close(writer)
    for path in (gateway.path, lonely):
        result = subprocess.run(
            [binary("headgate"), "run", "-q", "--config", path, "--", "cat"], input=b"typed", capture_output=True,
            env=surroundings(path.parent, HEADGATE_KEY=KEY), timeout=RUN_SECONDS)
        assert result.stdout == b"typed"
    result = subprocess.run(
        [binary("headgate"), "run", "-q", "--config", lonely, "--", sys.executable, "-c",
         f"import os; print(os.read({reader}, 9).decode(), end='')"],
        capture_output=True, env=surroundings(lonely.parent), pass_fds=[reader], timeout=RUN_SECONDS)
    os.close(reader)
    assert result.stdout == b"more"


HANDLER = """
import os, signal, sys, time
counts = {}
def note(number, frame):
    counts[number] = counts.get(number, 0) + 1
    print(signal.Signals(number).name)
def leave(number, frame):
    print(*(f"{signal.Signals(number).name}={count}" for number, count in sorted(counts.items())))
    sys.exit(5)
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR2):
    signal.signal(number, note)
signal.signal(signal.SIGUSR1, leave)
print("ready")
while True:
    signal.pause()
"""


def test_signals_to_the_command_reach_the_program_once(lonely):
    program = start(lonely, HANDLER)
    read = lambda: program.stdout.readline().decode().strip()
    assert read() == "ready"
    assert len(children(program.pid)) == 2
    for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR2"):
        program.send_signal(getattr(signal, name))
        assert read() == name
    program.send_signal(signal.SIGUSR1)
    assert read() == "SIGHUP=1 SIGINT=1 SIGQUIT=1 SIGUSR2=1 SIGTERM=1"
    assert program.wait(20) == 5


def test_terminal_interrupt_arrives_once_and_the_gateway_survives(lonely):
    code = HANDLER.replace("sys.exit(5)", "sys.exit(0 if ask() else 6)")
    ask = (
        "import urllib.request\n"
        "def ask():\n"
        "    return urllib.request.urlopen(os.environ['HEADGATE_URL'] + '/livez').status == 200\n")
    pid, terminal = pty.fork()
    if pid == 0:
        arguments = [str(binary("headgate")), "run", "--config", str(lonely), "--", sys.executable, "-u", "-c", ask + code]
        os.execve(arguments[0], arguments, surroundings(lonely.parent))
    seen = b""

    def expect(wanted: bytes):
        nonlocal seen
        while wanted not in seen:
            assert select.select([terminal], [], [], 20)[0], seen
            seen += os.read(terminal, 4096)

    expect(b"ready")
    os.write(terminal, b"\x03")
    expect(b"SIGINT")
    os.kill(pid, signal.SIGUSR1)
    expect(b"SIGINT=1")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)


# Job control as a shell does it. The program continues only if the command forwards the signal.
SHELL = """
import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
while not os.WIFEXITED(status := os.waitpid(job, os.WUNTRACED)[1]):
    assert os.WIFSTOPPED(status), status
    os.tcsetpgrp(0, os.getpgrp())
    input("the shell has its terminal back ")
    os.tcsetpgrp(0, job)
    os.kill(job, signal.SIGCONT)
print("code", os.waitstatus_to_exitcode(status))
"""


@pytest.mark.parametrize("number", ["SIGSTOP", "SIGTSTP"])
def test_stopped_program_returns_the_terminal_and_can_continue(lonely, number):
    code = (
        "import os, signal\n"
        "for turn in (1, 2):\n"
        "    print('turn', turn)\n"
        f"    os.kill(os.getpid(), signal.{number})\n"
        "print('the end'); os._exit(5)\n")
    terminal = Terminal(
        [sys.executable, "-c", SHELL, binary("headgate"), "run", "-q", "--config", lonely, "--", sys.executable, "-u", "-c",
         code], surroundings(lonely.parent))
    try:
        for turn in (1, 2):
            terminal.expect(f"turn {turn}")
            terminal.expect("the shell has its terminal back")
            terminal.line("")
        terminal.expect("the end")
        terminal.expect("code 5")
        assert terminal.wait() == 0
    finally:
        terminal.end()


def test_stopped_program_without_a_terminal_can_be_continued(lonely):
    program = start(lonely, "import os, signal; print(os.getpid()); os.kill(os.getpid(), signal.SIGSTOP); os._exit(5)")
    child = int(program.stdout.readline())
    state = lambda pid: Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    wait_until(lambda: state(child) == "T", "the program has stopped")
    os.kill(child, signal.SIGCONT)
    assert program.wait(20) == 5


def test_signal_before_the_program_runs_reaches_it(lonely, tmp_path):
    library = preload("early_signal", tmp_path)
    result = run_alone(lonely, "sh", "-c", "unset LD_PRELOAD; echo ran", LD_PRELOAD=str(library))
    assert (result.returncode, result.stdout) == (128 + signal.SIGTERM, ""), result.stderr


class LateGateway:
    """Responds to one request on its own port as a gateway would, after calling `before`."""

    def __init__(self, answer: bytes, before):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, args=(answer, before), daemon=True)
        self._thread.start()

    def _serve(self, answer: bytes, before):
        with self._listener, self._listener.accept()[0] as connection:
            connection.recv(65536)
            before()
            connection.sendall(answer)

    def end(self):
        if self._thread.is_alive():
            # The thread still waits for a connection.
            socket.create_connection(("127.0.0.1", self.port)).close()
        self._thread.join(20)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_during_the_search_for_a_gateway_ends_the_command(tmp_path, upstream, number):
    """Sends the signal while the command queries the first listener; the second one would be a gateway."""
    started = threading.Event()

    def interrupt():
        assert started.wait(20)
        program.send_signal(number)

    ready = b'{"status":"ok"}'
    first = LateGateway(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", interrupt)
    second = LateGateway(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(ready), ready), lambda: None)
    path = tmp_path / "headgate.yaml"
    path.write_text(text(upstream, f"[127.0.0.1:{first.port}, 127.0.0.1:{second.port}]"))
    program = start(path, "print('ran')")
    started.set()
    assert program.stdout.read() == b""
    assert program.wait(20) == 128 + number
    for server in (first, second):
        server.end()


def test_gateway_ends_when_the_command_is_killed(lonely):
    program = start(lonely, "print('ready'); import time; time.sleep(60)")
    assert program.stdout.readline() == b"ready\n"
    both = children(program.pid)
    gateway = next(pid for pid in both if b"serve" in Path(f"/proc/{pid}/cmdline").read_bytes())
    program.kill()
    program.wait()
    wait_until(lambda: not Path(f"/proc/{gateway}").exists(), "the gateway has ended")
    for pid in both:
        if pid != gateway:
            os.kill(pid, signal.SIGKILL)


def test_ignored_signals_stay_ignored(lonely):
    """Runs the command with ignored signals, as under nohup."""
    code = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    result = subprocess.run(
        ["nohup", binary("headgate"), "run", "-q", "--config", lonely, "--", sys.executable, "-c", code],
        capture_output=True, env=surroundings(lonely.parent), timeout=RUN_SECONDS)
    assert result.stdout == b"True\n"
