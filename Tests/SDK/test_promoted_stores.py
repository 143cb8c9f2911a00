"""A Redis and a PostgreSQL that fail under load. Their replicas are promoted, and take over the servers' addresses."""

import asyncio
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from connections import Connection
from gateways import KEY, short_folder, wait_until
from patience import READY_SECONDS
from replicas import Replicas, Stores
from stores import PostgreSQL, Redis, bound, environment, program
from test_replicas_faults import run, slow, wait_for_ledger  # noqa: F401  (one is a fixture)


class ReplicatedRedis(Redis):
    """A Redis server. Gateways connect to its Unix socket, and its replica over TCP, because Redis replicates only over
    TCP."""

    def __init__(self, folder: Path, secrets: dict, source: "ReplicatedRedis | None" = None):
        folder.mkdir()
        super().__init__(folder, secrets)
        roles = folder / "redis.acl"
        roles.write_text(self._roles.read_text() + f"user operator on >{self._password} +@all ~* &*\n")
        self._roles = roles
        self._source = source
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def command(self) -> list:
        options = ["--port", self.port, "--bind", "127.0.0.1", "--repl-diskless-sync-delay", 0]
        if self._source:
            options += ["--replicaof", "127.0.0.1", self._source.port]
            options += ["--masteruser", "operator", "--masterauth", self._password]
        return super().command() + [str(option) for option in options]

    def operate(self, *command) -> str:
        result = subprocess.run(
            [program("redis-cli"), "-s", self.socket, "--user", "operator", "--no-auth-warning", *command],
            capture_output=True, text=True, timeout=READY_SECONDS, env=environment(REDISCLI_AUTH=self._password))
        return result.stdout.strip()

    def offset(self) -> int:
        """Its replication offset."""
        said = dict(line.split(":", 1) for line in self.operate("INFO", "replication").splitlines() if ":" in line)
        assert self._source is None or said["role"] == "slave", said
        return int(said["slave_repl_offset" if self._source else "master_repl_offset"])

    def promote(self):
        assert self.operate("REPLICAOF", "NO", "ONE") == "OK"


class Standby(PostgreSQL):
    """A replica that follows a running server."""

    def __init__(self, folder: Path, secrets: dict, source: PostgreSQL):
        self.folder, self._process, self._secrets = folder, None, secrets
        self._user, self._superuser = source._user, source._superuser
        folder.mkdir()
        if self._user:
            shutil.chown(folder, self._user, self._user)
        copied = subprocess.run(
            bound(program("pg_basebackup"), "--pgdata", folder / "data", "--host", source.folder, "--username",
                  self._superuser, "--write-recovery-conf", "--checkpoint", "fast", "--no-sync", user=self._user),
            capture_output=True, text=True, timeout=60, cwd=folder,
            env=environment(PGPASSWORD=(secrets["folder"] / "postgres_password").read_text().strip()))
        assert copied.returncode == 0, copied.stderr
        (folder / "prepared").touch()

    def promote(self):
        assert self.ask("SELECT pg_promote()") == [["t"]]


class Pairs(Stores):
    """Each store with its replica, and a link to the folder of the active server."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self._links = {"redis": folder / "redis.now", "postgres": folder / "postgres.now"}
        self.redis = ReplicatedRedis(folder / "redis.one", self.secrets)
        self.servers["redis"] = self.redis
        self.start()
        self.replicas = {
            "redis": ReplicatedRedis(folder / "redis.other", self.secrets, self.redis),
            "postgres": Standby(folder / "postgres.other", self.secrets, self.postgres)}
        for name, replica in self.replicas.items():
            self._lead(name, self.servers[name])
            replica.start()
        # Each commit is on both servers, so nothing is lost with the first one.
        self.postgres.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.postgres.ask("SELECT pg_reload_conf()")
        state = "SELECT sync_state FROM pg_stat_replication"
        wait_until(lambda: self.postgres.ask(state) == [["sync"]], "the standby to follow")

    def _lead(self, name: str, server):
        new = self._links[name].with_suffix(".new")
        new.symlink_to(server.folder)
        os.replace(new, self._links[name])

    def take_over(self, name: str):
        """Promotes the replica of a lost server at that server's address."""
        self.replicas[name].promote()
        self._lead(name, self.replicas[name])
        self.servers[name] = self.replicas.pop(name)
        setattr(self, name, self.servers[name])

    def end(self):
        super().end()
        for replica in self.replicas.values():
            replica.end()

    @property
    def configuration(self) -> str:
        return (
            f"ledger: postgresql://headgate@/headgate?host={self._links['postgres']}\n"
            f"counters: redis+unix://headgate:${{REDIS_PASSWORD}}@{self._links['redis']}/redis.sock\n")


@pytest.fixture
def pairs():
    with short_folder() as path:
        pairs = Pairs(Path(path))
        try:
            yield pairs
        finally:
            pairs.end()


def test_promoted_replicas_lose_no_request_and_no_count(pairs, slow):  # noqa: F811
    with short_folder() as path:
        gateways = Replicas(Path(path), pairs, slow.url, {"limited": "limits: {requests: 20/d}"})

        def limited(count: int) -> list:
            clients = [Connection(gateways.urls[number % 2], gateways.keys["limited"]) for number in range(count)]
            return [client.chat("m").status for client in clients]

        async def happening(crowd):
            assert await asyncio.to_thread(limited, 12) == [200] * 12
            replica, seen = pairs.replicas["redis"], pairs.redis.offset()
            await asyncio.to_thread(wait_until, lambda: replica.offset() >= seen, "the replica to have the counts")
            for name in ("redis", "postgres"):
                await asyncio.to_thread(pairs.servers[name].kill)
                await crowd.requests(20)
                await asyncio.to_thread(pairs.take_over, name)
                await crowd.requests(40)

        try:
            ids = run(gateways, happening)
            wait_for_ledger(pairs, ids)
            for url in gateways.urls:
                admin = Connection(url, KEY)
                wait_until(lambda: b"headgate_counters_up 1" in admin.ask("GET", "/metrics").body, "the promoted Redis")
            # The promoted server's counts continued those of the first one.
            assert sorted(limited(20)) == [200] * 8 + [429] * 12
        finally:
            gateways.end()
