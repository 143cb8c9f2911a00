"""Managed keys: commands, routes and running gateways that share one file."""

import hashlib
import http.server
import json
import re
import stat
import threading
import time

import pytest

from conftest import binary
from gateways import KEY, command, gateways, key_line, surroundings, wait_until
from terminal import Terminal
from upstreams import local_upstream

ADMIN = "hg-" + "a" * 30


def configuration(upstream, extra: str = "", keys: str = "") -> str:
    return (
        f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{upstream.url}"}}}}\n'
        f"models: {{m: {{upstream: up}}, n: {{upstream: up}}, gated: {{upstream: up}}}}\n{keys}{extra}"
    )


def admin_keys(extra: str = "") -> str:
    line = key_line(ADMIN, "admin").replace("}", ", admin: true}")
    return f"keys: [{line}]\n{extra}"


def status(gateway, key: str | None, path: str = "/v1/models") -> int:
    with gateway.connect(key=key) as connection:
        return connection.ask("GET", path).status


def key_command(gateways, *arguments, **options):
    # Adding the first key to a keyless gateway needs a confirmation, which tests below cover.
    yes = ["--yes"] if arguments[0] == "add" else []
    result = command(gateways.folder, "key", *arguments, *yes, **options)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def data_folder(gateways):
    return gateways.folder / ".local" / "share" / "headgate"


def test_a_command_made_key_is_accepted_and_revoked_within_a_second(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, keys=admin_keys()))
    key = key_command(gateways, "add", "laptop", "--models", "m", "-c", gateway.path)
    assert re.fullmatch(r"hg-[\w-]{43}", key)
    begin = time.monotonic()
    wait_until(lambda: status(gateway, key) == 200, "the key is let in")
    key_command(gateways, "revoke", "laptop")
    wait_until(lambda: status(gateway, key) == 401, "the key is refused")
    assert time.monotonic() - begin < 10
    assert status(gateway, ADMIN) == 200


class SlowlyAdmitting(http.server.BaseHTTPRequestHandler):
    """A gateway that learns of a new key late. It refuses the key, is about to accept it, and then accepts it."""

    def do_GET(self):
        if self.path == "/readyz":
            return self.answer(200, {"status": "ok"})
        said = self.server.to_say.pop(0)
        self.server.said.append(said)
        self.answer(said if isinstance(said, int) else 503, {"error": {"message": "Wait.", "code": str(said)}})

    def answer(self, status: int, body: dict):
        text = json.dumps(body, separators=(",", ":")).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def test_add_returns_once_the_gateway_accepts_the_key(gateways, local_upstream):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), SlowlyAdmitting)
    answers = [401, 401, "keys_unknown", "keys_appear", 200]
    server.to_say, server.said = list(answers), []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        path = gateways.folder / "slow.yaml"
        text = configuration(local_upstream, keys=admin_keys())
        path.write_text(text.replace("127.0.0.1:0", f"127.0.0.1:{server.server_port}"))
        key_command(gateways, "add", "laptop", "-c", path)
        assert server.said == answers
    finally:
        server.shutdown()
        server.server_close()


def test_settings_are_those_of_the_configuration(gateways, local_upstream):
    text = configuration(local_upstream, "groups: {team: {limits: {requests: 100/m}}}\n", admin_keys())
    gateway = gateways.start(text)
    made = json.loads(key_command(
        gateways, "add", "ci", "--models", "m, n", "--limit", "requests=1/m", "--limit", "requests=50/d", "--limit",
        "in_flight=4", "--budget", "usd=20/month", "--group", "team", "--expires", "30d", "--admin", "--json", "-c", gateway.path))
    assert made["models"] == ["m", "n"] and made["group"] == "team" and made["admin"] is True
    assert made["limits"] == {"requests": ["1/m", "50/d"], "in_flight": 4} and not made["is_expired"]
    assert made["budget"] == {"usd": "20", "every": "month"}
    wait_until(lambda: status(gateway, made["key"]) == 200, "the key is let in")
    assert status(gateway, made["key"], "/v1/admin/keys/ci") == 200
    shown = json.loads(key_command(gateways, "show", "ci", "--json"))
    assert shown == {name: value for name, value in made.items() if name != "key"}
    assert "ci" in key_command(gateways, "list") and made["key"] not in key_command(gateways, "list", "--json")


def test_priority_and_passthrough_are_settings_of_a_key(gateways):
    made = json.loads(key_command(
        gateways, "add", "nightly", "--priority", "batch", "--passthrough", "up, other", "--json"))
    assert made["priority"] == "batch" and made["passthrough"] == ["up", "other"]
    assert json.loads(key_command(gateways, "show", "nightly", "--json"))["priority"] == "batch"


@pytest.mark.parametrize(("arguments", "reason"), [
    (["a b"], "a key's name is 1 to 64 letters"), (["keyless"], "callers without a key are called that"),
    (["a", "--limit", "requests"], "a limit is a name and a value"),
    (["a", "--limit", "requests=much"], "expected a rate such as 60/m"),
    (["a", "--limit", "in_flight=1", "--limit", "in_flight=2"], "the limit in_flight is given twice"),
    (["a", "--expires", "0d"], "--expires 0d is over at once"),
    (["a", "--limit", "wishes=3/m"], "unknown key"), (["a", "--group", "nobody"], "there is no such group"),
    (["a", "--expires", "2020-01-01"], "--expires is in the past"), (["a", "--expires", "soon"], "expected a date"),
    (["admin"], "the configuration has a key 'admin'"), (["a", "--models", ","], "--models names no model"),
    (["a", "--models", "x*y"], "'*' may only be the last character"),
    (["a", "--priority", "slow"], "expected interactive or batch"),
    (["a", "--passthrough", "up", "--budget", "usd=1/day"], "budget would not count them"),
])
def test_errors_are_reported_and_create_no_file(gateways, local_upstream, arguments, reason):
    path = gateways.folder / "some.yaml"
    path.write_text(configuration(local_upstream, keys=admin_keys()))
    result = command(gateways.folder, "key", "add", *arguments, "-c", path)
    assert result.returncode != 0 and reason in result.stderr and not result.stdout
    assert not (data_folder(gateways) / "keys.db").exists()


def test_unknown_keys_and_taken_names(gateways):
    for arguments in (["rotate", "a"], ["revoke", "a"], ["show", "a"]):
        result = command(gateways.folder, "key", *arguments)
        assert result.returncode == 1 and "there is no managed key 'a'" in result.stderr
    key_command(gateways, "add", "a")
    result = command(gateways.folder, "key", "add", "a")
    assert result.returncode == 1 and "there is a managed key 'a' already" in result.stderr
    result = command(gateways.folder, "key", "rotate", "a", "--grace", "soon")
    assert result.returncode == 1 and "--grace takes a time" in result.stderr


def test_a_rotated_key_and_its_grace(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, keys=admin_keys()))
    first = key_command(gateways, "add", "laptop", "-c", gateway.path)
    second = key_command(gateways, "rotate", "laptop", "--grace", "1h")
    wait_until(lambda: status(gateway, second) == 200, "the new key is let in")
    assert status(gateway, first) == 200
    third = key_command(gateways, "rotate", "laptop")
    wait_until(lambda: status(gateway, third) == 200, "the newest key is let in")
    assert [status(gateway, key) for key in (first, second)] == [401, 401]


def test_gateways_share_keys_that_survive_them(gateways, local_upstream):
    text = configuration(local_upstream, keys=admin_keys())
    one, other = gateways.start(text, "one"), gateways.start(text, "other")
    with one.connect(key=ADMIN) as connection:
        made = connection.ask("POST", "/v1/admin/keys", {"name": "laptop"})
    assert made.status == 201
    key = made.document["key"]
    # The command returns once the key is accepted.
    assert status(one, key) == 200
    wait_until(lambda: status(other, key) == 200, "the other gateway lets it in")
    assert one.stop() == 0
    again = gateways.start(text, "again")
    assert status(again, key) == 200
    with again.connect(key=ADMIN) as connection:
        assert connection.ask("DELETE", "/v1/admin/keys/laptop").status == 200
    assert status(again, key) == 401
    wait_until(lambda: status(other, key) == 401, "the other gateway refuses it")


def test_the_first_key_turns_authentication_on(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream))
    assert status(gateway, None) == 200
    with gateway.connect(key=None) as connection:
        refused = connection.ask("POST", "/v1/admin/keys", {"name": "mine", "admin": True})
    assert (refused.status, refused.code) == (403, "keyless_gateway")
    refused = command(gateways.folder, "key", "add", "laptop", "-c", gateway.path)
    assert refused.returncode == 1 and "--yes" in refused.stderr and "401" in refused.stderr and not refused.stdout
    assert status(gateway, None) == 200
    made = command(gateways.folder, "key", "add", "laptop", "--yes", "-c", gateway.path)
    assert "Authentication is now on: every request needs a key." in made.stderr, made.stderr
    key = made.stdout.strip()
    # Both statuses hold at once, because the command waited for the gateway.
    assert [status(gateway, None), status(gateway, key)] == [401, 200]
    own = key_command(gateways, "show")
    with gateway.connect(key=own) as connection:
        assert connection.ask("GET", "/v1/admin/keys").status == 200
        assert connection.ask("DELETE", "/v1/admin/keys/laptop").status == 200
    # The gateway does not become keyless again when its last key is revoked.
    assert [status(gateway, None), status(gateway, key)] == [401, 401]
    refused = command(gateways.folder, "key", "off", "-c", gateway.path)
    assert refused.returncode == 1 and f"a gateway runs (pid {gateway.pid})" in refused.stderr, refused.stderr
    assert gateway.stop() == 0
    later = gateways.start(configuration(local_upstream), "later")
    assert status(later, None) == 401
    assert later.stop() == 0
    opened = command(gateways.folder, "key", "off", "-c", gateway.path)
    assert opened.returncode == 0 and "Authentication is off" in opened.stderr, opened.stderr
    assert status(gateways.start(configuration(local_upstream), "open"), None) == 200


def test_first_key_needs_confirmation_on_a_terminal(gateways):
    for answer, word in [("n", "no key was made"), ("y", "Authentication is now on")]:
        terminal = Terminal([binary("headgate"), "key", "add", "laptop"], surroundings(gateways.folder), columns=200)
        terminal.expect(r"Turn authentication on\? \[y/N\]")
        terminal.line(answer)
        terminal.expect(word)


@pytest.mark.parametrize("text, reason", [
    ("keys: [{key}]", "the configuration has keys"), ("", "off already"),
    ("upstreams: {{up: {{kind: anthropic, base_url: https://api.anthropic.com, api_key: secret-of-an-upstream}}}}", "holds a secret"),
])
def test_required_authentication_cannot_be_turned_off(gateways, text, reason):
    path = gateways.folder / "some.yaml"
    path.write_text("listen: 127.0.0.1:0\n" + text.format(key=key_line()))
    if "secret" in reason:
        key_command(gateways, "add", "laptop")
        key_command(gateways, "revoke", "laptop")
    refused = command(gateways.folder, "key", "off", "-c", path)
    assert refused.returncode == 1 and reason in refused.stderr, refused.stderr


def test_authentication_stays_on_while_a_key_is_left(gateways):
    key_command(gateways, "add", "laptop")
    refused = command(gateways.folder, "key", "off")
    assert refused.returncode == 1 and "the key 'laptop' is left" in refused.stderr, refused.stderr


@pytest.mark.parametrize("words", [
    ["--budget", "$5/month"], ["--budget", "5/month"], ["--budget", "usd=5/month"], ["--expires", "1y"]])
def test_budgets_and_ends_are_read_as_people_write_them(gateways, words):
    key_command(gateways, "add", "laptop", *words)
    shown = command(gateways.folder, "key", "show", "laptop", "--json").stdout
    assert '"usd":"5"' in shown.replace(" ", "") if words[0] == "--budget" else '"expires"' in shown, shown


def test_requests_in_flight_outlive_their_key(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, keys=admin_keys()))
    with gateway.connect(key=ADMIN) as connection:
        key = connection.ask("POST", "/v1/admin/keys", {"name": "laptop"}).document["key"]
    with gateway.connect(key=key) as connection:
        stream = connection.stream("gated")
        assert stream.next_text()
        key_command(gateways, "revoke", "laptop")
        wait_until(lambda: status(gateway, key) == 401, "the next request is refused")
        local_upstream.release.set()
        assert stream.rest()[-1] == "[DONE]"
        # A revoked key is also refused on an open connection.
        assert connection.ask("GET", "/v1/models").status == 401


def test_no_key_is_in_the_file_or_the_log(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, keys=admin_keys()))
    with gateway.connect(key=ADMIN) as connection:
        first = connection.ask("POST", "/v1/admin/keys", {"name": "laptop"}).document["key"]
        second = connection.ask("POST", "/v1/admin/keys/laptop/rotate", {"grace": "1h"}).document["key"]
    assert status(gateway, first) == status(gateway, second) == 200
    third = key_command(gateways, "add", "other", "-c", gateway.path)
    file = data_folder(gateways) / "keys.db"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    log = gateway.log_after_exit()
    written = log.encode() + b"".join(path.read_bytes() for path in data_folder(gateways).iterdir())
    for key in (first, second, third):
        assert key.encode() not in written and key[3:].encode() not in written
    assert hashlib.sha256(second.encode()).digest() in file.read_bytes()


def test_a_name_of_both_is_the_configurations(gateways, local_upstream):
    managed = key_command(gateways, "add", "twice")
    line = key_line(KEY, "twice")
    gateway = gateways.start(configuration(local_upstream, keys=f"keys: [{line}]\n"))
    gateway.wait_for_log("the configuration and the managed keys both have twice")
    assert [status(gateway, KEY), status(gateway, managed)] == [200, 401]


def test_an_unusable_file_is_reported_at_the_start(gateways, local_upstream):
    folder = data_folder(gateways)
    folder.mkdir(parents=True)
    (folder / "keys.db").write_bytes(b"this is no database" * 100)
    path = gateways.folder / "some.yaml"
    path.write_text(configuration(local_upstream, keys=admin_keys()))
    result = command(gateways.folder, "serve", "-c", path)
    assert result.returncode == 78 and "managed keys: " in result.stderr and "is damaged" in result.stderr
