"""Gateways that share a ledger and managed keys in PostgreSQL."""

import hashlib
import re
import subprocess
import time

import pytest

from gateways import KEY, command, gateways, key_line, wait_until  # noqa: F401  (a fixture)
from postgresql import PASSWORD, PostgreSQL
from upstreams import local_upstream  # noqa: F401  (a fixture)


@pytest.fixture(scope="module")
def server():
    server = PostgreSQL()
    yield server
    server.end()


def configuration(upstream, keys: bool = True) -> str:
    line = key_line().replace("}", ", admin: true}")
    return (
        f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{upstream.url}"}}}}\nmetrics: true\n'
        "models: {m: {upstream: up}}\nledger: ${DATABASE}\n" + (f"keys: [{line}]\n" if keys else "")
    )


def start(gateways, upstream, url: str, name: str, keys: bool = True):
    # Each gateway has its own data folder, as on another machine.
    return gateways.start(
        configuration(upstream, keys), name, HEADGATE_LEDGER="", DATABASE=url,
        XDG_DATA_HOME=str(gateways.folder / f"data-{name}"))


def key_command(gateways, gateway, url: str, *arguments) -> str:
    result = command(gateways.folder, "key", *arguments, "--config", gateway.path, HEADGATE_LEDGER="", DATABASE=url)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def status(gateway, key) -> int:
    with gateway.connect(key=key) as connection:
        return connection.ask("GET", "/v1/models").status


def chat(gateway, key) -> int:
    with gateway.connect(key=key) as connection:
        document = {"model": "m", "messages": [{"role": "user", "content": "a line"}]}
        return connection.ask("POST", "/v1/chat/completions", document).status


def usage(gateway) -> dict:
    with gateway.connect() as connection:
        answer = connection.ask("GET", "/v1/usage?by=key&since=1d")
        return {row["name"]: row["requests"] for row in answer.document["rows"]} if answer.status == 200 else {}


# The test measures the delay until another gateway refuses a key.
@pytest.mark.serial
def test_two_gateways_share_keys_and_usage(gateways, local_upstream, server):  # noqa: F811
    url = server.url(server.database())
    one, other = (start(gateways, local_upstream, url, name) for name in ("one", "other"))
    key = key_command(gateways, one, url, "add", "laptop")
    for gateway in (one, other):
        wait_until(lambda: status(gateway, key) == 200, "the key is let in")
        assert chat(gateway, key) == 200
    for gateway in (one, other):
        wait_until(lambda: usage(gateway).get("laptop") == 2, "each gateway answers for both")
    with one.connect() as connection:
        assert connection.ask("DELETE", "/v1/admin/keys/laptop").status in (200, 204)
    begin = time.monotonic()
    wait_until(lambda: status(other, key) == 401, "the key is refused by the other one")
    assert time.monotonic() - begin < 1
    assert "laptop" not in key_command(gateways, other, url, "list")
    for gateway in (one, other):
        with gateway.connect() as connection:
            assert PASSWORD.encode() not in connection.ask("GET", "/metrics").body
    shown = command(gateways.folder, "check", "--config", one.path, "--live", HEADGATE_LEDGER="", DATABASE=url).stdout
    assert "may use its tables" in shown and "<redacted>" in shown and PASSWORD not in shown
    for gateway in (one, other):
        assert PASSWORD not in gateway.log_after_exit()


def test_no_key_is_in_a_dump_or_the_log(gateways, local_upstream, server):  # noqa: F811
    database = server.database()
    url = server.url(database)
    gateway = start(gateways, local_upstream, url, "dumped")
    first = key_command(gateways, gateway, url, "add", "laptop")
    second = key_command(gateways, gateway, url, "rotate", "laptop", "--grace", "1h")
    revoked = key_command(gateways, gateway, url, "add", "phone")
    keys = (first, second, revoked)
    for key in keys:
        wait_until(lambda: status(gateway, key) == 200, "the key is let in")
        assert chat(gateway, key) == 200
    wait_until(lambda: usage(gateway) == {"laptop": 2, "phone": 1}, "all is written")
    key_command(gateways, gateway, url, "revoke", "phone")
    dump, log = server.dump(database), gateway.log_after_exit()
    for key in keys:
        random = key.removeprefix("hg-")
        assert len(random) == 43
        for text in (dump, log):
            assert not any(random[begin:begin + 12] in text for begin in range(len(random) - 11))
    for key in (first, second):
        assert hashlib.sha256(key.encode()).hexdigest() in dump


# Names the functions that are to run when the process exits.
AT_EXIT = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
    Dl_info found;
    int isNamed = dladdr((void *)function, &found) && found.dli_sname;
    fprintf(stderr, "%s at exit: %s\\n", program_invocation_short_name, isNamed ? found.dli_sname : "a function");
    int (*original)(void (*)(void *), void *, void *) = dlsym(RTLD_NEXT, "__cxa_atexit");
    return original(function, argument, library);
}
"""


@pytest.fixture(scope="module")
def exit_names(tmp_path_factory):
    library = tmp_path_factory.mktemp("exit") / "names.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=AT_EXIT, text=True, check=True)
    return library


def test_openssl_of_the_library_is_not_freed_at_exit(gateways, local_upstream, server, exit_names):  # noqa: F811
    """Connections could still use it then, and the process would crash at its end."""
    url = server.url(server.database())
    gateway = gateways.start(
        configuration(local_upstream), HEADGATE_LEDGER="", DATABASE=url, LD_PRELOAD=str(exit_names))
    wait_until(lambda: chat(gateway, KEY) == 200, "its own key is let in")
    wait_until(lambda: usage(gateway) == {"test": 1}, "the request is in the database")
    log = gateway.log_after_exit()
    # A sanitizer starts another program that has OpenSSL, too.
    assert "headgate at exit: " in log and "headgate at exit: OPENSSL_cleanup" not in log


def test_gateway_without_its_database_starts_and_admits_no_one(gateways, local_upstream, server):  # noqa: F811
    own = PostgreSQL()
    try:
        url = own.url(own.database())
        first = start(gateways, local_upstream, url, "first")
        key = key_command(gateways, first, url, "add", "laptop")
        first.terminate()
        first.wait()
        own.stop()
        # This gateway has no key in its configuration.
        gateway = start(gateways, local_upstream, url, "second", keys=False)
        assert status(gateway, key) == 503 and status(gateway, None) == 401
        gateway.wait_for_log("managed keys are not known before their database answers")
        own.start()
        wait_until(lambda: status(gateway, key) == 200, "the key is let in")
        assert status(gateway, "hg-" + "x" * 30) == 401
        assert chat(gateway, key) == 200
        own.stop()
        assert status(gateway, key) == 200 and chat(gateway, key) == 200
        gateway.wait_for_log("kept until it can be written")
        own.start()
        gateway.wait_for_log("is written again")
        database = re.search(r"/(t\w+)\?", url)[1]
        wait_until(lambda: own.query("SELECT count(*) FROM headgate.requests", database) == "2", "both are there")
        assert PASSWORD not in gateway.log_after_exit()
    finally:
        own.end()


def test_wrong_password_stops_the_start_and_is_not_shown(gateways, local_upstream, server, tmp_path):  # noqa: F811
    path = tmp_path / "headgate.yaml"
    path.write_text(configuration(local_upstream))
    url = server.url(server.database(), "hunter2-wrong")
    for arguments in (["serve"], ["check", "--live"], ["key", "list"]):
        result = command(tmp_path, *arguments, "--config", path, HEADGATE_LEDGER="", DATABASE=url)
        text = result.stdout + result.stderr
        assert result.returncode != 0 and "authentication failed" in text and "hunter2" not in text


def test_state_is_copied_to_the_database_and_back(gateways, local_upstream, server, tmp_path):  # noqa: F811
    database = server.database()
    url = server.url(database)
    file = "sqlite:" + str(tmp_path / "usage.db")
    variables = {"HEADGATE_LEDGER": "", "DATABASE": file, "XDG_DATA_HOME": str(tmp_path / "x")}
    gateway = gateways.start(configuration(local_upstream), "plain", **variables)
    made = command(gateways.folder, "key", "add", "laptop", "--config", gateway.path, **variables)
    key = made.stdout.strip()
    wait_until(lambda: status(gateway, key) == 200, "the key is let in")
    for _ in range(3):
        assert chat(gateway, key) == 200
    wait_until(lambda: usage(gateway).get("laptop") == 3, "all is written")
    gateway.terminate()
    gateway.wait()
    (tmp_path / "x" / "headgate" / "keys.db").rename(tmp_path / "keys.db")
    bare = server.url(database, "")

    def copy(*arguments, password=PASSWORD):
        return command(tmp_path, "state", "copy", *arguments, PGPASSWORD=password)

    first = copy(tmp_path, bare)
    assert first.stdout == "keys: 1 copied, 0 there already\nrequests: 3 copied, 0 there already\n", first.stderr
    assert copy(tmp_path, bare).stdout == "keys: 0 copied, 1 there already\nrequests: 0 copied, 3 there already\n"
    assert copy(bare, tmp_path / "back").stdout == first.stdout
    there = start(gateways, local_upstream, url, "there")
    assert status(there, key) == 200
    wait_until(lambda: usage(there).get("laptop") == 3, "usage is there")
    refused = copy(tmp_path, url)
    assert refused.returncode == 1 and "PGPASSWORD" in refused.stderr and PASSWORD not in refused.stderr
    assert copy(tmp_path / "nothing", bare).returncode == 1
    server.query("UPDATE headgate.schema_version SET version = 99", database)
    newer = copy(tmp_path, bare)
    assert newer.returncode == 1 and "newer Headgate" in newer.stderr
