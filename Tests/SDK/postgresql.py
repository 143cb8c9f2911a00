"""A PostgreSQL server for tests, on a Unix socket in its own folder. It ends with this process, however this process
ends."""

import glob
import os
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

PASSWORD = "s3cret-of-the-database"
AS_OTHER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
# Runs a command and stops it when standard input closes, which happens when this process ends.
SCRIPT = '"$@" & pid=$!; cat >/dev/null; kill -QUIT $pid; wait $pid'


def program(name: str) -> str:
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else name


class PostgreSQL:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hgpg-", dir="/tmp"))
        (self.folder / "password").write_text(PASSWORD)
        if AS_OTHER:
            for path in (self.folder, self.folder / "password"):
                shutil.chown(path, "postgres")
        subprocess.run(
            [*AS_OTHER, program("initdb"), "-D", self.folder / "data", "-U", "owner", "-A", "scram-sha-256", "--no-sync",
             "--locale=C", "-E", "UTF8", f"--pwfile={self.folder / 'password'}"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        self.start()

    def start(self):
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                ["sh", "-c", SCRIPT, "sh", *AS_OTHER, program("postgres"), "-D", str(self.folder / "data"), "-k",
                 str(self.folder), "-c", "listen_addresses=", "-c", "fsync=off"],
                stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.folder)
        ready = [program("pg_isready"), "-q", "-t", "60", "-h", str(self.folder)]
        while subprocess.run(ready, check=False).returncode != 0:
            assert self.process.poll() is None, (self.folder / "log").read_text()

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def query(self, text: str, database: str = "postgres") -> str:
        result = subprocess.run(
            [program("psql"), "-X", "-A", "-t", "-q", "-h", str(self.folder), "-U", "owner", "-d", database, "-c", text],
            env={**os.environ, "PGPASSWORD": PASSWORD}, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    def dump(self, database: str) -> str:
        return subprocess.run(
            [program("pg_dump"), "-h", str(self.folder), "-U", "owner", database],
            env={**os.environ, "PGPASSWORD": PASSWORD}, capture_output=True, text=True, check=True).stdout

    def database(self) -> str:
        name = "t" + secrets.token_hex(6)
        self.query(f"CREATE DATABASE {name}")
        return name

    def url(self, database: str, password: str = PASSWORD) -> str:
        return f"postgresql://owner{':' + password if password else ''}@/{database}?host={self.folder}"

    def end(self):
        if self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
