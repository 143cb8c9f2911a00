"""`headgate service`: a systemd user unit that is written, started, shown and removed."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from conftest import SANITIZER_OPTIONS, binary

TEXT = (
    'upstreams: {up: {kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: "${UPSTREAM_KEY}"}}\n'
    "models: {m: {upstream: up}}\n")
# A stand-in that records its arguments, and fails on demand.
SYSTEMCTL = """#!/bin/sh
echo "$*" >> "$HOME/calls"
case " $* " in *" $(cat "$HOME/failing" 2>/dev/null || echo nothing) "*) echo "stand-in: failed" >&2; exit 1;; esac
"""


class User:
    def __init__(self, home: Path):
        self.home = home
        self.folder = home / "config"
        self.unit = self.folder / "systemd/user/headgate.service"
        self.configuration = self.folder / "headgate/headgate.yaml"
        self.variables = self.folder / "headgate/environment"
        self.configuration.parent.mkdir(parents=True)
        self.configuration.write_text(TEXT)
        self.variables.write_text("# Mine.\nUPSTREAM_KEY='s3cret'\n")
        tools = home / "tools"
        tools.mkdir()
        (tools / "systemctl").write_text(SYSTEMCTL)
        (tools / "systemctl").chmod(0o755)
        self.path = f"{tools}:{os.environ['PATH']}"

    def service(self, *arguments, code: int = 0, **variables) -> subprocess.CompletedProcess:
        given = {"HEADGATE_CONFIG": None, "HEADGATE_LEDGER": None, "UPSTREAM_KEY": None, "PATH": self.path, **variables}
        done = subprocess.run(
            [binary("headgate"), "service", *map(str, arguments)], capture_output=True, text=True,
            env={name: value for name, value in {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.folder),
                 **SANITIZER_OPTIONS, **given}.items() if value is not None})
        assert done.returncode == code, (arguments, done.stdout, done.stderr)
        assert "s3cret" not in done.stdout + done.stderr
        return done

    def calls(self) -> list:
        """Returns the arguments of systemctl since the last call."""
        path = self.home / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def fail(self, word: str):
        (self.home / "failing").write_text(word)


@pytest.fixture
def user(tmp_path):
    return User(tmp_path / "a home")


def test_install_writes_a_unit_that_names_program_and_configuration_and_starts_it(user):
    done = user.service("install")
    text = user.unit.read_text()
    assert f'ExecStart="{binary("headgate").resolve()}" serve --config "{user.configuration}"\n' in text
    assert f'Environment="XDG_CONFIG_HOME={user.folder}"' in text and f"EnvironmentFile=-{user.variables}\n" in text
    assert "NoNewPrivileges=yes" in text and "WantedBy=default.target" in text and "s3cret" not in text
    assert stat.S_IMODE(user.unit.stat().st_mode) == 0o644
    assert user.calls() == ["--user daemon-reload", "--user enable headgate.service", "--user restart headgate.service"]
    assert f"wrote {user.unit}" in done.stderr and "Next: headgate service status" in done.stderr


def test_programs_missing_from_the_services_path_are_named(user, tmp_path):
    bin_folder = tmp_path / "opt"
    bin_folder.mkdir()
    for name in ["vault", "notify", "llama-server"]:
        (bin_folder / name).write_text("#!/bin/sh\n")
        (bin_folder / name).chmod(0o755)
    user.configuration.write_text(
        'upstreams:\n  up: {kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: {command: [vault, read]}}\n'
        '  own: {kind: openai, base_url: "http://127.0.0.1:2/v1", command: {run: [llama-server]}}\n'
        f'  whole: {{kind: openai, base_url: "http://127.0.0.1:3/v1", command: {{run: [{bin_folder}/llama-server]}}}}\n'
        f'  set: {{kind: openai, base_url: "http://127.0.0.1:4/v1", command: {{run: [llama-server], '
        f'env: {{PATH: {bin_folder}}}}}}}\n'
        "models: {m: {upstream: up}}\nalerts: {command: [notify]}\n")
    shell = f"{bin_folder}:{user.path}"
    done = user.service("install", PATH=shell)
    assert [line for line in done.stderr.splitlines() if "warning" in line] == [
        "headgate: warning: upstream 'up': api_key: the command 'vault' is not in PATH: write its whole path",
        "headgate: warning: upstream 'own': the command 'llama-server' is not in PATH: write its whole path",
        "headgate: warning: alerts: the command 'notify' is not in PATH: write its whole path",
        "headgate: warning: The service's PATH is /usr/local/bin:/usr/bin:/bin. A line PATH=... in "
        f"{user.variables} replaces it"]
    assert "--user restart headgate.service" in user.calls()
    # The check uses the variables of the service manager and of the environment file.
    (user.home / "tools/systemctl").write_text(SYSTEMCTL + f'echo LANG=C\necho "PATH=/bin:{bin_folder}"\n')
    assert "warning" not in user.service("install", PATH=shell).stderr
    user.variables.write_text(f"PATH={bin_folder}\n")
    (user.home / "tools/systemctl").write_text(SYSTEMCTL)
    assert "warning" not in user.service("install", PATH=shell).stderr


@pytest.mark.skipif(
    not shutil.which("systemd-analyze") and not os.environ.get("CI"), reason="systemd-analyze is missing")
def test_unit_is_valid_for_systemd(user, tmp_path):
    odd = tmp_path / 'o"dd $HOME 100%h \\x'
    odd.mkdir()
    (odd / "headgate.yaml").write_text(TEXT)
    user.service("install", "--config", odd / "headgate.yaml")
    assert 'o\\"dd $$HOME 100%%h \\\\x/headgate.yaml"' in user.unit.read_text()
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", user.unit], capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], "SYSTEMD_LOG_LEVEL": "warning"})
    assert done.returncode == 0 and "headgate.service" not in done.stderr, done.stderr


def test_dry_run_shows_the_unit_and_changes_nothing(user):
    done = user.service("install", "--dry-run")
    assert not user.unit.exists() and user.calls() == []
    user.service("install")
    assert user.unit.read_text() == done.stdout


def test_shell_only_variables_are_named_and_prevent_the_start(user):
    user.variables.unlink()
    done = user.service("install", UPSTREAM_KEY="s3cret")
    assert user.unit.exists() and user.calls() == []
    assert "does not see your shell's UPSTREAM_KEY" in done.stderr
    commands = [line.strip() for line in done.stderr.splitlines() if line.startswith("  ")]
    subprocess.run(["sh", "-c", "\n".join(commands)], check=True, env={"UPSTREAM_KEY": "s3cret"})
    assert user.variables.read_text() == "UPSTREAM_KEY=s3cret\n"
    assert stat.S_IMODE(user.variables.stat().st_mode) == 0o600
    user.service("install")
    assert "--user restart headgate.service" in user.calls()


def test_configuration_with_a_mistake_is_not_installed(user):
    user.configuration.write_text("upstream: {}\n")
    assert f"{user.configuration}:1:1: error: " in user.service("install", code=78).stderr
    assert not user.unit.exists() and user.calls() == []


@pytest.mark.parametrize("tool", ["none", "no session"])
def test_without_a_user_manager_it_prints_the_command(user, tool):
    if tool == "none":
        done = user.service("install", PATH="/nonexistent")
    else:
        user.fail("daemon-reload")
        done = user.service("install")
    assert user.unit.exists() and "the service is not started" in done.stderr
    assert "systemctl --user daemon-reload && systemctl --user enable --now headgate" in done.stderr


def test_service_that_does_not_start_is_a_failure_that_names_the_journal(user):
    user.fail("restart")
    assert "journalctl --user --unit headgate" in user.service("install", code=1).stderr


@pytest.mark.parametrize("what", ["edited", "foreign", "masked"])
def test_foreign_unit_stays_without_force(user, what):
    user.service("install")
    mine = user.unit.read_text()
    if what == "masked":
        user.unit.unlink()
        user.unit.symlink_to("/dev/null")
    else:
        user.unit.write_text(mine.replace("WatchdogSec=30", "WatchdogSec=60") if what == "edited" else "[Service]\n")
    before = None if what == "masked" else user.unit.read_text()
    user.calls()
    assert "--force replaces it" in user.service("install", code=1).stderr
    assert "--force removes it" in user.service("uninstall", code=1).stderr
    assert "edited, or written by something else" in user.service("status").stdout
    assert user.unit.is_symlink() if what == "masked" else user.unit.read_text() == before
    assert [call for call in user.calls() if "status" not in call] == []
    user.service("install", "--force")
    assert user.unit.read_text() == mine and not user.unit.is_symlink()


def test_install_again_replaces_what_it_wrote(user, tmp_path):
    user.service("install")
    other = tmp_path / "other.yaml"
    other.write_text(TEXT)
    user.service("install", "--config", other)
    assert f'--config "{other}"' in user.unit.read_text()


def test_uninstall_stops_it_and_removes_only_the_unit(user):
    user.service("install")
    neighbour = user.unit.with_name("other.service")
    neighbour.write_text("[Service]\n")
    user.calls()
    done = user.service("uninstall")
    assert user.calls() == ["--user disable --now headgate.service", "--user daemon-reload"]
    assert not user.unit.exists() and neighbour.exists() and user.configuration.exists() and user.variables.exists()
    assert f"removed {user.unit}" in done.stderr
    assert "no service is installed" in user.service("uninstall").stderr


def test_uninstall_without_a_manager_takes_the_dead_link_too(user):
    user.service("install")
    wanted = user.unit.parent / "default.target.wants"
    wanted.mkdir()
    (wanted / "headgate.service").symlink_to(user.unit)
    user.service("uninstall", PATH="/nonexistent")
    assert not user.unit.exists() and not (wanted / "headgate.service").is_symlink()


def test_status_shows_the_installed_unit_and_its_state(user):
    assert "'headgate service install' writes it" in user.service("status", code=1).stderr
    user.service("install")
    user.calls()
    shown = user.service("status").stdout.splitlines()
    assert shown[0] == f"{user.unit}: as 'headgate service install' wrote it"
    assert shown[1].startswith('runs "') and str(user.configuration) in shown[1]
    assert user.calls() == ["--user --no-pager --lines=5 status headgate.service"]
    user.fail("status")
    assert "does not run" in user.service("status", code=1).stderr
