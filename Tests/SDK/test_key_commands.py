"""Keys printed by a program, as gateways, clients and upstreams see them."""

import http.server
import json
import secrets
import sys
import threading

import pytest

from connections import chat_request
from gateways import KEY, command, gateways, key_line, wait_until
from test_local_servers import is_alive, wait_for_end
from upstreams import completion

# Each run appends its process id to the file `runs`, and then behaves as `word` says.
PROGRAM = """
import os, pathlib, signal, sys, time
folder, word = pathlib.Path(sys.argv[1]), sys.argv[2]
with (folder / "runs").open("a") as runs: runs.write(f"{os.getpid()}\\n")
key = (folder / "key").read_text()
sys.stderr.write(f"the key is {key}\\n")
if word == "fail": print(key); sys.exit(3)
if word == "hang": signal.signal(signal.SIGTERM, signal.SIG_IGN); print(key, flush=True); time.sleep(1000)
if word == "rubbish": print(f"your key: {key}\\nhave fun")
if word == "flood": sys.stdout.write(key * (1048576 // len(key)))
if word == "late": print(key, flush=True); time.sleep(1000)
if word == "gated":
    while not (folder / "gate").exists(): time.sleep(0.005)
    print(key)
if word == "print": print(key)
"""


class Guarded(http.server.BaseHTTPRequestHandler):
    """Accepts requests with the right key, and echoes any other key in its error."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        given = self.headers["Authorization"]
        self.server.seen.append(given)
        if self.server.echoes:
            self._answer(400, json.dumps({"error": {"message": f"Do not send {given}", "type": "t"}}).encode())
        elif given == f"Bearer {self.server.key}":
            self._answer(200, completion())
        else:
            self._answer(401, json.dumps({"error": {"message": f"Wrong: {given}", "type": "t"}}).encode())

    def _answer(self, status: int, body: bytes):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def upstream():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Guarded)
    server.seen, server.echoes, server.key = [], False, "ya29." + secrets.token_hex(16)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


class Case:
    def __init__(self, gateways, upstream):
        self.gateways, self.folder, self.upstream = gateways, gateways.folder, upstream
        self.program = self.folder / "program.py"
        self.program.write_text(PROGRAM)
        self.print(upstream.key)

    def print(self, key: str):
        """Sets the key that the program prints from its next run."""
        (self.folder / "key").write_text(key)

    def text(self, word: str, options: str = "") -> str:
        admin = key_line().replace("}", ", admin: true}")
        return (
            "listen: 127.0.0.1:0\n"
            f"upstreams:\n  up:\n    kind: openai\n    base_url: http://127.0.0.1:{self.upstream.server_port}/v1\n"
            f'    api_key: {{command: ["{sys.executable}", "{self.program}", "{self.folder}", {word}]{options}}}\n'
            f"models:\n  any: {{upstream: up, model: m}}\nkeys: [{admin}]\n")

    def start(self, word: str, options: str = ""):
        self.gateway = self.gateways.start(self.text(word, options))
        return self.gateway

    def chat(self):
        with self.gateway.connect() as client:
            return client.chat("any")

    @property
    def readiness(self) -> str:
        with self.gateway.connect() as client:
            return client.ask("GET", "/readyz?verbose").document["upstreams"][0]["key"]

    @property
    def runs(self) -> list:
        path = self.folder / "runs"
        return [int(pid) for pid in path.read_text().split()] if path.exists() else []

    def assert_nothing_leaked(self, *answers):
        texts = [answer.body.decode() for answer in answers] + [self.gateway.log_after_exit()]
        for text in texts:
            assert self.upstream.key not in text and self.upstream.key[:16] not in text


@pytest.fixture
def case(gateways, upstream):
    return Case(gateways, upstream)


def test_key_is_printed_at_the_start_and_sent(case):
    case.start("print")
    answers = [case.chat(), case.chat()]
    assert [answer.status for answer in answers] == [200, 200]
    assert case.upstream.seen == [f"Bearer {case.upstream.key}"] * 2
    assert case.readiness == "ready" and len(case.runs) == 1
    case.assert_nothing_leaked(*answers)


@pytest.mark.parametrize(("word", "options", "fault"), [
    ("fail", "", "ended with exit status 3"), ("rubbish", "", "printed several lines"),
    ("flood", "", "printed more than 64 KiB"), ("silent", "", "printed nothing"),
    ("hang", ", timeout: 500ms", "did not end within 500 ms"),
    ("late", ", timeout: 500ms", "did not end within 500 ms"),
])
def test_failed_command_is_reported_without_its_output(case, word, options, fault):
    case.start(word, options)
    answer = case.chat()
    assert (answer.status, answer.code) == (503, "upstream_no_key")
    assert fault in answer.message and answer.headers["Retry-After"]
    assert case.readiness.startswith("no key: the command ") and fault in case.readiness
    case.gateway.wait_for_log(f"the key command of 'up' .*{fault}.*; requests are refused until it works")
    assert case.upstream.seen == []
    for pid in case.runs:
        wait_for_end(pid)
    case.assert_nothing_leaked(answer)


def test_refused_key_is_renewed_once_and_the_request_sent_again(case):
    case.print("ya29.of-yesterday-0123456789")
    case.start("print")
    wait_until(lambda: case.readiness == "ready", "the first key")
    case.print(case.upstream.key)
    answer = case.chat()
    assert answer.status == 200 and len(case.runs) == 2
    assert case.upstream.seen == ["Bearer ya29.of-yesterday-0123456789", f"Bearer {case.upstream.key}"]
    case.assert_nothing_leaked(answer)


def test_persistently_wrong_key_is_the_upstreams_refusal(case):
    case.print("ya29.wrong-for-ever-0123456789")
    case.start("print")
    answers = [case.chat(), case.chat()]
    assert [(answer.status, answer.code) for answer in answers] == [(502, "upstream_auth")] * 2
    assert len(case.runs) == 2, "refused again, it is not renewed again at once"
    for answer in answers:
        assert "wrong-for-ever" not in answer.body.decode()


def test_echoed_key_is_redacted(case):
    case.upstream.echoes = True
    case.start("print")
    answer = case.chat()
    assert answer.status == 400 and "[redacted]" in answer.message
    case.assert_nothing_leaked(answer)


def test_key_is_renewed_by_the_clock_and_the_earlier_one_used_after_a_failure(case):
    case.start("print", ", every: 1s")
    assert case.chat().status == 200
    wait_until(lambda: len(case.runs) >= 2, "the second run")
    (case.folder / "key").unlink()
    wait_until(lambda: case.readiness.startswith("earlier key: the command ended with exit status 1"), "the failure")
    assert case.chat().status == 200
    case.gateway.wait_for_log("the key command of 'up' ended with exit status 1; the earlier key stays in use")


def test_reload_ends_a_removed_command(case):
    case.start("late")
    wait_until(lambda: case.runs, "the program")
    [pid] = case.runs
    case.gateway.write(case.text("print"))
    assert case.gateway.reload().returncode == 0
    assert case.chat().status == 200
    wait_for_end(pid)


def test_reload_lets_a_waiting_request_have_its_key(case):
    case.start("gated")
    wait_until(lambda: case.runs, "the program")
    [pid] = case.runs
    with case.gateway.connect() as waiting, case.gateway.connect() as other:
        waiting.http.request(
            "POST", "/v1/chat/completions", json.dumps(chat_request("any", False)),
            {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
        wait_until(
            lambda: other.ask("GET", "/status/data").document["requests_in_flight"], "the request")
        case.gateway.write(case.text("print"))
        assert case.gateway.reload().returncode == 0
        assert case.chat().status == 200
        (case.folder / "gate").touch()
        response = waiting.http.getresponse()
        assert response.status == 200, response.read()
    wait_for_end(pid)


def test_reload_keeps_the_key_of_the_same_command(case):
    case.start("print")
    assert case.chat().status == 200
    case.gateway.write(case.text("print").replace("{upstream: up, model: m}", "{upstream: up, model: n}"))
    assert case.gateway.reload().returncode == 0
    assert case.chat().status == 200 and len(case.runs) == 1


def test_shutdown_ends_the_command(case):
    case.start("hang")
    wait_until(lambda: case.runs, "the program")
    [pid] = case.runs
    assert case.gateway.stop() == 0
    assert not is_alive(pid)


def test_client_waiting_for_the_key_can_disconnect(case):
    case.start("late")
    with case.gateway.connect() as client:
        client.http.request(
            "POST", "/v1/chat/completions", json.dumps(chat_request("any", False)),
            {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
    case.gateway.wait_for_log('"outcome":"client_gone"')


def test_check_names_the_program_and_whether_it_exists(case):
    path = case.folder / "h.yaml"
    path.write_text(case.text("print"))
    result = command(case.folder, "check", "--config", path)
    assert result.returncode == 0 and f"upstreams.up.api_key: from command {sys.executable}" in result.stdout
    assert "api_key: the command" not in result.stderr
    path.write_text(case.text("print").replace(f'"{sys.executable}"', "no-such-program"))
    result = command(case.folder, "check", "--config", path)
    assert result.returncode == 0
    assert "warning: upstream 'up': api_key: the command 'no-such-program' is not in PATH" in result.stderr
    assert not case.runs, "a check runs nothing"


def test_gateway_with_a_key_command_requires_client_keys(case):
    case.gateway = case.gateways.start(case.text("print").rpartition("keys:")[0])
    with case.gateway.connect(key=None) as client:
        assert client.chat("any").status == 401
