"""`headgate check --live`: each upstream's response to the gateway's own key."""

import pytest

from gateways import UPSTREAM_KEY, command
from listing_upstreams import listing  # noqa: F401  (a fixture)
from upstreams import free_port


def check(folder, upstreams: str, models: str = "{}", *arguments):
    path = folder / "headgate.yaml"
    path.write_text(f"upstreams:\n{upstreams}models: {models}\n")
    result = command(folder, "check", "--live", "--config", path, *arguments)
    assert UPSTREAM_KEY not in result.stdout + result.stderr
    return result


def upstream(name: str, url: str, kind: str = "openai", more: str = "") -> str:
    return f'  {name}: {{kind: {kind}, base_url: "{url}", api_key: "${{UPSTREAM_KEY}}"{more}}}\n'


def test_working_upstreams_are_listed_with_their_models(tmp_path, listing):  # noqa: F811
    openai = listing("gpt-5", "gpt-5-mini", key=UPSTREAM_KEY)
    claude = listing("claude-a", "claude-b", "claude-c", key=UPSTREAM_KEY, is_anthropic=True)
    result = check(
        tmp_path, upstream("open", openai.url) + upstream("claude", claude.url, "anthropic"),
        '{fast: {upstream: open, model: gpt-5-mini}, "claude-*": {upstream: claude}}')
    assert result.returncode == 0, result.stderr
    assert "upstream open: reachable, key accepted, 2 models\n" in result.stdout
    assert "upstream claude: reachable, key accepted, 3 models\n" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("ok ")
    quiet = check(tmp_path, upstream("open", openai.url), '{"*": {upstream: open}}', "--quiet")
    assert quiet.returncode == 0 and quiet.stdout.count("\n") == 1


def test_failing_upstreams_are_reported_with_advice(tmp_path, listing):  # noqa: F811
    refusing = listing("gpt-5", key="another")
    wrong = listing("gpt-5", key=UPSTREAM_KEY)
    wrong.status = 404
    page = listing(key=UPSTREAM_KEY)
    page.body = b"<html>"
    gone = free_port()
    result = check(
        tmp_path,
        upstream("refusing", refusing.url) + upstream("wrong", wrong.url) + upstream("page", page.url)
        + upstream("gone", f"http://127.0.0.1:{gone}/v1"), '{"*": {upstream: refusing}}')
    assert result.returncode == 1
    assert "upstream refusing: FAILED: the key is refused: check api_key" in result.stdout
    assert f"upstream wrong: FAILED: {wrong.url}/models answers 404: check the path of base_url" in result.stdout
    assert "upstream page: FAILED:" in result.stdout and "something other than a list" in result.stdout
    assert f"upstream gone: FAILED: http://127.0.0.1:{gone}/v1/models is not reachable: no connection" in result.stdout
    assert "4 of 4 upstreams do not work" in result.stderr
    assert "ok (" not in result.stdout


def test_model_unknown_to_the_upstream_is_reported(tmp_path, listing):  # noqa: F811
    up = listing("gpt-5", "llama:latest", key=UPSTREAM_KEY)
    up.single = {"gpt-5-latest"}
    result = check(
        tmp_path, upstream("up", up.url),
        "{a: {upstream: up, model: gpt-6}, llama: {upstream: up}, b: {upstream: up, model: gpt-5-latest}}")
    assert result.returncode == 1
    assert "upstream up: FAILED: reachable, key accepted, 2 models, but it does not know gpt-6:" in result.stdout


def test_every_target_is_looked_up(tmp_path, listing):  # noqa: F811
    one, two = listing("gpt-5", key=UPSTREAM_KEY), listing("gpt-5", key=UPSTREAM_KEY)
    result = check(
        tmp_path, upstream("one", one.url) + upstream("two", two.url),
        "{smart: {targets: [{upstream: one, model: gpt-5}, {upstream: two, model: gpt-6}, {upstream: two}]}}")
    assert result.returncode == 1
    assert "upstream one: reachable, key accepted, 1 model\n" in result.stdout
    assert "upstream two: FAILED: reachable, key accepted, 1 model, but it does not know gpt-6, smart:" in result.stdout


def test_every_key_is_checked(tmp_path, listing):  # noqa: F811
    up = listing("gpt-5", key=UPSTREAM_KEY)
    line = f'  up: {{kind: openai, base_url: "{up.url}", api_keys: ["${{UPSTREAM_KEY}}", second]}}\n'
    result = check(tmp_path, line, '{"*": {upstream: up}}')
    assert result.returncode == 1
    assert "upstream up: FAILED: key 2 of 2: the key is refused: check api_key\n" in result.stdout
    assert "second" not in result.stdout + result.stderr
    up.key = None
    result = check(tmp_path, line, '{"*": {upstream: up}}')
    assert result.returncode == 0 and "upstream up: reachable, 2 keys accepted, 1 model\n" in result.stdout


@pytest.mark.parametrize("status", [401, 405, 429, 500])
def test_uncheckable_model_is_not_a_failure(tmp_path, listing, status):  # noqa: F811
    up = listing("gpt-5", key=UPSTREAM_KEY)
    up.single_status = status
    result = check(tmp_path, upstream("up", up.url), "{a: {upstream: up, model: gpt-6}}")
    assert result.returncode == 0, result.stdout + result.stderr
    words = f"upstream up: reachable, key accepted, 1 model; could not be looked up: gpt-6 (status {status})"
    assert words in result.stdout


def test_no_program_is_started_to_be_checked(tmp_path):
    mark = tmp_path / "started"
    result = check(
        tmp_path,
        "  device: {kind: on-device}\n"
        f"  local: {{kind: openai, base_url: \"http://127.0.0.1:{free_port()}/v1\", command: [/usr/bin/touch, {mark}]}}\n",
        '{"*": {upstream: local}}')
    assert result.returncode == 0, result.stderr
    assert "upstream device: the model on this device, not asked" in result.stdout
    assert "upstream local: its program is not running, and is not started for this check" in result.stdout
    assert not mark.exists()
