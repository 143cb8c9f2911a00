"""Configurations from files and from the environment: checked, shown and served."""

import json
import re

import pytest

from conftest import REPOSITORY
from connections import whole_text
from gateways import UPSTREAM_KEY, command, gateways, key_line
from upstreams import TEXT, local_upstream

SECRETS = {
    "plain": "sk-written-in-the-file", "variable": "sk-in-the-environment", "file": "sk-in-a-file",
    "credential": "sk-in-a-credential", "proxy": "proxy-password", "header": "header-value", "env": "program-secret",
}


@pytest.fixture
def check(tmp_path):
    path = tmp_path / "headgate.yaml"

    def check(text: str, *options, **variables):
        path.write_text(text)
        return command(tmp_path, "check", *options, "--config", path, **variables)

    check.path = path
    return check


def settings(output: str) -> dict:
    """Maps each path to its value and the value's origin."""
    lines = [re.fullmatch(r"(.+?): (.*?) +# (.+)", line) for line in output.splitlines()[:-1]]
    assert all(lines), output
    return {line[1]: (line[2], line[3]) for line in lines}


def test_check_shows_effective_values_and_their_origins(check, tmp_path):
    result = check(
        "upstreams:\n"
        '  up: {kind: openai, base_url: "http://${HOST:-127.0.0.1}:9/v1", timeouts: {connect: 3s}}\n'
        "models:\n"
        "  fast: {upstream: up, model: small}\n"
        "limits: {body: \"${BODY}\"}\n",
        BODY="1MiB", HEADGATE_LISTEN="127.0.0.1:7777")
    assert result.returncode == 0, result.stderr
    shown = settings(result.stdout)
    file = check.path
    assert shown["listen[0].address"] == ("127.0.0.1:7777", "environment HEADGATE_LISTEN")
    assert shown["upstreams.up.base_url"][0] == "http://127.0.0.1:9/v1"
    assert shown["upstreams.up.timeouts.connect"] == ("3s", f"{file}:2")
    assert shown["upstreams.up.timeouts.silence"] == ("120s", "default")
    assert shown["models.fast.timeouts.connect"] == ("3s", f"{file}:2")
    assert shown["models.fast.model"] == ("small", f"{file}:4")
    assert shown["limits.body"] == ("1MiB", f"environment BODY ({file}:5)")
    assert result.stdout.splitlines()[-1] == "ok (upstreams: 1, models: 1, keys: 0), listening on 127.0.0.1:7777"
    quiet = check(check.path.read_text(), "--quiet", BODY="1MiB")
    assert quiet.stdout == "ok (upstreams: 1, models: 1, keys: 0), listening on 127.0.0.1:8686\n"


def test_check_shows_no_secret_of_any_source(check, tmp_path):
    (tmp_path / "key").write_text(SECRETS["file"] + "\n")
    (tmp_path / "named").write_text(SECRETS["credential"])
    upstream = 'kind: openai, base_url: "http://127.0.0.1:9/v1"'
    result = check(
        "upstreams:\n"
        f"  plain: {{{upstream}, api_key: {SECRETS['plain']}, headers: {{Client-Id: {SECRETS['header']}}}}}\n"
        f'  variable: {{{upstream}, api_key: "${{A_KEY}}"}}\n'
        f'  file: {{{upstream}, api_key: {{file: "{tmp_path}/key"}}}}\n'
        f"  credential: {{{upstream}, api_key: {{credential: named}}}}\n"
        f'  proxied: {{kind: openai, base_url: "https://llm.example/v1", '
        f'proxy: "http://me:{SECRETS["proxy"]}@p.example:1"}}\n'
        f"  run: {{{upstream}, command: {{run: [true], env: {{TOKEN: {SECRETS['env']}}}, health: /health}}}}\n"
        f'models: {{"*": {{upstream: plain}}}}\nkeys: [{key_line()}]\n',
        A_KEY=SECRETS["variable"], CREDENTIALS_DIRECTORY=str(tmp_path))
    assert result.returncode == 0, result.stderr
    shown = settings(result.stdout)
    origins = {name: shown[f"upstreams.{name}.api_key"] for name in ("plain", "variable", "file", "credential")}
    assert {value for value, _ in origins.values()} == {"<redacted>"}
    assert origins["plain"][1] == f"{check.path}:2"
    assert origins["variable"][1] == f"environment A_KEY ({check.path}:3)"
    assert origins["file"][1] == f"file {tmp_path}/key ({check.path}:4)"
    assert origins["credential"][1] == f"credential named ({check.path}:5)"
    for secret in SECRETS.values():
        assert secret not in result.stdout + result.stderr


def test_all_errors_are_reported_together(check):
    result = check(
        "listen: 127.0.0.1:99999\n"
        "upstreams:\n"
        "  a: {kind: opnai, base_url: ftp://x, api_key: \"${NO_SUCH:?make one}\"}\n"
        "  b: {kind: openai, base_url: \"https://x.example/v1\", ca: /no/ca.pem, timeouts: {conect: 5s}}\n"
        "models:\n"
        "  m: {upstream: c}\n"
        "keys: [{name: k, sha256: short}]\n"
        "limit: {}\n")
    assert (result.returncode, result.stdout) == (78, "")
    found = re.findall(rf"^{re.escape(str(check.path))}:(\d+):(\d+): error: (.*)$", result.stderr, re.M)
    assert len(found) == len(result.stderr.splitlines()), result.stderr
    by_line = {int(line): "" for line, _, _ in found}
    for line, _, text in found:
        by_line[int(line)] += text + "\n"
    for line, word in {
        1: "65535", 3: "make one", 4: "/no/ca.pem", 6: '"c"', 7: "sha256", 8: 'did you mean "limits"',
    }.items():
        assert word in by_line[line], (line, by_line)
    assert 'did you mean "openai"' in by_line[3] and 'did you mean "connect"' in by_line[4]


def test_serve_and_check_agree_about_the_minimal_file(check, tmp_path):
    minimal = (REPOSITORY / "config" / "headgate.yaml").read_text()
    result = check(minimal, OPENAI_API_KEY="sk-x")
    assert result.returncode == 0, result.stderr
    assert settings(result.stdout)["upstreams.openai.api_key"] == ("<redacted>", "environment OPENAI_API_KEY")


def test_schema_is_a_json_schema_with_every_key_of_the_top(tmp_path):
    result = command(tmp_path, "schema")
    schema = json.loads(result.stdout)
    assert result.returncode == 0 and schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    example = (REPOSITORY / "config" / "headgate.example.yaml").read_text()
    assert set(schema["$defs"]["file"]["properties"]) == set(re.findall(r"^(\w+):", example, re.M))


# --- Without a file ---------------------------------------------------------------------------------------------------


@pytest.fixture
def serve(gateways):
    """Starts a gateway that only variables configure; returns it and its generated key."""
    def serve(**variables):
        gateway = gateways.start(None, HEADGATE_LISTEN="127.0.0.1:0", **variables)
        shown = command(gateways.folder, "key", "show", **variables)
        return gateway, shown.stdout.strip() if shown.returncode == 0 else None

    return serve


def streamed(gateway, key, model: str = "some-model") -> str:
    with gateway.connect(key=key) as client:
        return whole_text(client.chat(model, stream=True))


def test_openai_variables_are_enough(serve, local_upstream):
    gateway, key = serve(OPENAI_API_KEY=UPSTREAM_KEY, OPENAI_BASE_URL=local_upstream.url)
    assert key.startswith("hg-")
    assert streamed(gateway, key) == TEXT
    path, headers, _ = local_upstream.requests[0]
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {UPSTREAM_KEY}")
    # A gateway with an upstream's key requires a key of its clients.
    with gateway.connect(key=None) as client:
        assert client.chat().status == 401


def test_ollama_host_is_enough_and_needs_no_key(serve, local_upstream):
    gateway, _ = serve(OLLAMA_HOST=f"127.0.0.1:{local_upstream.port}")
    assert streamed(gateway, None, "qwen3:0.6b") == TEXT
    path, headers, body = local_upstream.requests[0]
    assert (path, headers.get("Authorization")) == ("/v1/chat/completions", None)
    assert json.loads(body)["model"] == "qwen3:0.6b"


@pytest.mark.parametrize(
    ("version", "path"),
    [
        (None, "/openai/v1/chat/completions"),
        ("2024-10-21", "/openai/deployments/some-model/chat/completions?api-version=2024-10-21"),
    ])
def test_azure_variables_are_enough(serve, local_upstream, version, path):
    variables = {"OPENAI_API_VERSION": version} if version else {}
    endpoint = f"http://127.0.0.1:{local_upstream.port}/"
    gateway, key = serve(AZURE_OPENAI_API_KEY=UPSTREAM_KEY, AZURE_OPENAI_ENDPOINT=endpoint, **variables)
    assert streamed(gateway, key) == TEXT
    sent, headers, _ = local_upstream.requests[0]
    headers = {name.lower(): value for name, value in headers.items()}
    assert (sent, headers["api-key"], headers.get("authorization")) == (path, UPSTREAM_KEY, None)


def test_anthropic_variables_serve_claude_in_its_own_format(serve, local_upstream):
    gateway, key = serve(
        ANTHROPIC_API_KEY=UPSTREAM_KEY, ANTHROPIC_BASE_URL=f"http://127.0.0.1:{local_upstream.port}",
        OLLAMA_HOST=f"127.0.0.1:{local_upstream.port}")
    with gateway.connect(key=key) as client:
        # This upstream speaks only chat completions, so its response is not a valid one of Anthropic's.
        answer = client.chat("claude-sonnet", stream=True)
        assert (answer.status, answer.code) == (502, "upstream_incomplete")
        path, headers, _ = local_upstream.requests[0]
        assert path == "/v1/messages" and UPSTREAM_KEY in str(headers)
        assert whole_text(client.chat("qwen3", stream=True)) == TEXT
    _, headers, _ = local_upstream.requests[-1]
    assert UPSTREAM_KEY not in str(headers)


def test_incomplete_variables_are_reported(tmp_path):
    result = command(tmp_path, "check", AZURE_OPENAI_API_KEY=UPSTREAM_KEY)
    assert result.returncode == 78
    assert "AZURE_OPENAI_ENDPOINT" in result.stderr and UPSTREAM_KEY not in result.stderr


def test_credential_in_a_header_makes_the_gateway_require_a_key(gateways, local_upstream):
    upstream = f'kind: openai, base_url: "{local_upstream.url}"'
    plain = gateways.start(f"listen: 127.0.0.1:0\nupstreams: {{up: {{{upstream}, headers: {{Client-Id: mine}}}}}}\n")
    with plain.connect() as client:
        assert client.ask("GET", "/v1/models").status == 200
    secret = gateways.start(f"listen: 127.0.0.1:0\nupstreams: {{up: {{{upstream}, headers: {{X-Key: secret}}}}}}\n")
    with secret.connect() as client:
        assert client.ask("GET", "/v1/models", Authorization="Bearer wrong").status == 401


DOOMED = [
    ("https://10.1.2.3/v1", "10.1.2.3 is a private address: write `allow_private: true`"),
    ("https://[fd00::5]/v1", "fd00::5 is a private address: write `allow_private: true`"),
    ("https://169.254.169.254/v1", "169.254.169.254 is an address of a cloud's metadata service"),
    ("https://api.openai.com", "the API of api.openai.com has a path: write https://api.openai.com/v1"),
    ("https://llm.example/v1/chat/completions", "the gateway adds /chat/completions by itself: write https://llm.example/v1"),
]


@pytest.mark.parametrize(("url", "reason"), DOOMED, ids=[url for url, _ in DOOMED])
@pytest.mark.parametrize("name", ["check", "serve"])
def test_an_impossible_upstream_is_refused_with_its_place(check, tmp_path, name, url, reason):
    check.path.write_text(f'upstreams:\n  u: {{kind: openai, base_url: "{url}"}}\n')
    result = command(tmp_path, name, "--config", check.path)
    assert result.returncode == 78
    assert f"{check.path}:2:31: error: base_url: {reason}" in result.stderr


def test_a_private_address_can_be_permitted(check):
    text = 'upstreams: {u: {kind: openai, base_url: "https://10.1.2.3/v1", allow_private: true, api_key: k}}\n'
    assert check(text, "--quiet").returncode == 0


def test_warnings_have_their_place(check):
    result = check(
        'upstreams:\n  a: {kind: openai, base_url: "https://a.example/v1"}\n  b: {kind: on-device}\n'
        'models: {"*": {upstream: a}}\n'
        f'keys:\n- {{name: old, sha256: {"a" * 64}, expires: 2020-01-01}}\n')
    assert result.returncode == 0
    assert result.stderr.splitlines() == [
        f'{check.path}:3:3: warning: upstream "b": no model leads to it: name it under models, or remove it',
        f'{check.path}:6:98: warning: expires: the key "old" has expired and is refused: set a later date, or remove the key',
    ]


def test_a_key_in_a_wrong_place_is_not_repeated(check):
    for text in ("upstreams: {u: {kind: %}}", "upstreams: {u: {%: x}}", "models: {m: {upstream: %}}", "loops: %"):
        for secret in ("sk-proj-abcdefghijklmnopqrst", "0123456789abcdef0123456789abcdef"):
            result = check(text.replace("%", secret) + "\n")
            assert result.returncode == 78 and secret not in result.stdout + result.stderr


def test_check_warns_about_retired_models(check):
    result = check(
        'upstreams:\n  vendor: {kind: openai, base_url: "https://api.openai.com/v1", api_key: k}\n'
        '  mine: {kind: openai, base_url: "http://127.0.0.1:9/v1"}\n'
        "models:\n"
        "  fast: {upstream: vendor, model: gpt-4.1-nano}\n"
        "  o1: {targets: [{upstream: mine}, {upstream: vendor}]}\n"
        "  current: {upstream: vendor, model: gpt-6-luna}\n"
        '  "gpt-4.1-nano*": {upstream: vendor}\n')
    assert result.returncode == 0, result.stderr
    warnings = re.findall(r"models\.(\S+) sends requests for '(\S+)', which its vendor retired on (\S+):", result.stderr)
    assert warnings == [("fast", "gpt-4.1-nano", "2026-10-23"), ("o1", "o1", "2026-10-23")]
