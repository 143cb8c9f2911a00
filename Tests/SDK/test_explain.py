"""`headgate explain`: how a request would be handled, without sending it."""

import json
import subprocess

import pytest

from conftest import binary
from gateways import KEY, UPSTREAM_KEY, gateways, key_line, surroundings  # noqa: F401  (a fixture)
from patience import RUN_SECONDS
from upstreams import free_port

OTHER_KEY = "hg-another-key-0123456789"


@pytest.fixture
def gateway(gateways):  # noqa: F811
    """Starts a gateway whose upstreams do not exist, so that nothing can be sent to them."""
    port = free_port()
    return gateways.start(f"""
listen: 127.0.0.1:0
upstreams:
  first: {{kind: openai, base_url: "http://127.0.0.1:{port}/v1", api_key: "${{UPSTREAM_KEY}}"}}
  second: {{kind: openai, base_url: "http://127.0.0.1:{port}/v1", parameters: {{strip: [user]}}}}
  third: {{kind: anthropic, base_url: "http://127.0.0.1:{port}", api_key: "${{UPSTREAM_KEY}}"}}
models:
  smart: {{targets: [{{upstream: first, model: large}}, {{upstream: second}}]}}
  claude: {{upstream: third}}
keys: [{key_line()[:-1]}, admin: true}}, {key_line(OTHER_KEY, "other")}]
""")


def explain(gateway, *arguments, request: str = "", key: str = KEY):
    result = subprocess.run(
        [binary("headgate"), "explain", "--url", gateway.urls[0], *arguments], input=request, capture_output=True,
        text=True, timeout=RUN_SECONDS, env=surroundings(gateway.folder, HEADGATE_KEY=key))
    assert UPSTREAM_KEY not in result.stdout + result.stderr
    return result


def test_targets_are_listed_in_order_with_their_requests(gateway):
    result = explain(gateway, "--model", "smart")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "smart: choose: first, attempts: 2"
    assert lines[1].split()[:5] == ["1.", "first", "as", "large", "ready"]
    assert lines[2].split()[:5] == ["2.", "second", "as", "smart", "ready"]
    assert lines[-2] == "What first would be sent:"
    assert lines[-1].startswith("curl -sN ") and "'Authorization: Bearer ***'" in lines[-1] and '"model":"large"' in lines[-1]
    gateway.wait_for_log('"explanation":true')


def test_request_on_standard_input_is_explained_for_its_route(gateway):
    for members, operation in [
        ('"messages":[]', "createChatCompletion"), ('"input":"a"', "createResponse"), ('"prompt":"a"', "createCompletion"),
    ]:
        result = explain(gateway, "--json", request=f'{{"model":"smart",{members}}}')
        assert json.loads(result.stdout)["operation"] == operation
    named = explain(gateway, "--json", "--route", "embeddings", request='{"model":"smart","input":"a"}')
    assert json.loads(named.stdout)["operation"] == "createEmbedding"


def test_translation_is_explained_with_its_omissions(gateway):
    request = '{"model":"claude","messages":[{"role":"user","content":"Hi"}],"seed":1}'
    explained = json.loads(explain(gateway, "--json", request=request).stdout)
    assert [(rule["rule"], rule["member"]) for rule in explained["rules"]] == [("format", "format"), ("drop", "seed")]
    assert explained["request"]["url"].endswith("/v1/messages")
    assert explained["request"]["body"]["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]
    assert "seed: left out" in explain(gateway, request=request).stdout


@pytest.mark.parametrize("arguments, request_text, words", [
    (["--model", "smrt"], "", "Did you mean 'smart'?"),
    ([], "no JSON", "standard input holds no JSON object"),
    ([], "", "standard input holds no JSON object"),
    (["--route", "embeddings", "--model", "claude"], "", "speaks"),
])
def test_unexplainable_requests_are_reported(gateway, arguments, request_text, words):
    result = explain(gateway, *arguments, request=request_text)
    assert result.returncode == 1 and result.stdout == ""
    assert words in result.stderr


def test_one_of_several_keys_must_be_an_admins(gateway):
    result = explain(gateway, "--model", "smart", key=OTHER_KEY)
    assert result.returncode == 1 and "admin: true" in result.stderr, result.stderr
