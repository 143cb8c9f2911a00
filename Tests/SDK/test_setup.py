"""`headgate setup`: an app's settings are shown, written with a backup, and removed again."""

import json
import os
import re
import shutil
import stat
import tomllib
from pathlib import Path

import pytest
import yaml

from gateways import KEY, KEYS, command, gateways, module_gateways, needs_root  # noqa: F401
from listing_upstreams import listing  # noqa: F401  (a fixture)
from paced_upstream import PacedUpstream
from upstreams import free_port

# For each app with a settings file: the file, the user's own text, and the place of the gateway's address in it.
FILES = {
    "codex": (".codex/config.toml", '# Mine.\nmodel = "gpt-5.5"\n[analytics]\nenabled = false\n',
        lambda text: tomllib.loads(text)["model_providers"]["headgate"]["base_url"]),
    "claude-code": (".claude/settings.json", '{\n  "env": {\n    "EDITOR": "ed"\n  },\n  "language": "Mine"\n}\n',
        lambda text: json.loads(text)["env"]["ANTHROPIC_BASE_URL"]),
    "opencode": ("config/opencode/opencode.json", '{\n  // Mine.\n  "theme": "system",\n}\n',
        lambda text: relaxed(text)["provider"]["headgate"]["options"]["baseURL"]),
    "aider": (".aider.conf.yml", "# Mine.\nmodel: sonnet\ndark-mode: true\n",
        lambda text: yaml.safe_load(text)["openai-api-base"]),
    "continue": (".continue/config.yaml", "name: Mine\nversion: 0.0.1\nschema: v1\nmodels:\n  - name: a # b\n    provider: ollama\n    model: c\n",
        lambda text: yaml.safe_load(text)["models"][0]["apiBase"]),
    "zed": ("config/zed/settings.json", '// Mine.\n{\n  "vim_mode": true, // yes\n}\n',
        lambda text: relaxed(text)["language_models"]["openai_compatible"]["Headgate"]["api_url"]),
    "vscode": ("config/Code/User/chatLanguageModels.json", '[\n\t{"name": "Mine", "vendor": "ollama"}\n]\n',
        lambda text: relaxed(text)[-1]["models"][0]["url"]),
    "llm": ("config/io.datasette.llm/extra-openai-models.yaml", "- model_id: mine\n  model_name: qwen\n",
        lambda text: yaml.safe_load(text)[0]["api_base"]),
    "raycast": (".config/raycast/ai/providers.yaml", "providers:\n- id: mine\n  name: Mine\n",
        lambda text: yaml.safe_load(text)["providers"][0]["base_url"]),
}
FORMS = ("cline", "cursor", "open-webui", "obsidian")
HOLDING_THE_KEY = ("claude-code", "aider", "continue", "raycast")
each_app = pytest.mark.parametrize("app", FILES)


def relaxed(text: str):
    """Parses JSON with comments and trailing commas; the tests have neither inside strings."""
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", re.sub(r"(^|\s)//.*", "", text)))


@pytest.fixture(scope="module")
def upstream():
    upstream = PacedUpstream(pace=0)
    yield upstream
    upstream.close()


def text(upstream: PacedUpstream, listen: str, end: str = "") -> str:
    return (
        f'listen: {listen}\nupstreams:\n  paced: {{kind: openai, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
        f"models:\n  chat: {{upstream: paced}}\n  other: {{upstream: paced}}\n{end}")


@pytest.fixture(scope="module")
def gateway(module_gateways, upstream):  # noqa: F811
    return module_gateways.start(text(upstream, "127.0.0.1:0", KEYS))


@pytest.fixture
def user(gateway, tmp_path):
    """A user of the gateway, whose key must never be printed."""

    class User:
        home = tmp_path

        def setup(self, *arguments, code: int = 0, **variables) -> str:
            done = command(tmp_path, "setup", *arguments, **{"HEADGATE_URL": gateway.urls[0], "HEADGATE_KEY": KEY, **variables})
            assert done.returncode == code, (arguments, done.stdout, done.stderr)
            assert KEY not in done.stdout + done.stderr
            return done.stdout if code == 0 else done.stderr

        def file(self, app: str, mode: int = 0o640) -> Path:
            path, own, _ = FILES[app]
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(own)
            file.chmod(mode)
            return file

    return User()


def backup(file: Path) -> Path:
    return file.with_name(file.name + ".headgate-backup")


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


# MARK: Writing and undoing


@each_app
def test_settings_are_written_and_removed(user, gateway, app):
    file, (_, own, address) = user.file(app), FILES[app]
    shown = user.setup(app, "--write")
    assert address(file.read_text()).startswith(gateway.urls[0]) and "chat" in file.read_text()
    assert f"--- {file}\n+++ {file}\n@@ " in shown and f"Backup: {backup(file)}" in shown
    assert backup(file).read_text() == own and mode(backup(file)) == mode(file) == 0o640
    assert (KEY in file.read_text()) == (app in HOLDING_THE_KEY)

    written = file.read_bytes()
    assert f"{file} is already set up" in user.setup(app, "--write") and file.read_bytes() == written
    assert f"Wrote {file}" in user.setup(app, "--write", "--model", "other")
    assert backup(file).read_text() == own and b"other" in file.read_bytes()

    assert f"Restored {file}" in user.setup(app, "--undo")
    assert file.read_text() == own and mode(file) == 0o640
    assert [each.name for each in file.parent.iterdir()] == [file.name]
    assert "nothing to undo" in user.setup(app, "--undo") and file.read_text() == own


@each_app
def test_new_file_with_the_key_is_private(user, app):
    file = user.home / FILES[app][0]
    user.setup(app, "--write")
    assert file.is_file() and not backup(file).exists()
    assert mode(file) == (0o600 if app in HOLDING_THE_KEY else 0o644)
    assert f"Removed {file}" in user.setup(app, "--undo") and not file.exists()


@each_app
def test_later_changes_stay(user, app):
    file, (_, own, address) = user.file(app), FILES[app]
    user.setup(app, "--write")
    changed = file.read_text().replace("ine", "ine too")
    assert changed != file.read_text()
    file.write_text(changed)
    assert "Other changes in it stay" in user.setup(app, "--undo")
    assert file.read_text() == own.replace("ine", "ine too") and not backup(file).exists()


@each_app
def test_damaged_file_is_refused_with_the_text_to_add(user, gateway, app):
    file = user.file(app)
    file.write_text("{[")
    told = user.setup(app, "--write", code=1)
    assert str(file) in told and "Nothing was changed; add the text above by hand" in told
    assert file.read_text() == "{[" and not backup(file).exists()
    shown = command(user.home, "setup", app, "--write", HEADGATE_URL=gateway.urls[0], HEADGATE_KEY=KEY).stdout
    assert gateway.urls[0] in shown and KEY not in shown


@each_app
def test_nothing_is_written_without_the_option(user, gateway, app):
    file = user.file(app)
    before = file.read_bytes()
    shown = user.setup(app)
    assert f"Add to {file}:" in shown and gateway.urls[0] in shown and f"headgate setup {app} --write" in shown
    assert file.read_bytes() == before and not backup(file).exists()


@pytest.mark.parametrize("app", FORMS)
def test_form_apps_show_what_to_enter(user, gateway, app):
    shown = user.setup(app)
    assert gateway.urls[0] in shown and "chat" in shown
    user.setup(app, "--write")
    assert list(user.home.iterdir()) == []


def test_key_of_llm_is_in_its_own_file(user):
    folder = user.home / "config" / "io.datasette.llm"
    user.setup("llm", "--write")
    assert json.loads((folder / "keys.json").read_text()) == {"headgate": KEY} and mode(folder / "keys.json") == 0o600
    user.setup("llm", "--undo")
    assert list(folder.iterdir()) == []


def test_one_refused_file_prevents_all_changes(user):
    file = user.file("llm")
    (file.parent / "keys.json").write_text("not JSON")
    before = file.read_bytes()
    user.setup("llm", "--write", code=1)
    assert file.read_bytes() == before and not backup(file).exists()


def test_link_stays_and_its_file_is_changed(user):
    file = user.file("codex")
    real = user.home / "dotfiles" / "codex.toml"
    real.parent.mkdir()
    file.rename(real)
    file.symlink_to(real)
    assert f"Wrote {file}, a link to {real}" in user.setup("codex", "--write")
    assert file.is_symlink() and "headgate" in real.read_text() and backup(real).is_file()
    user.setup("codex", "--undo")
    assert file.is_symlink() and real.read_text() == FILES["codex"][1] and not backup(real).exists()


def test_dangling_link_is_refused(user):
    file = user.file("codex")
    file.unlink()
    file.symlink_to(user.home / "missing")
    assert "a link that leads nowhere" in user.setup("codex", "--write", code=1)
    assert not (user.home / "missing").exists()


@needs_root
def test_file_of_another_user_is_refused(user):
    file = user.file("codex")
    os.chown(file, 65534, 65534)
    assert "belongs to user 65534" in user.setup("codex", "--write", code=1)
    assert file.read_text() == FILES["codex"][1]


def test_readable_file_with_the_key_is_warned_about(user, gateway):
    file = user.file("aider", 0o644)
    done = command(user.home, "setup", "aider", "--write", HEADGATE_URL=gateway.urls[0], HEADGATE_KEY=KEY)
    assert f"others can read it: chmod 600 {file}" in done.stderr and mode(file) == 0o644


def test_older_backup_is_never_lost(user):
    file = user.file("zed")
    backup(file).write_text('{"older": 1}\n')
    user.setup("zed", "--write")
    old = file.with_name(backup(file).name + ".old")
    assert backup(file).read_text() == FILES["zed"][1] and old.read_text() == '{"older": 1}\n'
    user.setup("zed", "--undo")
    assert file.read_text() == FILES["zed"][1] and old.exists() and not backup(file).exists()


def test_variable_of_the_app_names_its_folder(user):
    folder = user.home / "elsewhere"
    user.setup("codex", "--write", CODEX_HOME=str(folder))
    assert (folder / "config.toml").is_file() and not (user.home / ".codex").exists()


# MARK: The model, the address and the key


def test_model_is_one_that_the_gateway_has(user):
    assert "model chat\n" in user.setup("codex")
    assert "model other\n" in user.setup("codex", "--model", "other")
    told = user.setup("codex", "--model", "missing", code=1)
    assert "the gateway has no model 'missing'. It has chat, other" in told


def test_context_size_is_the_users(user):
    user.setup("zed", "--write", "--context", 32000)
    provider = relaxed((user.home / FILES["zed"][0]).read_text())["language_models"]["openai_compatible"]["Headgate"]
    assert provider["available_models"][0]["max_tokens"] == 32000
    assert "--context" in user.setup("zed", "--context", 3, code=64)


def test_context_size_comes_from_the_gateways_list(gateways, listing, tmp_path):  # noqa: F811
    upstream = listing()
    upstream.body = json.dumps({"data": [{"id": "long", "max_model_len": 65536}]}).encode()
    gateway = gateways.start(
        f'listen: 127.0.0.1:0\nupstreams:\n  up: {{kind: openai, base_url: "{upstream.url}"}}\nmodels: {{"*": {{upstream: up}}}}\n')
    done = command(tmp_path, "setup", "zed", "--write", HEADGATE_URL=gateway.urls[0])
    assert done.returncode == 0, done.stderr
    provider = relaxed((tmp_path / FILES["zed"][0]).read_text())["language_models"]["openai_compatible"]["Headgate"]
    assert [(model["name"], model["max_tokens"]) for model in provider["available_models"]] == [("long", 65536)]


def test_gateway_need_not_run(tmp_path, upstream):
    path = tmp_path / "headgate.yaml"
    port = free_port()
    path.write_text(text(upstream, f"127.0.0.1:{port}"))
    done = command(tmp_path, "setup", "opencode", "--config", path, "--write")
    assert done.returncode == 0, done.stderr
    provider = relaxed((tmp_path / FILES["opencode"][0]).read_text())["provider"]["headgate"]
    assert provider["options"]["baseURL"] == f"http://127.0.0.1:{port}/v1" and list(provider["models"]) == ["chat"]
    # The key that the gateway will use is already in the file where the app looks for it.
    key = Path(provider["options"]["apiKey"].removeprefix("{file:").removesuffix("}"))
    assert key.read_text().strip() and mode(key) == 0o600
    shown = command(tmp_path, "setup", "codex", "--config", path).stdout
    assert 'export HEADGATE_KEY="$(headgate key show)"' in shown


def test_unknown_key_is_left_for_its_owner_to_fill_in(tmp_path, upstream):
    path = tmp_path / "headgate.yaml"
    path.write_text(text(upstream, f"127.0.0.1:{free_port()}", KEYS))
    done = command(tmp_path, "setup", "claude-code", "--config", path, "--write")
    assert done.returncode == 1 and "HEADGATE_KEY" in done.stderr and not (tmp_path / ".claude").exists()
    file = tmp_path / "key file"
    file.write_text(KEY + "\n")
    shown = command(tmp_path, "setup", "codex", "--config", path, "--key-file", file)
    assert f"export HEADGATE_KEY=\"$(cat '{file}')\"" in shown.stdout, shown.stderr
    # Codex reads the key from a variable, which the user can set to any key.
    assert "export HEADGATE_KEY=YOUR_GATEWAY_KEY" in command(tmp_path, "setup", "codex", "--config", path).stdout


# MARK: The list


def test_apps_of_this_machine_are_listed(user):
    programs = user.home / "bin"
    programs.mkdir()
    shutil.copy("/bin/true", programs / "aider")
    user.file("codex")
    user.setup("codex", "--write")
    shown = user.setup(PATH=str(programs))
    found, others = shown.split("Also known: ")
    assert re.search(r"^  aider +aider +headgate setup aider --write$", found, re.M), shown
    assert re.search(r"^  codex +Codex CLI +set up; undo: headgate setup codex --undo$", found, re.M), shown
    assert "zed" in others and "codex" not in others.split("\n")[0]


@pytest.mark.parametrize(("arguments", "told"), [
    (("emacs",), "there is no app 'emacs' here: choose from codex, claude-code"),
    (("--write",), "Name the app"), (("codex", "--write", "--undo"), "exclude each other")])
def test_mistakes_are_reported(user, arguments, told):
    assert told in user.setup(*arguments, code=1 if arguments == ("emacs",) else 64)
