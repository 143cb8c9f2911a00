"""Alerts: a command or a URL is notified of exhausted budgets and open breakers. Requests never wait for an alert."""

import http.server
import json
import os
import secrets
import sqlite3
import threading
import time

import openai
import pytest

from gateways import KEY, KEYS, UPSTREAM_KEY, command, gateways, key_line, wait_until  # noqa: F401
from patience import PATIENCE_SECONDS

OTHER_KEY = "hg-" + secrets.token_hex(16)
ANSWER = {
    "id": "c", "object": "chat.completion", "created": 1, "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 300, "completion_tokens": 200, "total_tokens": 500}}


class Server:
    """An upstream whose responses use 500 tokens each, or fail; it also receives alerts at /hook."""

    def __init__(self):
        self.status, self.hook_status, self.alerts = 200, 204, []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                is_hook = self.path == "/hook/s3cret"
                if is_hook:
                    outer.alerts.append((dict(self.headers), json.loads(body)))
                answer = b"" if is_hook else json.dumps(ANSWER).encode()
                self.send_response(outer.hook_status if is_hook else outer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def notify(gateways):  # noqa: F811
    """Creates a command that records its arguments, its variables and each alert."""
    script = gateways.folder / "notify"
    script.write_text(
        '#!/bin/sh\nenv > "$1.env"\necho "$2" > "$1.argument"\ncat > "$1.new"\ncat "$1.new" >> "$1"\n')
    script.chmod(0o755)
    return script


def configuration(server: Server, alerts: str, budget: str = "{tokens: 1000, every: month}", more: str = "") -> str:
    return (
        f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{server.url}/v1", '
        f'api_key: "${{UPSTREAM_KEY}}", breaker: {{failures: 2, cooldown: 1s}}}}}}\n'
        f"models: {{m: {{upstream: up}}}}\nkeys: [{key_line()[:-1]}, budget: {budget}}}, "
        f'{key_line(OTHER_KEY, "other")}]\nalerts: {alerts}\n{more}')


def ask(gateway, key: str = KEY) -> int:
    with openai.OpenAI(base_url=f"{gateway.urls[0]}/v1", api_key=key, max_retries=0, timeout=20) as client:
        try:
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
        except openai.APIStatusError as error:
            return error.status_code
    return 200


def lines(path) -> list:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_command_reads_each_threshold_once_and_gets_no_secret(gateways, server, notify):  # noqa: F811
    told = gateways.folder / "told"
    ledger = {"HEADGATE_LEDGER": f"sqlite:{gateways.folder}/usage.db"}
    text = configuration(server, f"{{command: [{notify}, {told}, '$$(id) ; *']}}")
    gateway = gateways.start(text, **ledger)
    assert ask(gateway) == 200
    assert ask(gateway) == 200
    assert ask(gateway) == 429
    alerts = wait_until(lambda: len(found := lines(told)) >= 2 and found, "two alerts")
    assert [alert["threshold"] for alert in alerts] == [80, 100]
    assert alerts[0].items() >= {
        "alert": "budget", "of": "key", "name": "test", "unit": "tokens", "every": "month", "amount": 1000,
        "used": 1000}.items()
    assert alerts[1]["text"].startswith("Headgate: key 'test' has used up its budget of 1000 tokens per month")
    assert (gateways.folder / "told.argument").read_text() == "$(id) ; *\n"
    variables = (gateways.folder / "told.env").read_text()
    assert UPSTREAM_KEY not in variables and "PATH=" in variables
    gateway.wait_for_log("alert: key 'test' has used up its budget")
    # Another gateway with the same ledger has nothing new to report.
    assert gateway.stop() == 0
    again = gateways.start(text, "again", **ledger)
    wait_until(lambda: ask(again) == 429, "the budget as the ledger has it")
    # An alert for a breaker follows any alert for the budget from the same check.
    server.status = 500
    while ask(again, OTHER_KEY) != 503:
        pass
    wait_until(lambda: len(lines(told)) > 2, "the breaker's alert")
    assert [alert["alert"] for alert in lines(told)] == ["budget", "budget", "breaker"]


def test_url_is_notified_of_a_managed_key_too(gateways, server):  # noqa: F811
    ledger = {"HEADGATE_LEDGER": f"sqlite:{gateways.folder}/usage.db"}
    gateway = gateways.start(
        configuration(server, f'{{url: "{server.url}/hook/s3cret"}}', "{tokens: 1M, every: day}"), **ledger)
    made = command(
        gateways.folder, "key", "add", "bob", "--budget", "tokens=600/day", "--config", gateway.path, **ledger)
    assert made.returncode == 0, made.stderr
    key = made.stdout.strip()
    with openai.OpenAI(base_url=f"{gateway.urls[0]}/v1", api_key=key, max_retries=0, timeout=20) as client:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
    headers, alert = wait_until(lambda: server.alerts, "an alert")[0]
    assert alert["name"] == "bob" and alert["threshold"] == 80 and alert["used"] == 500
    assert headers["Content-Type"] == "application/json" and "Authorization" not in headers


def test_breaker_is_reported_when_it_opens_and_when_it_closes(gateways, server):  # noqa: F811
    server.status = 500
    gateway = gateways.start(configuration(server, f'{{url: "{server.url}/hook/s3cret"}}', "{tokens: 1M, every: day}"))
    while ask(gateway) != 503:
        pass
    wait_until(lambda: server.alerts, "an alert")
    server.status = 200
    wait_until(lambda: ask(gateway) == 200, "a probe that works")
    wait_until(lambda: len(server.alerts) >= 2, "another alert")
    assert [(alert["alert"], alert["state"], alert["upstream"], alert["model"]) for _, alert in server.alerts] == [
        ("breaker", "open", "up", "m"), ("breaker", "closed", "up", "m")]


def test_delivery_that_fails_or_hangs_is_logged_and_delays_no_request(gateways, server):  # noqa: F811
    hang = gateways.folder / "hang"
    hang.write_text('#!/bin/sh\necho $$ >> "$0.pids"\nexec sleep 600\n')
    hang.chmod(0o755)
    server.hook_status = 503
    alerts = f'{{command: [{hang}], url: "{server.url}/hook/s3cret", timeout: 1s}}'
    gateway = gateways.start(configuration(server, alerts, "{tokens: 500, every: day}"))
    assert ask(gateway) == 200
    pids = gateways.folder / "hang.pids"
    wait_until(pids.exists, "the command")
    began = time.monotonic()
    assert ask(gateway) == 429 and time.monotonic() - began < PATIENCE_SECONDS / 4
    gateway.wait_for_log("alerts: the URL at 127.0.0.1 answered with status 503")
    gateway.wait_for_logs("alerts: the command did not end within 1", 2)
    for pid in pids.read_text().split():
        wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the end of the command")
    assert "s3cret" not in gateway.output()


def test_missing_or_failing_command_is_named(gateways, server):  # noqa: F811
    failing = gateways.folder / "failing"
    failing.write_text("#!/bin/sh\necho no such channel >&2\nexit 3\n")
    failing.chmod(0o755)
    first = gateways.start(configuration(server, f"{{command: [{failing}]}}", "{tokens: 500, every: day}"))
    assert ask(first) == 200
    first.wait_for_log("alerts: the command ended with exit status 3: no such channel")
    second = gateways.start(configuration(server, "{command: [no-such-program]}", "{tokens: 500, every: day}"), "second")
    assert ask(second) == 200
    second.wait_for_log("alerts: the command cannot be started: 'no-such-program' is not in PATH")


def test_reload_turns_alerts_on_and_off(gateways, server):  # noqa: F811
    off = f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{server.url}/v1"}}}}\n' \
        "models: {m: {upstream: up}}\n" + KEYS.replace("}]", ", budget: {tokens: 500, every: day}}]")
    gateway = gateways.start(off)
    on = off + f'alerts: {{url: "{server.url}/hook/s3cret"}}\n'
    gateway.write(on)
    assert gateway.reload().returncode == 0
    assert ask(gateway) == 200
    wait_until(lambda: len(server.alerts) == 2, "both alerts")
    gateway.write(off)
    assert gateway.reload().returncode == 0 and gateway.stop() == 0


@pytest.mark.parametrize("before", ["tokens: 10000", "usd: 1000"])
def test_reload_that_lowers_a_budget_below_its_use_is_reported(gateways, server, before):  # noqa: F811
    alerts = f'{{url: "{server.url}/hook/s3cret"}}'
    gateway = gateways.start(
        configuration(server, alerts, f"{{{before}, every: day}}"),
        HEADGATE_LEDGER=f"sqlite:{gateways.folder}/usage.db")
    assert ask(gateway) == 200
    # The budget in tokens is read from the ledger, which receives the request a moment later.
    with sqlite3.connect(gateways.folder / "usage.db") as database:
        wait_until(lambda: database.execute("SELECT count(*) FROM requests").fetchone()[0] == 1, "the request")
    gateway.write(configuration(server, alerts, "{tokens: 600, every: day}"))
    assert gateway.reload().returncode == 0
    alert = wait_until(lambda: server.alerts, "an alert")[0][1]
    assert alert["threshold"] == 80 and alert["used"] == 500 and alert["amount"] == 600


def test_check_shows_no_secret_of_the_url(gateways, server, tmp_path):  # noqa: F811
    path = tmp_path / "a.yaml"
    path.write_text(configuration(server, f'{{url: "{server.url}/hook/s3cret"}}'))
    shown = command(tmp_path, "check", "--config", path, HEADGATE_LEDGER="memory")
    assert shown.returncode == 0, shown.stderr
    assert "alerts.url: <redacted>" in shown.stdout and "s3cret" not in shown.stdout + shown.stderr
