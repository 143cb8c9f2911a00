"""`headgate doctor` against a healthy gateway, and through proxies with one fault each."""

import hashlib
import json
import re

import pytest

from certificates import authority, localhost  # noqa: F401  (fixtures)
from conftest import REPOSITORY
from gateways import KEY, UPSTREAM_KEY, command, gateways, module_gateways  # noqa: F401  (fixtures)
from paced_upstream import PacedUpstream
from preloads import preload
from proxies import ProxyThatReadsOn
from tls_servers import Nginx
from upstreams import free_port


def configuration(upstream: PacedUpstream, port: int, is_admin: bool = True) -> str:
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    return (
        f"listen: 127.0.0.1:{port}\n"
        "upstreams:\n"
        f'  paced: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
        f'  claude: {{kind: anthropic, base_url: "http://127.0.0.1:{upstream.port}", api_key: "${{UPSTREAM_KEY}}"}}\n'
        "models:\n  embedder: {upstream: paced}\n  chat: {upstream: paced}\n  newer: {upstream: paced}\n"
        "  mute: {upstream: paced}\n  claude-x: {upstream: claude}\n"
        f'keys: [{{name: test, sha256: "{digest}", admin: {str(is_admin).lower()}}}]\n'
    )


@pytest.fixture(scope="module")
def upstream():
    upstream = PacedUpstream()
    yield upstream
    upstream.close()


@pytest.fixture(scope="module")
def gateway(module_gateways, upstream):  # noqa: F811
    gateway = module_gateways.start(configuration(upstream, free_port()))
    gateway.address = gateway.urls[0].removeprefix("http://")
    return gateway


@pytest.fixture
def nginx(gateway, tmp_path):
    """Starts nginx in front of the gateway."""
    running = []

    def start(settings: str, certificate=None) -> str:
        running.append(Nginx(tmp_path, certificate, gateway.address, settings))
        return f"https://localhost:{running[-1].port}" if certificate else f"http://127.0.0.1:{running[-1].port}"

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def reading_on(gateway):
    """Starts a proxy in front of the gateway that continues to read after a disconnect; yields its address."""
    proxy = ProxyThatReadsOn(gateway.address)
    yield proxy.url
    proxy.close()


class Report:
    def __init__(self, result):
        self.errors = result.stderr
        assert KEY not in result.stdout and UPSTREAM_KEY not in result.stdout
        self.code = result.returncode
        self.document = json.loads(result.stdout)
        self.checks = {check["id"]: check for check in self.document["checks"]}

    @property
    def troubles(self) -> dict:
        """All failed checks."""
        return {name: check["verdict"] for name, check in self.checks.items() if check["verdict"] != "ok"}


def examine(gateway, *arguments, key=KEY, alone=False, **variables) -> Report:
    """Runs the doctor; `alone` omits the gateway's configuration, as on another machine."""
    source = [] if alone else ["--config", gateway.path]
    if key:
        variables["HEADGATE_KEY"] = key
    if alone:
        variables["HEADGATE_LISTEN"] = f"127.0.0.1:{free_port()}"
    report = Report(command(gateway.folder, "doctor", "--json", *source, *arguments, **variables))
    assert report.errors == ""
    return report


@pytest.fixture(scope="module")
def names(tmp_path_factory) -> dict:
    """Returns variables that resolve the names of other machines to this one."""
    library = preload("resolver", tmp_path_factory.mktemp("resolver"))
    return {"LD_PRELOAD": str(library), "HEADGATE_TEST_NAMES": "other.test=127.0.0.1 127.other.test=127.0.0.1"}


# MARK: The gateway itself


@pytest.fixture(scope="module")
def good(gateway) -> Report:
    """Returns the report on the gateway without a proxy."""
    return examine(gateway)


def test_healthy_gateway_passes(gateway, good):
    report = good
    assert report.troubles == {}
    assert (report.code, report.document["healthy"], report.document["model"]) == (0, True, "chat")
    assert report.document["url"] == f"http://{gateway.address}" and report.document["direct"] is None
    figures = report.checks["gaps"]["figures"]
    assert figures["events"] == 27 and 10 < figures["gap_p50_ms"] < 200
    assert report.checks["gateway"]["measured"].startswith("Headgate ")
    assert report.checks["cancellation"]["measured"].startswith("the gateway noticed")


def test_documentation_explains_every_check(good):
    text = (REPOSITORY / "docs" / "commands.md").read_text()
    for name in [*good.checks, "added_delay"]:
        assert f"`{name}`" in text


@pytest.mark.parametrize("model", ["claude-x", "newer"])
def test_each_model_is_queried_in_its_dialect(gateway, upstream, model):
    report = examine(gateway, "--model", model)
    assert report.troubles == {} and report.document["model"] == model
    if model == "claude-x":
        # The gateway translates for this model, so the doctor queries it like all others.
        assert "[DONE] once" in report.checks["end"]["measured"]
    else:
        assert "max_completion_tokens" in upstream.asked[-1][2]


def test_table_is_for_people(gateway):
    result = command(gateway.folder, "doctor", "--config", gateway.path, "--model", "mute", HEADGATE_KEY=KEY)
    lines = result.stdout.splitlines()
    assert lines[:2] == [f"Headgate doctor: http://{gateway.address}", "model: mute"]
    assert re.fullmatch(r"ok +ready +GET /readyz answers 200", lines[5])
    warning = next(index for index, line in enumerate(lines) if line.startswith("warning"))
    assert lines[warning + 1].startswith("         why: ") and lines[warning + 2].startswith("         do:  ")
    assert lines[-1] == "21 ok, 1 warning, 0 failed, 0 skipped" and result.returncode == 0
    assert "\x1b" not in result.stdout and KEY not in result.stdout
    verbose = command(gateway.folder, "doctor", "--config", gateway.path, "--verbose", HEADGATE_KEY=KEY).stdout
    assert verbose.count("why: ") == 22


def test_wrong_key_fails_and_is_not_repeated(gateway):
    wrong = "hg-wrong-0123456789abcdef"
    report = examine(gateway, key=wrong)
    assert report.code == 1
    assert report.troubles["key"] == "failed" and "headgate key show" in report.checks["key"]["advice"]
    assert set(report.troubles.values()) == {"failed", "skipped"} and len(report.troubles) == 18
    assert wrong not in json.dumps(report.document)


def test_key_comes_from_a_file(gateway, tmp_path):
    path = tmp_path / "key"
    path.write_text(KEY + "\n")
    assert examine(gateway, "--key-file", path, key=None).troubles == {}


def test_missing_gateway_is_one_failure(gateway):
    report = examine(gateway, "--url", f"http://127.0.0.1:{free_port()}", alone=True)
    assert report.code == 1
    assert report.troubles.pop("reachable") == "failed"
    assert set(report.troubles.values()) - {"failed"} == {"skipped"} and len(report.troubles) == 23
    assert "headgate serve" in report.checks["reachable"]["advice"]


def test_gateway_without_outcomes_must_still_respond(gateways, upstream):  # noqa: F811
    gateway = gateways.start(configuration(upstream, free_port(), is_admin=False))
    report = examine(gateway)
    assert report.troubles == {}
    assert "admin: true" in report.checks["cancellation"]["measured"]


def test_socket_is_examined_too(gateways, upstream):  # noqa: F811
    path = gateways.folder / "g.sock"
    text = configuration(upstream, 0).replace("127.0.0.1:0", f"unix:{path}")
    report = examine(gateways.start(text))
    # The owner of a socket needs no key.
    assert report.troubles == {} and report.document["url"] == f"unix:{path}"


def test_bad_address_is_a_complaint(gateway):
    result = command(gateway.folder, "doctor", "--url", "gopher://x")
    assert result.returncode == 1 and result.stderr.startswith("headgate: --url: ")


def test_starting_model_is_awaited(gateways, upstream):  # noqa: F811
    gateway = gateways.start(configuration(upstream, free_port()).replace("  mute:", "  late: {upstream: paced}\n  mute:"))
    report = Report(
        command(gateway.folder, "doctor", "--json", "--config", gateway.path, "--model", "late", HEADGATE_KEY=KEY))
    assert report.troubles == {} and report.document["model"] == "late"
    assert report.errors == "headgate: late answers 503: Loading.; asking again for up to a minute\n"


def test_generated_key_is_sent_to_this_machine_only(gateways, upstream, names):  # noqa: F811
    text = configuration(upstream, free_port())
    gateway = gateways.start(text[: text.index("keys:")])
    made = (gateway.folder / "config" / "headgate" / "key").read_text().strip()
    for host, may_have_it in (("other.test", False), ("127.other.test", False), ("127.0.0.1", True)):
        listener = PacedUpstream()
        report = examine(gateway, "--direct", f"http://{host}:{listener.port}", key=None, **names)
        listener.close()
        assert report.document["direct"] == f"http://{host}:{listener.port}"
        sent = [headers.get("Authorization") for _, headers, _ in listener.asked]
        assert sent == [f"Bearer {made}" if may_have_it else None]
        assert made not in json.dumps(report.document)


def test_name_beginning_like_a_local_address_is_remote(gateway, names):
    port = gateway.address.rpartition(":")[2]
    report = examine(gateway, "--url", f"http://127.other.test:{port}", alone=True, **names)
    assert report.troubles["reachable"] == "warning"
    assert report.checks["reachable"]["measured"].endswith(", without TLS")


# MARK: Proxies


def test_good_proxy_is_compared_with_the_gateway_behind_it(gateway, nginx):
    url = nginx("proxy_buffering off;")
    report = examine(gateway, "--url", url)
    assert report.troubles == {} and report.code == 0
    assert (report.document["url"], report.document["direct"]) == (url, f"http://{gateway.address}")
    assert "directly after" in report.checks["added_delay"]["measured"]


def test_missing_comparison_is_reported(gateway, gateways, upstream):  # noqa: F811
    text = configuration(upstream, free_port())
    foreign = gateways.start(text.replace(hashlib.sha256(KEY.encode()).hexdigest(), "0" * 64))
    report = examine(gateway, "--direct", foreign.urls[0])
    assert report.troubles == {"added_delay": "warning"} and report.code == 0
    assert report.document["direct"] is None
    assert report.checks["added_delay"]["measured"].startswith("not compared, the gateway itself: answers 401: ")
    # The examined gateway itself can still report whether streams are cancelled.
    assert report.checks["cancellation"]["measured"].startswith("the gateway noticed")


def test_proxy_with_tls_is_examined_by_its_name(gateway, nginx, localhost, authority):  # noqa: F811
    url = nginx("proxy_buffering off;", localhost)
    untrusted = examine(gateway, "--url", url)
    assert untrusted.checks["reachable"]["measured"].startswith(f"no TLS with {url}: ") and untrusted.code == 1
    assert "SSL_CERT_FILE" in untrusted.checks["reachable"]["advice"]
    assert examine(gateway, "--url", url, SSL_CERT_FILE=str(authority.file)).troubles == {}


def test_base_url_of_an_app_is_accepted_as_address(gateway, nginx):
    url = nginx("proxy_buffering off;")
    report = examine(gateway, "--url", url + "/v1", "--direct", f"http://{gateway.address}/v1", alone=True)
    assert report.troubles == {} and report.document["direct"] == f"http://{gateway.address}"


def test_buffering_proxy_is_found_and_distinguished(gateway, nginx):
    url = nginx("proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;")
    report = examine(gateway, "--url", url)
    assert report.troubles.pop("buffering") == "failed" and report.code == 1
    assert "directly they come one by one" in report.checks["buffering"]["measured"]
    assert "proxy_buffering off" in report.checks["buffering"]["advice"]
    # Buffering also delays the events that other checks measure.
    report.troubles.pop("first_event", None)
    assert set(report.troubles) <= {"added_delay", "buffering", "cancellation"}


def test_gateways_header_disables_nginx_buffering(gateway, nginx):
    assert "buffering" not in examine(gateway, "--url", nginx("proxy_buffering on;"), alone=True).troubles


def test_compressing_proxy_is_a_warning(gateway, nginx):
    url = nginx("proxy_buffering off; gzip on; gzip_types *; gzip_proxied any; gzip_min_length 0;")
    report = examine(gateway, "--url", url, alone=True)
    assert report.troubles["compression"] == "warning"
    assert report.checks["compression"]["measured"] == "Content-Encoding: gzip"
    assert {"json", "utf8", "end"}.isdisjoint(report.troubles)


def test_proxy_reading_on_after_disconnects_fails(gateway, reading_on):
    report = examine(gateway, "--url", reading_on)
    assert report.troubles == {"cancellation": "failed"}
    assert "proxy_ignore_client_abort" in report.checks["cancellation"]["advice"]
