"""`headgate backup` and `headgate restore`: a gateway's stores, copied to one file and back."""

import sqlite3
import stat
import tarfile
from pathlib import Path

import pytest

from gateways import KEY, KEYS, command, gateways, wait_until  # noqa: F401  (a fixture)
from upstreams import local_upstream  # noqa: F401  (a fixture)

STORES = ["usage.db", "keys.db", "responses.db"]
LEDGER = {"HEADGATE_LEDGER": None}


class Place:
    """A gateway with data in each store."""

    def __init__(self, gateways, url: str):  # noqa: F811
        self.gateways = gateways
        self.text = (
            f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{url}", speaks: [chat]}}}}\n'
            "models: {m: {upstream: up}}\nresponses: {store: 1d}\n" + KEYS)
        self.gateway = gateways.start(self.text, **LEDGER)
        self.folder = gateways.folder
        self.data = self.folder / ".local/share/headgate"
        self.file = self.folder / "state.tar"
        assert self.run("key", "add", "alice").returncode == 0
        with self.gateway.connect(key=KEY) as client:
            answer = client.ask("POST", "/v1/responses", {"model": "m", "input": "Hi.", "store": True})
            self.response = answer.document["id"]
        wait_until(lambda: self.usage() == 1, "the request in the ledger")

    def run(self, *arguments):
        return command(self.folder, *arguments, "--config", self.gateway.path, **LEDGER)

    def usage(self) -> int:
        """Returns the number of requests in the ledger's file."""
        with sqlite3.connect(f"file:{self.data / 'usage.db'}?mode=ro", uri=True) as database:
            count = database.execute("SELECT count(*) FROM requests").fetchone()[0]
        database.close()
        return count

    def backup(self):
        done = self.run("backup", self.file)
        assert done.returncode == 0, done.stderr
        return done

    def contents(self) -> dict:
        """Returns all rows of each table of each database."""
        found = {}
        for name in STORES:
            with sqlite3.connect(f"file:{self.data / name}?mode=ro", uri=True) as database:
                tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
                found[name] = {table: sorted(map(repr, database.execute(f'SELECT * FROM "{table}"'))) for table, in tables}
            database.close()
        return found


@pytest.fixture
def place(gateways, local_upstream):  # noqa: F811
    return Place(gateways, local_upstream.url)


def test_backup_of_a_running_gateway_is_private_and_restorable(place):
    done = place.backup()
    assert f"wrote {place.file} (usage.db, keys.db, responses.db)" in done.stderr
    assert stat.S_IMODE(place.file.stat().st_mode) == 0o600
    with tarfile.open(place.file) as archive:
        assert archive.getnames() == STORES and all(member.mode == 0o600 for member in archive)
    assert [path.name for path in place.folder.iterdir() if path.name.startswith(".headgate-backup")] == []
    assert place.gateway.stop() == 0
    before = place.contents()
    for path in place.data.iterdir():
        if path.is_file():
            path.unlink()
    restored = place.run("restore", place.file)
    assert restored.returncode == 0, restored.stderr
    assert all(stat.S_IMODE((place.data / name).stat().st_mode) == 0o600 for name in STORES)
    after = place.contents()
    assert after["keys.db"] == before["keys.db"] and after["responses.db"] == before["responses.db"]
    gateway = place.gateways.start(place.text, "again", **LEDGER)
    with gateway.connect(key=KEY) as client:
        answer = client.ask("GET", f"/v1/responses/{place.response}")
        assert answer.status == 200, answer
    assert "alice" in place.run("key", "list").stdout


def test_backup_replaces_no_file(place):
    place.file.write_text("mine")
    done = place.run("backup", place.file)
    assert done.returncode == 1 and "is there already" in done.stderr and place.file.read_text() == "mine"


def test_restore_refuses_a_running_gateway_and_existing_files(place):
    place.backup()
    running = place.run("restore", place.file, "--force")
    assert running.returncode == 1 and "is in use by a gateway" in running.stderr, running.stderr
    assert place.gateway.stop() == 0
    before = place.contents()
    there = place.run("restore", place.file)
    assert there.returncode == 1 and "--force moves it" in there.stderr and place.contents() == before
    assert place.run("restore", place.file, "--force").returncode == 0
    assert all((place.data / f"{name}.before").exists() for name in STORES)
    # A second restore does not overwrite the files that the first moved aside.
    moved = (place.data / "usage.db.before").read_bytes()
    again = place.run("restore", place.file, "--force")
    assert again.returncode == 1 and ".before is there already" in again.stderr, again.stderr
    assert (place.data / "usage.db.before").read_bytes() == moved


def test_restore_moves_the_log_of_a_damaged_database_aside(place):
    place.backup()
    assert place.gateway.stop() == 0
    (place.data / "usage.db").write_bytes(b"x" * 8192)
    (place.data / "usage.db-wal").write_bytes(b"stale")
    (place.data / "keys.db").unlink()
    (place.data / "keys.db-wal").write_bytes(b"stale")
    done = place.run("restore", place.file, "--force")
    assert done.returncode == 0, done.stderr
    assert (place.data / "usage.db.before").read_bytes() == b"x" * 8192
    assert (place.data / "keys.db.before-wal").read_bytes() == b"stale"
    assert not any((place.data / f"{name}-wal").exists() for name in ("usage.db", "keys.db"))
    assert "alice" in place.run("key", "list").stdout


@pytest.mark.parametrize("harm", ["short", "checksum", "contents", "path", "foreign", "twice"])
def test_incomplete_backup_changes_nothing(place, harm):
    place.backup()
    assert place.gateway.stop() == 0
    before = place.contents()
    whole = place.file.read_bytes()
    if harm == "short":
        place.file.write_bytes(whole[:-700])
    elif harm == "checksum":
        # A digit of the modification time, which only the checksum covers.
        place.file.write_bytes(whole[:146] + (b"1" if whole[146:147] == b"0" else b"0") + whole[147:])
    elif harm == "contents":
        place.file.write_bytes(whole[:512] + bytes(4096) + whole[4608:])
    elif harm == "foreign":
        place.file.write_bytes(b"x" * 2048)
    elif harm == "twice":
        place.file.write_bytes(whole[:-1024] + whole)
    else:
        with tarfile.open(place.file, "w", format=tarfile.USTAR_FORMAT) as archive:
            archive.add(place.gateway.path, "../evil.db")
    done = place.run("restore", place.file, "--force")
    assert done.returncode == 1 and done.stderr.startswith("headgate: "), done
    assert place.contents() == before
    assert not list(place.data.glob("*.before")) and not list(place.data.glob(".headgate-backup*"))
    assert not Path(place.data.parent, "evil.db").exists()


def test_backup_without_stored_data_is_refused(tmp_path):
    done = command(tmp_path, "backup", tmp_path / "x.tar", HEADGATE_LEDGER=None)
    assert done.returncode == 1 and "there is nothing to back up" in done.stderr and not (tmp_path / "x.tar").exists()
