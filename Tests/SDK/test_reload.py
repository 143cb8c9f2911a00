"""A running gateway reloads its configuration; its clients notice only the changes."""

import hashlib
import ssl
from pathlib import Path

import pytest

from certificates import authority, localhost
from connections import text_of, whole_text
from gateways import KEY, UPSTREAM_KEY, command, gateways, key_line, short_folder
from load import reload_under_load
from upstreams import TEXT, local_upstream


def configuration(upstream, listen: str = "127.0.0.1:0", keys: str = key_line(), more: str = "") -> str:
    return (
        f"listen: {listen}\n"
        f'upstreams: {{up: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"{more}}}}}\n'
        f'models: {{"*": {{upstream: up}}}}\nkeys: [{keys}]\n')


def finish(stream) -> str:
    """Returns the rest of a stream, which must be complete."""
    *events, end = stream.rest()
    assert end == "[DONE]"
    return "".join(map(text_of, events))


# The test counts reloads in a span of time.
@pytest.mark.serial
def test_reloads_ten_times_a_second_fail_no_request():
    with short_folder() as path:
        result = reload_under_load(Path(path), 3)
    print(result)
    assert not result.failures, result.failures[:5]
    assert len(result.answers) == 6 and min(result.answers.values()) > 5
    # Several signals during one reload count as one.
    assert result.reloaded >= 5 and result.refused >= 5
    assert result.descriptors[1] <= result.descriptors[0] + 12


def test_reload_command_reports_the_result(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream))
    result = gateway.reload()
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"reloaded process {gateway.pid} on {gateway.urls[0]}, {gateway.path}\n"
    gateway.write(configuration(local_upstream, more=", heders: {}").replace("keys:", "kees:"))
    result = gateway.reload()
    assert (result.returncode, result.stdout) == (78, "")
    assert "not reloaded, everything stays as it was" in result.stderr
    # The output names all errors, each with its place.
    assert f"{gateway.path}:2:" in result.stderr and 'did you mean "headers"' in result.stderr
    assert f"{gateway.path}:4:" in result.stderr
    gateway.wait_for_log("not reloaded")
    with gateway.connect() as client:
        assert whole_text(client.chat(stream=True)) == TEXT
    gateway.path.unlink()
    result = gateway.reload()
    assert result.returncode == 78 and str(gateway.path) in result.stderr
    gateway.write(configuration(local_upstream))
    assert gateway.reload().returncode == 0


@pytest.mark.parametrize("name", ["return\r", "line\r\nend", "back\\slash\\r"])
def test_any_path_of_a_configuration_is_found_again(gateways, local_upstream, name):
    path = gateways.folder / name
    path.write_text(configuration(local_upstream))
    gateways.start(None, HEADGATE_CONFIG=str(path))
    result = command(gateways.folder, "reload", "--config", path)
    assert (result.returncode, result.stderr) == (0, "")
    path.write_text("kees: []\n")
    result = command(gateways.folder, "reload", "--config", path)
    assert result.returncode == 78 and 'did you mean "keys"' in result.stderr


def test_similar_paths_are_distinct(gateways, local_upstream):
    one, other = (gateways.start(configuration(local_upstream), name=name) for name in ("caf\u00E9", "cafe\u0301"))
    for gateway in (one, other):
        result = command(gateways.folder, "reload", "--config", gateway.path)
        assert result.returncode == 0 and f"process {gateway.pid} " in result.stdout, result.stderr


def test_unavailable_address_changes_nothing(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream))
    new = gateways.folder / "new.sock"
    gateway.write(configuration(local_upstream, f'["unix:{new}", "unix:/no/such/folder/headgate.sock"]'))
    result = gateway.reload()
    assert result.returncode == 78 and "/no/such/folder/headgate.sock" in result.stderr
    assert not new.exists()
    with gateway.connect() as client:
        assert whole_text(client.chat(stream=True)) == TEXT


def test_stored_response_stays_its_creators(gateways, local_upstream):
    keys = f"{key_line()}, {key_line('hg-other', 'other')}"
    gateway = gateways.start(configuration(local_upstream, keys=keys))
    with gateway.connect() as maker, gateway.connect(key="hg-other") as other:
        made = maker.ask("POST", "/v1/responses", {"model": "m", "input": "Say hello."})
        path = f"/v1/responses/{made.document['id']}"
        assert other.ask("GET", path).status == 404
        gateway.write(configuration(local_upstream, keys=keys, more=", headers: {X-A: b}"))
        assert gateway.reload().returncode == 0
        assert other.ask("DELETE", path).status == 404
        assert maker.ask("GET", path).status == 200
        gateway.write(configuration(local_upstream, keys=keys) + "stored_responses: any\n")
        assert gateway.reload().returncode == 0
        assert other.ask("GET", path).status == 200


def test_revoked_key_is_refused_at_once_and_its_stream_ends_well(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream, keys=f"{key_line()}, {key_line('hg-revoked', 'old')}"))
    with gateway.connect(key="hg-revoked") as streaming, gateway.connect(key="hg-revoked") as kept:
        stream = streaming.stream("gated")
        begun = stream.next_text()
        assert kept.chat().status == 200
        gateway.write(configuration(local_upstream))
        assert gateway.reload().returncode == 0
        # The key is refused on an existing connection, and on a new one.
        assert kept.chat().status == 401
        with gateway.connect(key="hg-revoked") as new:
            assert new.chat().status == 401
        local_upstream.release.set()
        assert begun + finish(stream) == TEXT
        assert streaming.chat().status == 401
    with gateway.connect() as client:
        assert client.chat().status == 200


def test_listeners_come_and_go_without_dropping_a_stream(gateways, local_upstream):
    old, new = (gateways.folder / name for name in ("old.sock", "new.sock"))
    gateway = gateways.start(configuration(local_upstream, f'["127.0.0.1:0", "unix:{old}"]'))
    with gateway.connect(1) as streaming:
        stream = streaming.stream("gated")
        begun = stream.next_text()
        gateway.write(configuration(local_upstream, f'["127.0.0.1:0", "unix:{new}"]'))
        assert gateway.reload().returncode == 0
        assert not old.exists()
        with gateway.connect(1) as client, pytest.raises((FileNotFoundError, ConnectionRefusedError)):
            client.ask("GET", "/livez")
        gateway.urls[1] = f"unix:{new}"
        for listener in (0, 1):
            with gateway.connect(listener) as client:
                assert client.chat().status == 200
        local_upstream.release.set()
        assert begun + finish(stream) == TEXT


def test_mode_of_a_socket_follows_the_configuration(gateways, local_upstream):
    path = gateways.folder / "gateway.sock"
    listen = f'{{address: "unix:{path}", mode: "{{}}"}}'
    gateway = gateways.start(configuration(local_upstream, listen.replace("{}", "0600")))
    gateway.write(configuration(local_upstream, listen.replace("{}", "0660")))
    assert gateway.reload().returncode == 0
    assert path.stat().st_mode & 0o777 == 0o660


def fingerprint(gateway, authority) -> str:
    with gateway.connect(trust=ssl.create_default_context(cafile=authority.file)) as client:
        assert client.ask("GET", "/livez").status == 200
        return hashlib.sha256(client.http.sock.getpeercert(binary_form=True)).hexdigest()


def test_certificate_is_read_again(gateways, local_upstream, authority, tmp_path):
    chain, key = tmp_path / "cert.pem", tmp_path / "key.pem"

    def install(certificate):
        chain.write_bytes(certificate.chain.read_bytes())
        key.write_bytes(certificate.key.read_bytes())

    install(authority.issue("first"))
    gateway = gateways.start(
        configuration(local_upstream, f'{{address: "127.0.0.1:0", tls: {{cert: {chain}, key: {key}}}}}'))
    first = fingerprint(gateway, authority)
    with gateway.connect(trust=ssl.create_default_context(cafile=authority.file)) as streaming:
        stream = streaming.stream("gated")
        begun = stream.next_text()
        install(authority.issue("second"))
        assert fingerprint(gateway, authority) == first
        assert gateway.reload().returncode == 0
        assert fingerprint(gateway, authority) != first
        # A key that does not match its certificate never makes the gateway serve without TLS.
        key.write_bytes(authority.issue("third").key.read_bytes())
        result = gateway.reload()
        assert result.returncode == 78 and "cannot serve TLS" in result.stderr
        assert fingerprint(gateway, authority) != first
        local_upstream.release.set()
        assert begun + finish(stream) == TEXT


def test_changed_upstream_gets_new_requests_and_keeps_old_ones(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream))
    with gateway.connect() as streaming, gateway.connect() as client:
        stream = streaming.stream("gated")
        begun = stream.next_text()
        gateway.write(configuration(local_upstream, more=", headers: {Client-Id: second}"))
        assert gateway.reload().returncode == 0
        assert client.chat().status == 200
        local_upstream.release.set()
        assert begun + finish(stream) == TEXT
    first, second = (headers for _, headers, _ in local_upstream.requests)
    assert first.get("Client-Id") != "second" and second["Client-Id"] == "second"
    assert first["Authorization"] == second["Authorization"] == f"Bearer {UPSTREAM_KEY}"


def test_newly_required_key_is_required_at_once(gateways, local_upstream):
    """Checks that existing connections require the key, too."""
    keyless = configuration(local_upstream).replace(', api_key: "${UPSTREAM_KEY}"', "").split("keys:")[0]
    gateway = gateways.start(keyless)
    with gateway.connect(key=None) as client:
        assert client.chat().status == 200
        gateway.write(configuration(local_upstream))
        assert gateway.reload().returncode == 0
        assert client.chat().status == 401
        assert client.chat(Authorization=f"Bearer {KEY}").status == 200


def lines_of(*running) -> list:
    """Returns the list of gateways that the command prints if it cannot choose one."""
    return [f"  process {gateway.pid} on {gateway.urls[0]}, {gateway.path}" for gateway in running]


def test_gateways_of_one_user_are_distinguished(gateways, local_upstream):
    """Checks that the command does not choose between two gateways of one user, and lists both."""
    one, two = (gateways.start(configuration(local_upstream), name) for name in ("one", "two"))
    result = command(gateways.folder, "reload")
    assert result.returncode == 1 and "--pid" in result.stderr and "--config" in result.stderr
    assert sorted(result.stderr.splitlines()[1:]) == sorted(lines_of(one, two))
    assert "reloaded" not in one.log_after_exit()
    assert command(gateways.folder, "reload").returncode == 0
    assert two.log_after_exit().count("headgate: reloaded") == 1
    assert command(gateways.folder, "reload").returncode == 1


def test_reload_goes_to_the_gateway_of_the_named_file(gateways, local_upstream):
    one, two = (gateways.start(configuration(local_upstream), name) for name in ("one", "two"))
    result = command(gateways.folder, "reload", "--config", one.path)
    assert (result.returncode, result.stdout.split(" on ")[0]) == (0, f"reloaded process {one.pid}"), result.stderr
    # Another name of the same file works, too.
    link = gateways.folder / "link.yaml"
    link.symlink_to(two.path)
    result = command(gateways.folder, "reload", HEADGATE_CONFIG=str(link))
    assert (result.returncode, result.stdout.split(" on ")[0]) == (0, f"reloaded process {two.pid}"), result.stderr
    # The command line takes precedence over the environment.
    assert command(gateways.folder, "reload", "--pid", one.pid, HEADGATE_CONFIG=str(link)).returncode == 0
    assert command(gateways.folder, "reload", "--config", one.path, HEADGATE_CONFIG=str(link)).returncode == 0
    assert [gateway.log_after_exit().count("headgate: reloaded") for gateway in (one, two)] == [3, 1]


def test_gateway_of_another_file_is_not_reloaded(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream))
    for arguments, variables in ((["--config", "/no/such.yaml"], {}), ([], {"HEADGATE_CONFIG": "/no/such.yaml"})):
        result = command(gateways.folder, "reload", *arguments, **variables)
        assert result.returncode == 1 and "no gateway of yours runs by /no/such.yaml" in result.stderr
        assert result.stderr.splitlines()[1:] == lines_of(gateway)
    assert command(gateways.folder, "reload", "--pid", gateway.pid, "--config", "/no/such.yaml").returncode == 1
    assert "reloaded" not in gateway.log_after_exit()


def test_reload_reports_the_new_listeners(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream))
    socket = gateways.folder / "new.sock"
    gateway.write(configuration(local_upstream, f"unix:{socket}"))
    assert gateway.reload().stdout == f"reloaded process {gateway.pid} on unix:{socket}, {gateway.path}\n"
    assert f" on unix:{socket}, " in gateway.reload().stdout


def test_gateway_without_a_file_is_listed_as_such(gateways, local_upstream):
    gateway = gateways.start(None, OPENAI_BASE_URL=local_upstream.url, HEADGATE_LISTEN="127.0.0.1:0")
    assert gateway.reload().stdout.endswith(f" on {gateway.urls[0]}, without a configuration file\n")


def test_file_name_cannot_control_the_terminal(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream), "odd\n\x1b[31m\\name")
    result = command(gateways.folder, "reload", "--config", gateway.path)
    assert result.returncode == 0 and result.stdout.count("\n") == 1 and "\x1b" not in result.stdout
    assert "odd \u241b[31m\\name.yaml" in result.stdout


def test_long_failure_is_reported_within_bounds(gateways, local_upstream):
    gateway = gateways.start(configuration(local_upstream))
    gateway.write(configuration(local_upstream) + "".join(f"mistake_{n}: 1\n" for n in range(3000)))
    result = gateway.reload()
    assert result.returncode == 78 and "mistake_0" in result.stderr and len(result.stderr) < 64 * 1024
    gateway.write(configuration(local_upstream))
    assert gateway.reload().returncode == 0
