"""`serve --watch`: a changed configuration takes effect automatically, however the file was changed."""

import re
import time
from pathlib import Path

import pytest

from child import Child
from conftest import binary
from connections import Connection, whole_text
from gateways import KEY, UPSTREAM_KEY, command, key_line, short_folder, surroundings, wait_until
from upstreams import TEXT, local_upstream


def text(upstream, model: str, more: str = "", key: str = '"${UPSTREAM_KEY}"') -> str:
    return (
        f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: {key}}}}}\n'
        f"models: {{{model}: {{upstream: up}}}}\nkeys: [{key_line()}]\n{more}")


class Watched:
    """A gateway that watches its configuration file."""

    def __init__(self, folder, path):
        self.path = path
        self.child = Child(
            [binary("headgate"), "serve", "--watch", "--config", path], folder / "log", surroundings(folder))
        self.url = self.child.wait_for_line(r"listening on (\S+)")[1]
        self.child.wait_for_line("ready")

    def serves(self, model: str):
        """Waits until the gateway serves only this model."""
        def names():
            with Connection(self.url, KEY) as client:
                return [each["id"] for each in client.ask("GET", "/v1/models").document["data"]] == [model]

        wait_until(names, f"the model {model}")

    def has_served_whole_files(self):
        log = self.child.log_after_exit()
        assert set(re.findall(r"headgate: reloaded \((.*)\)", log)) == {"upstreams: 1, models: 1, keys: 1"}
        assert "not reloaded" not in log

    def says(self, words: str, times: int = 1):
        self.child.wait_for_logs(re.escape(words), times)

    def ends_after_reloads(self, count: int):
        """Ends the gateway; checks that it has reloaded `count` times without a failure."""
        log = self.child.log_after_exit()
        assert log.count("headgate: reloaded") == count and "not reloaded" not in log


@pytest.fixture
def folder():
    with short_folder() as path:
        yield Path(path)


@pytest.fixture
def watch(folder):
    started = []

    def start(path):
        started.append(Watched(folder, path))
        return started[-1]

    yield start
    for each in started:
        log = each.child.log_after_exit()
        assert KEY not in log and UPSTREAM_KEY not in log


def test_file_replaced_or_rewritten_takes_effect(folder, watch, local_upstream):
    path = folder / "headgate.yaml"
    path.write_text(text(local_upstream, "one"))
    gateway = watch(path)
    gateway.serves("one")
    new = folder / "headgate.yaml~"
    new.write_text(text(local_upstream, "two"))
    new.rename(path)
    gateway.serves("two")
    path.write_text(text(local_upstream, "three"))
    gateway.serves("three")
    # The file is removed and recreated, as some editors do.
    path.unlink()
    path.write_text(text(local_upstream, "four"))
    gateway.serves("four")


def test_retargeted_link_is_followed_as_in_kubernetes(folder, watch, local_upstream):
    mount = folder / "mount"
    mount.mkdir()

    def publish(name: str):
        version = mount / f"..{name}"
        version.mkdir()
        (version / "headgate.yaml").write_text(text(local_upstream, name))
        link = mount / "..data_tmp"
        link.symlink_to(version.name)
        link.rename(mount / "..data")

    publish("one")
    (mount / "headgate.yaml").symlink_to("..data/headgate.yaml")
    gateway = watch(mount / "headgate.yaml")
    for name in ("two", "three"):
        publish(name)
        gateway.serves(name)
    # A file that is no longer referenced has no effect.
    gateway.says("headgate: reloaded", times=2)
    (mount / "..one" / "headgate.yaml").write_text("kees: []\n")
    publish("four")
    gateway.serves("four")
    gateway.ends_after_reloads(3)


def test_mistake_is_reported_and_changes_nothing(folder, watch, local_upstream):
    path = folder / "headgate.yaml"
    path.write_text(text(local_upstream, "one"))
    gateway = watch(path)
    path.write_text(text(local_upstream, "two", more="kees: []\n"))
    gateway.says("not reloaded, everything stays as it is")
    gateway.says(f"{path}:5:1: error: ")
    gateway.serves("one")
    path.unlink()
    gateway.says("there is no such file")
    gateway.serves("one")
    path.write_text(text(local_upstream, "two"))
    gateway.serves("two")


def test_changed_secret_takes_effect(folder, watch, local_upstream):
    path, secret = folder / "headgate.yaml", folder / "secrets" / "key"
    secret.parent.mkdir()
    secret.write_text("first-" + UPSTREAM_KEY)
    path.write_text(text(local_upstream, "one", key=f'{{file: "{secret}"}}'))
    gateway = watch(path)
    def sent() -> str:
        with Connection(gateway.url, KEY) as client:
            assert whole_text(client.chat("one", stream=True)) == TEXT
        return local_upstream.requests[-1][1]["Authorization"]

    assert sent() == f"Bearer first-{UPSTREAM_KEY}"
    secret.write_text("second-" + UPSTREAM_KEY)
    wait_until(lambda: sent() == f"Bearer second-{UPSTREAM_KEY}", "the new key")


def test_files_added_after_their_configuration_take_effect(folder, watch, local_upstream):
    path, secret, prices = folder / "headgate.yaml", folder / "secrets" / "key", folder / "prices.yaml"
    path.write_text(text(local_upstream, "one"))
    gateway = watch(path)
    path.write_text(text(local_upstream, "two", key=f'{{file: "{secret}"}}', more="prices: prices.yaml\n"))
    gateway.says("not reloaded, everything stays as it is")
    gateway.serves("one")
    # First the folder appears, then one of the two files; the gateway waits for each at its place.
    secret.parent.mkdir()
    secret.write_text(UPSTREAM_KEY)
    gateway.says("not reloaded, everything stays as it is", times=2)
    gateway.serves("one")
    prices.write_text("models: {two: {input: 1, output: 2}}\n")
    gateway.serves("two")


def test_many_changes_at_once_are_few_reloads(folder, watch, local_upstream):
    path = folder / "headgate.yaml"
    path.write_text(text(local_upstream, "one"))
    gateway = watch(path)
    for number in range(200):
        path.write_text(text(local_upstream, f"n{number}"))
    gateway.serves("n199")
    gateway.has_served_whole_files()
    assert gateway.child.log_after_exit().count("headgate: reloaded") <= 5


def test_file_being_written_is_ignored_until_it_is_closed(folder, watch, local_upstream):
    path = folder / "headgate.yaml"
    path.write_text(text(local_upstream, "one"))
    gateway = watch(path)
    # The writes take longer than the wait for continuing changes. The first part is also a valid configuration.
    for number in range(100):
        listen, rest = text(local_upstream, f"n{number}").split("\n", 1)
        with path.open("w") as file:
            file.write(listen + "\n")
            file.flush()
            time.sleep(0.03)
            file.write(rest)
    gateway.serves("n99")
    gateway.has_served_whole_files()


def test_other_files_of_the_folder_change_nothing(folder, watch, local_upstream):
    path = folder / "headgate.yaml"
    path.write_text(text(local_upstream, "one"))
    gateway = watch(path)
    for number in range(20):
        (folder / f"other{number}").write_text("x")
    # The gateway handles this command after the changes before it.
    assert command(folder, "reload", "--config", path).returncode == 0
    path.write_text(text(local_upstream, "two"))
    gateway.serves("two")
    gateway.ends_after_reloads(2)


def test_nothing_to_watch_is_reported(folder):
    result = command(folder, "serve", "--watch")
    assert result.returncode == 78 and "--watch: there is no configuration file" in result.stderr
