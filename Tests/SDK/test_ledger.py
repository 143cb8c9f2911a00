"""The usage ledger of real gateways: its content after a kill, and with a file that cannot be written."""

import collections
import contextlib
import csv
import http.server
import json
import os
import random
import re
import shutil
import socket
import sqlite3
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest

from gateways import KEY, command, gateways, key_line, needs_root, wait_until  # noqa: F401  (a fixture)
from paced_upstream import PacedUpstream
from patience import PATIENCE_SECONDS

STREAMS = 200
PRICES = 'models: {"m*": {input: 10, output: 100}}\n'


@pytest.fixture
def paced():
    upstream = PacedUpstream()
    yield upstream
    upstream.close()


def configuration(paced, ledger: str = "", admin: bool = True) -> str:
    return f"""
listen: 127.0.0.1:0
{ledger}
prices: prices.yaml
upstreams:
  up: {{kind: openai, base_url: "{paced.url}"}}
models:
  "m*": {{upstream: up}}
keys: [{key_line()[:-1]}, admin: {str(admin).lower()}}}]
"""


@pytest.fixture
def start(gateways, paced):  # noqa: F811
    (gateways.folder / "prices.yaml").write_text(PRICES)

    def start(name: str = "headgate", ledger: str = "", **variables):
        return gateways.start(configuration(paced, ledger), name, HEADGATE_LEDGER="", **variables)

    start.folder = gateways.folder
    return start


def usage(gateway, by: str = "model", since: str = "1d") -> list:
    answer = gateway.connect().ask("GET", f"/v1/usage?by={by}&since={since}")
    assert answer.status == 200, answer.body
    return answer.document["rows"]


def chat(connection, model: str = "m-1", stream: bool = False) -> int:
    document = {"model": model, "stream": stream, "messages": [{"role": "user", "content": "a line"}]}
    return connection.ask("POST", "/v1/chat/completions", document).status


def requests_in(gateway) -> int:
    return sum(row["requests"] for row in usage(gateway))


def rows(path: Path) -> list:
    with sqlite3.connect(path) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute("SELECT * FROM requests")]


class Stream(threading.Thread):
    """A client that reads one stream to its end."""

    def __init__(self, gateway, number: int, story: bool):
        super().__init__(daemon=True)
        self.id = f"stream-{number}"
        self.is_done = False
        self.has_begun = threading.Event()
        host, port = re.fullmatch(r"http://([^:]+):(\d+)", gateway.urls[0]).groups()
        self._socket = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS * 4)
        body = json.dumps({"model": f"m-{number % 3}", "stream": True, "messages": [
            {"role": "user", "content": "a story" if story else "a line"}]})
        self._socket.sendall((
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {KEY}\r\nX-Request-Id: {self.id}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())

    def run(self):
        received = b""
        try:
            while piece := self._socket.recv(65536):
                received = received[-64:] + piece
                if b"content" in piece:
                    self.has_begun.set()
                if received.endswith(b"data: [DONE]\n\n\r\n0\r\n\r\n"):
                    self.is_done = True
                    break
        except OSError:
            pass
        finally:
            self.has_begun.set()
            self._socket.close()


def test_each_stream_of_a_killed_gateway_is_recorded_once(start):
    gateway = start()
    streams = [Stream(gateway, number, story=number % 2 == 0) for number in range(STREAMS)]
    for stream in streams:
        stream.start()
    for stream in streams:
        assert stream.has_begun.wait(PATIENCE_SECONDS * 4)
    # Some of the short streams have ended; the other short ones, and all long ones, are still open.
    wait_until(lambda: sum(stream.is_done for stream in streams) >= STREAMS // 8, "ends of streams")
    gateway.kill()
    for stream in streams:
        stream.join()
    done = {stream.id for stream in streams if stream.is_done}
    assert STREAMS // 8 <= len(done) < STREAMS
    again = start("again")
    wait_until(lambda: requests_in(again) >= STREAMS, "what was left")
    file = start.folder / ".local/share/headgate/usage.db"
    written = rows(file)
    assert sorted(row["request_id"] for row in written) == sorted(stream.id for stream in streams)
    ended = {row["request_id"] for row in written if row["outcome"] == "finished"}
    assert done <= ended
    for row in written:
        if row["outcome"] == "finished":
            assert (row["prompt_tokens"], row["completion_tokens"], row["token_source"]) == (40, 24, "upstream")
            assert row["cost"] == 40 * 10_000_000 + 24 * 100_000_000
        else:
            assert row["outcome"] == "unfinished" and row["cost"] is None
    assert sum(row["unfinished_requests"] for row in usage(again)) == len(written) - len(ended)
    assert not list(file.parent.glob("usage.db.live-*"))[1:], "only that of the gateway that runs"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def write_old_ledger(file: Path, count: int):
    """Writes a ledger of the first version with five models, in which the n-th request cost n picodollars."""
    file.parent.mkdir(parents=True, mode=0o700)
    start = int(time.time() * 1000) - 3_600_000
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.executescript(f"""
            PRAGMA application_id = {0x68677573};
            PRAGMA user_version = 1;
            CREATE TABLE requests (
                process INTEGER NOT NULL, sequence INTEGER NOT NULL, request_id TEXT NOT NULL,
                started INTEGER NOT NULL, ended INTEGER NOT NULL, key TEXT, operation TEXT NOT NULL,
                model TEXT NOT NULL, upstream TEXT, upstream_model TEXT, status INTEGER NOT NULL,
                outcome TEXT NOT NULL, attempts INTEGER NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER,
                cached_tokens INTEGER, token_source TEXT, cost INTEGER, is_stream INTEGER NOT NULL,
                PRIMARY KEY (process, sequence)) WITHOUT ROWID;
            CREATE INDEX requests_by_end ON requests (ended);
            INSERT INTO requests
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
            SELECT n % 3, n, 'request-' || n, {start} + n / 2, {start} + n, 'k', 'createChatCompletion', 'old-' || (n % 5),
                'up', 'up', 200, 'finished', 1, n % 100, n % 10, 0, 'upstream', n, 0 FROM numbers;
            """)


def is_outdated(file: Path, folder: Path) -> bool:
    """Returns whether the ledger is outdated. Reads a copy, because closing the ledger of a killed gateway would clean
    it up."""
    folder.mkdir()
    for path in file.parent.glob(file.name + "*"):
        shutil.copy(path, folder)
    with contextlib.closing(sqlite3.connect(folder / file.name)) as database:
        return database.execute("PRAGMA user_version").fetchone() == (1,)


# The migration of so many requests takes seconds of processor time, and must be caught halfway.
@pytest.mark.serial
def test_kill_during_a_ledger_migration_loses_and_doubles_nothing(start, tmp_path):
    file = start.folder / ".local/share/headgate/usage.db"
    log = file.with_name("usage.db-wal")
    count = 200_000
    write_old_ledger(file, count)
    gateway = start()
    assert chat(gateway.connect()) == 200
    # At this point the new tables are partly written, and nothing is committed.
    wait_until(lambda: log.exists() and log.stat().st_size > 2 << 20, "the move")
    gateway.kill()
    assert is_outdated(file, tmp_path / "copy") and log.stat().st_size > 2 << 20, "the move was over before"
    again = start("again")
    again.wait_for_log("headgate: usage: .*its requests are in the new tables")
    wait_until(lambda: requests_in(again) == count + 1, "all requests")
    totals = {
        row["name"]: (row["requests"], row["prompt_tokens"], round(row["cost_usd"] * 10 ** 12)) for row in usage(again)}
    assert totals.pop("m-1") == (1, 40, 40 * 10_000_000 + 24 * 100_000_000)
    assert totals == {
        f"old-{rest}": (
            count // 5, sum(n % 100 for n in range(rest or 5, count + 1, 5)), sum(range(rest or 5, count + 1, 5)))
        for rest in range(5)}
    with contextlib.closing(sqlite3.connect(file)) as database:
        counts = database.execute("SELECT count(*), count(DISTINCT request_id) FROM requests").fetchone()
        assert counts == (count + 1, count + 1)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_two_gateways_share_a_folder_and_commands_show_their_usage(start):
    one, other = start("one"), start("other")
    for gateway, count in ((one, 3), (other, 4)):
        for _ in range(count):
            assert chat(gateway.connect()) == 200
    wait_until(lambda: requests_in(one) == 7, "requests of both")
    assert usage(other, "key") == usage(one, "key") and usage(one, "key")[0]["name"] == "test"
    shown = command(start.folder, "usage", "--by", "model", "--url", one.urls[0], HEADGATE_KEY=KEY)
    assert shown.returncode == 0, shown.stderr
    # The cost is 7 x (40 x 10 + 24 x 100) millionths of a dollar.
    assert [re.split(r"  +", line) for line in shown.stdout.splitlines()] == [
        ["MODEL", "REQUESTS", "TOKENS IN", "CACHED", "TOKENS OUT", "COST"], ["m-1", "7", "280", "0", "168", "$0.0196"]]
    values = command(start.folder, "usage", "--csv", "--url", one.urls[0], HEADGATE_KEY=KEY)
    assert values.stdout.splitlines()[1] == "test,7,280,0,168,0.0196,0,0,0"
    whole = command(start.folder, "usage", "--json", "--url", one.urls[0], HEADGATE_KEY=KEY)
    assert json.loads(whole.stdout)["rows"][0]["cost_usd"] == 0.0196


class Rows(http.server.BaseHTTPRequestHandler):
    """A server that claims to be a gateway, and returns rows with arbitrary names."""

    names: list = []

    def do_GET(self):
        row = {"requests": 1, "prompt_tokens": 0, "completion_tokens": 0, "cached_tokens": 0, "cost_usd": 0,
               "cost_unknown_requests": 0, "estimated_requests": 0, "unfinished_requests": 0}
        body = json.dumps({"by": "key", "since": "", "rows": [{"name": name, **row} for name in self.names]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_names_cannot_be_formulas_cells_or_commands(tmp_path):
    names = ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", 'a"\u0301,b', "a,b", 'a"b', "a\nb", "\x1b[2Ja", "plain-1.2_/:x", "=\u0301x"]
    server = http.server.HTTPServer(("127.0.0.1", 0), type("Named", (Rows,), {"names": names}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        values = command(tmp_path, "usage", "--csv", "--url", url, HEADGATE_KEY=KEY)
        table = command(tmp_path, "usage", "--url", url, HEADGATE_KEY=KEY)
    finally:
        server.shutdown()
    assert values.returncode == 0, values.stderr
    rows = list(csv.reader(values.stdout.splitlines()))
    assert len(rows) == len(names) + 1 and all(len(row) == 9 for row in rows)
    shown = [row[0] for row in rows[1:]]
    assert shown == ["'=1+1", "'+1", "'-1", "'@a", "' =1", "'=1", 'a"\u0301,b', "a,b", 'a"b', "a b", "\u241b[2Ja", "plain-1.2_/:x",
                     "'=\u0301x"]
    assert "\nplain-1.2_/:x,1," in values.stdout and "\x1b" not in values.stdout + table.stdout


def test_sums_are_those_of_the_log(start):
    gateway = start(ledger="metrics: true")
    choice = random.Random(7)
    clients = [gateway.connect() for _ in range(8)]
    for number in range(300):
        model = choice.choice(["m-1", "m-2", "mute", "bogus", "unheard-of"])
        chat(clients[number % 8], model, choice.random() < 0.1)
    wait_until(lambda: requests_in(gateway) == 300, "requests")
    rows = usage(gateway)
    scraped = gateway.connect().ask("GET", "/metrics").body.decode()
    lines = [json.loads(line) for line in re.findall(r"^\{.*createChatCompletion.*\}$", gateway.log_after_exit(), re.M)]
    assert len(lines) == 300
    expected = collections.Counter()
    for line in lines:
        for name in ("prompt_tokens", "completion_tokens"):
            expected[line.get("model", ""), name] += line.get(name, 0)
        expected[line.get("model", ""), "cost"] += round((line.get("cost_usd") or 0) * 10 ** 12)
        expected[line.get("model", ""), "requests"] += 1
    for row in rows:
        assert {name: row[name] for name in ("requests", "prompt_tokens", "completion_tokens")} == {
            name: expected[row["name"], name] for name in ("requests", "prompt_tokens", "completion_tokens")}
        assert round((row["cost_usd"] or 0) * 10 ** 12) == expected[row["name"], "cost"]
    assert "\nheadgate_ledger_pending 0\n" in scraped and "\nheadgate_ledger_dropped_total 0\n" in scraped


def test_locked_database_delays_no_one(start):
    gateway = start()
    file = start.folder / ".local/share/headgate/usage.db"
    locker = sqlite3.connect(file, isolation_level=None)
    locker.execute("BEGIN IMMEDIATE")
    for _ in range(5):
        assert chat(gateway.connect()) == 200
    gateway.wait_for_log("headgate: usage: .*another process keeps it locked")
    locker.execute("ROLLBACK")
    gateway.wait_for_log("headgate: usage: .* is written again")
    wait_until(lambda: requests_in(gateway) == 5, "requests")


def test_unwritable_folder_is_reported_once(start):
    gateway = start(XDG_DATA_HOME="/proc/nothing")
    gateway.wait_for_log("headgate: usage is kept in memory until the gateway ends: ")
    for _ in range(2):
        assert chat(gateway.connect()) == 200
    wait_until(lambda: requests_in(gateway) == 2, "requests")
    assert gateway.log_after_exit().count("usage is kept in memory") == 1


@needs_root
def test_read_only_disk_fails_no_request(start):
    folder = start.folder / ".local/share/headgate"
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", folder], check=True)
    try:
        gateway = start()
        gateway.wait_for_log("headgate: usage is kept in memory until the gateway ends: .*[Rr]ead-only")
        assert [chat(gateway.connect()) for _ in range(3)] == [200] * 3
        wait_until(lambda: requests_in(gateway) == 3, "requests")
        gateway.stop()
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def test_file_that_is_named_must_be_usable(start, gateways):  # noqa: F811
    path = gateways.folder / "headgate.yaml"
    path.write_text("ledger: sqlite:/proc/nothing/usage.db\n")
    refused = command(gateways.folder, "serve", "--config", path, HEADGATE_LEDGER="")
    assert refused.returncode == 78 and "ledger: /proc/nothing/usage.db: cannot be opened" in refused.stderr
    path.write_text("ledger: postgresql://user:secret@host\n")
    refused = command(gateways.folder, "check", "--config", path, HEADGATE_LEDGER="")
    assert refused.returncode == 78 and ":1:9: error: ledger: it names no database" in refused.stderr
    assert "secret" not in refused.stderr


@needs_root
def test_full_disk_delays_no_one_and_loses_nothing(start):
    disk = start.folder / "disk"
    disk.mkdir()
    # A small disk of its own, mounted for this test only.
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk], check=True)
    try:
        gateway = start(ledger=f"ledger: sqlite:{disk}/usage.db")
        filler = disk / "filler"
        descriptor = os.open(filler, os.O_WRONLY | os.O_CREAT)
        with contextlib.suppress(OSError):
            while True:
                os.write(descriptor, b"x" * 4096)
        os.close(descriptor)
        for _ in range(200):
            assert chat(gateway.connect()) == 200
        gateway.wait_for_log("headgate: usage: .*(there is no space left|cannot be used)")
        filler.unlink()
        gateway.wait_for_log("headgate: usage: .* is written again")
        wait_until(lambda: requests_in(gateway) == 200, "requests")
        gateway.stop()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_keys_see_only_their_own_usage(gateways, paced):  # noqa: F811
    (gateways.folder / "prices.yaml").write_text(PRICES)
    other = "hg-" + os.urandom(16).hex()
    text = configuration(paced).replace("keys: [", f"keys: [{key_line(other, 'other')}, ")
    gateway = gateways.start(text, HEADGATE_LEDGER="memory")
    for key, count in ((KEY, 2), (other, 3)):
        for _ in range(count):
            assert chat(gateway.connect(key=key)) == 200
    wait_until(lambda: requests_in(gateway) == 5, "requests")
    own = gateway.connect(key=other).ask("GET", "/v1/usage").document["rows"]
    assert [(row["name"], row["requests"]) for row in own] == [("other", 3)]
    assert [row["name"] for row in usage(gateway, "key")] == ["other", "test"]
