"""`headgate import litellm`: files in the form of LiteLLM's documentation become working configurations."""

import json
import re
from pathlib import Path

import pytest
import yaml

from connections import whole_text
from gateways import UPSTREAM_KEY, command, gateways
from upstreams import TEXT, local_upstream

FILES = Path(__file__).parent / "litellm"
NAMES = ("team", "home", "production")
# One of the team's models is left out, which makes the command fail.
EXIT_CODES = {"team": 78, "home": 0, "production": 0}
CLEAR = "in-the-clear"


def imported(folder, name: str):
    """Returns the configuration parsed as YAML, and the notes with their lines."""
    result = command(folder, "import", "litellm", FILES / f"{name}.yaml")
    assert result.returncode == EXIT_CODES[name], result.stderr
    notes = re.findall(rf"^{re.escape(str(FILES / name))}\.yaml:(\d+):\d+: warning: (.*)$", result.stderr, re.M)
    assert len(notes) == len(result.stderr.splitlines()) - (EXIT_CODES[name] != 0), result.stderr
    return yaml.safe_load(result.stdout), result.stdout, [(int(line), text) for line, text in notes]


@pytest.mark.parametrize("name", NAMES)
def test_output_passes_check(tmp_path, name):
    path = tmp_path / "out" / "headgate.yaml"
    result = command(tmp_path, "import", "litellm", FILES / f"{name}.yaml", "--output", path)
    assert result.returncode == EXIT_CODES[name], result.stderr
    assert f"headgate check --config {path}\n" in result.stderr, result.stderr
    assert path.stat().st_mode & 0o777 == 0o600
    variables = {variable: "https://x.openai.azure.com" for variable in re.findall(r"\$\{(\w+)", path.read_text())}
    checked = command(tmp_path, "check", "--quiet", "--config", path, **variables)
    assert checked.returncode == 0, checked.stderr
    # Without the file's variables, their absence is the only error.
    missing = command(tmp_path, "check", "--config", path)
    assert missing.returncode == 78
    assert all("is not set" in line for line in missing.stderr.splitlines()), missing.stderr


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_of_the_file_is_written_or_shown(tmp_path, name):
    result = command(tmp_path, "import", "litellm", FILES / f"{name}.yaml")
    assert CLEAR not in re.sub("stands in the clear", "", result.stdout + result.stderr)


@pytest.mark.parametrize("name", NAMES)
def test_every_untranslated_line_is_in_the_file_too(tmp_path, name):
    _, text, notes = imported(tmp_path, name)
    assert notes == sorted(notes, key=lambda note: note[0])
    for line, note in notes:
        assert f"#   {line}: {note}\n" in text


def test_team_of_several_clouds(tmp_path):
    document, _, notes = imported(tmp_path, "team")
    upstreams, models = document["upstreams"], document["models"]
    assert upstreams["azure-team-eu"] == {
        "kind": "azure", "base_url": "https://team-eu.openai.azure.com", "api_version": "2024-10-21",
        "api_key": "${AZURE_API_KEY_EU}", "breaker": {"failures": 4, "cooldown": "30s"}}
    assert upstreams["azure"]["base_url"] == "${AZURE_API_BASE_US}"
    assert upstreams["gemini"]["base_url"].startswith("https://generativelanguage.googleapis.com/")
    assert upstreams["openai"]["api_key"] == "${OPENAI_API_KEY}"
    gpt = models["gpt-4o"]
    assert gpt["targets"] == [
        {"upstream": "azure-team-eu", "model": "gpt-4o-eu", "weight": 2},
        {"upstream": "azure", "model": "gpt-4o-us", "weight": 1}]
    assert (gpt["choose"], gpt["retry"], gpt["limits"]) == (
        "weighted", {"attempts": 3}, {"requests": "900/m", "tokens": "135000/m"})
    claude = models["claude-sonnet"]
    assert [target["upstream"] for target in claude["targets"]] == ["anthropic", "azure-team-eu", "azure"]
    assert "choose" not in claude and claude["parameters"]["defaults"] == {"max_tokens": 4096, "temperature": 0.2}
    assert models["gemini-flash"]["timeouts"] == {"first_byte": "45s", "first_content": "12500ms"}
    assert models["embeddings"] == {
        "upstream": "openai", "model": "text-embedding-3-small", "retry": {"attempts": 3}, "timeouts": {"first_byte": "600s"}}
    assert "nova" not in models
    noted = {line: text for line, text in notes}
    source = (FILES / "team.yaml").read_text().splitlines()

    def note(words: str) -> str:
        return noted[next(number for number, line in enumerate(source, 1) if words in line)]

    assert "bedrock" in noted[38] and '"missing"' in note('  fallbacks: ')
    assert "no other model" in note("context_window_fallbacks")
    assert "LITELLM_MASTER_KEY is not set" in note("master_key") and "docs/usage.md" in note("database_url")
    for words in ("redis_host", "redis_password", "drop_params", "success_callback", "cache: true", "cache_params"):
        assert note(words)


def test_own_machine(tmp_path):
    document, text, notes = imported(tmp_path, "home")
    upstreams, models = document["upstreams"], document["models"]
    assert upstreams["openai"]["api_key"] == "${OPENAI_API_KEY}" and upstreams["anthropic"]["api_key"] == "${ANTHROPIC_API_KEY}"
    assert upstreams["anthropic"]["headers"] == {
        "anthropic-beta": "context-1m-2025-08-07", "x-team-token": "${ANTHROPIC_X_TEAM_TOKEN}"}
    assert upstreams["ollama"]["base_url"] == "http://localhost:11434/v1" and "api_key" not in upstreams["ollama"]
    vllm = upstreams["vllm-gpu-box"]
    assert (vllm["base_url"], vllm["plain_http"], vllm["allow_private"]) == ("http://gpu-box.lan:8000/v1", True, True)
    assert "api_key" not in vllm
    assert models["qwen"] == {"upstream": "vllm-gpu-box", "model": "Qwen/Qwen3-8B"}
    assert upstreams["openai-2"]["base_url"] == "http://127.0.0.1:1234/v1"
    # Patterns pass names on unchanged, and none of OpenAI's names is routed elsewhere.
    assert models["openai/*"] == models["gpt-*"] == {"upstream": "openai"} and models["claude-*"] == {"upstream": "anthropic"}
    assert models['it\'s "odd": $name']["model"] == "meta-llama/Llama-3.3-70B-Instruct-Turbo"
    by_line = dict(notes)
    assert 'let clients leave "openai/" out of the name' in by_line[3]
    assert "set OPENAI_API_KEY to" in by_line[6] and "set ANTHROPIC_API_KEY to" in by_line[10]
    assert "environment_variables" in text and "TOGETHERAI_API_KEY" in text


def test_larger_installation(tmp_path):
    document, _, notes = imported(tmp_path, "production")
    upstreams, models = document["upstreams"], document["models"]
    main = upstreams["azure-prod-main"]
    assert (main["api_key"], main["api_version"]) == ("${PROD_AZURE_KEY}", "2025-04-01-preview")
    assert upstreams["openai"]["headers"] == {"OpenAI-Organization": "${OPENAI_ORG}"}
    ordered = models["ordered"]
    assert [target["upstream"] for target in ordered["targets"]] == ["deepseek", "mistral", "xai"]
    assert ordered["retry"] == {"attempts": 3} and "choose" not in ordered
    assert models["chat-default"]["limits"] == {"in_flight": 30}  # of two names
    assert models["gpt-4"] == models["chat-default"]
    assert models["hidden-grok"]["model"] == "grok-3-mini" and models["grok"]["limits"] == {"requests": "30/m"}
    corporate = upstreams[models["internal"]["targets"][0]["upstream"]]
    assert corporate["base_url"] == "https://llm.corp.example/v1"
    assert len(models["same-twice"]["targets"]) == 2
    assert models["grok"]["timeouts"] == {"first_byte": "30s"}
    texts = " ".join(text for _, text in notes)
    for words in ('"not-there"', "docs/usage.md", '"guardrails"', '"alerting"', "besides the address", "they are tried in order"):
        assert words in texts, texts


def test_gateway_serves_the_imported_configuration(gateways, local_upstream, tmp_path):
    source = tmp_path / "config.yaml"
    source.write_text(
        "model_list:\n  - model_name: mine\n    litellm_params:\n      model: openai/theirs\n"
        f"      api_base: {local_upstream.url}\n      api_key: os.environ/UPSTREAM_KEY\n"
        "general_settings: {master_key: os.environ/MASTER}\n")
    result = command(gateways.folder, "import", "litellm", source, MASTER="sk-1234")
    assert result.returncode == 0 and "shorter than 20 characters" in result.stderr, result.stderr
    assert "sk-1234" not in result.stdout + result.stderr
    gateway = gateways.start(result.stdout, HEADGATE_LISTEN="127.0.0.1:0")
    with gateway.connect(key="sk-1234") as client:
        assert whole_text(client.chat("mine", stream=True)) == TEXT
    _, headers, body = local_upstream.requests[0]
    assert headers["Authorization"] == f"Bearer {UPSTREAM_KEY}" and json.loads(body)["model"] == "theirs"


@pytest.mark.parametrize(("text", "words"), [
    ("model_list: [", "malformed YAML"), ("", "there is no model_list"), ("- a\n", "there is no model_list"),
    ("model_list: [{model_name: a}, 7]\n", "no model_name or no litellm_params; complete it there"),
    ("x: &a {b: 1}\nmodel_list: []\n", "anchors"),
])
def test_foreign_file_is_reported(tmp_path, text, words):
    path = tmp_path / "config.yaml"
    path.write_text(text)
    result = command(tmp_path, "import", "litellm", path)
    assert words in result.stderr and str(path) in result.stderr


def test_missing_and_existing_files(tmp_path):
    result = command(tmp_path, "import", "litellm", tmp_path / "none.yaml")
    assert result.returncode == 78 and "there is no such file" in result.stderr
    out = tmp_path / "out.yaml"
    out.write_text("mine")
    result = command(tmp_path, "import", "litellm", FILES / "team.yaml", "--output", out)
    assert result.returncode == 1 and out.read_text() == "mine"
    assert command(tmp_path, "import", "litellm", FILES / "home.yaml", "--output", out, "--force").returncode == 0
