"""The agents from PyPI. Each run has its own environment and home folder, and no terminal."""

import importlib.util
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import codex_cli_bin

RUN_SECONDS = 120
_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Run:
    code: int
    output: str
    errors: str

    def __str__(self) -> str:
        return f"exit code {self.code}\n--- output\n{self.output}\n--- errors\n{self.errors}"


@dataclass
class Agent:
    """Works in `folder / "work"`. `settings` is the user's settings file; `options` follow the prompt."""

    gateway: str
    key: str = field(repr=False)
    folder: Path
    model: str

    def __post_init__(self):
        self.home = self.folder / "home"
        self.work = self.folder / "work"
        for folder in (self.home, self.work):
            folder.mkdir(parents=True)

    def run(self, prompt: str, *options, brief: bool = False) -> Run:
        """Runs the agent. `brief` replaces its own instructions with a few words, for a model with a small context."""
        command = [str(part) for part in (*self._command(prompt, brief), *options)]
        environment = {"PATH": _PATH, "HOME": str(self.home), **self._variables()}
        try:
            ended = subprocess.run(
                command, env=environment, cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True,
                timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired as error:
            said = [(part or b"").decode(errors="replace") for part in (error.stdout, error.stderr)]
            raise AssertionError(f"{self.name} did not end within {RUN_SECONDS} s; it wrote:\n{said[0]}\n{said[1]}")
        return Run(ended.returncode, ended.stdout.decode(errors="replace"), ended.stderr.decode(errors="replace"))

    def run_bare(self, headgate, prompt: str) -> Run:
        """Runs the agent through `headgate run`, with only the gateway's address and none of the agent's own
        settings."""
        command = [headgate, "run", "--url", self.gateway, "--", *self._bare(prompt)]
        return self._run(command, {"HEADGATE_KEY": self.key})

    def set_up(self, headgate, *options) -> Run:
        """Runs `headgate setup`; the files that it writes are the agent's settings from then on."""
        command = [headgate, "setup", self.app, "--url", self.gateway, "--model", self.model, *options]
        return self._run(command, {"HEADGATE_KEY": self.key})

    def run_plain(self, prompt: str) -> Run:
        """Runs the agent with only its own settings, and the variable that they name."""
        return self._run(self._plain(prompt), {"HEADGATE_KEY": self.key})

    def _run(self, command: list, variables: dict) -> Run:
        ended = subprocess.run(
            list(map(str, command)), env={"PATH": _PATH, "HOME": str(self.home), **variables}, cwd=self.work,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=RUN_SECONDS)
        return Run(ended.returncode, ended.stdout, ended.stderr)

    def _command(self, prompt: str, brief: bool) -> list:
        raise NotImplementedError

    def _plain(self, prompt: str) -> list:
        raise NotImplementedError

    def _bare(self, prompt: str) -> list:
        raise NotImplementedError

    def _variables(self) -> dict:
        raise NotImplementedError


class Codex(Agent):
    dialect = "responses"
    name = "codex"
    app = "codex"
    settings = Path(".codex", "config.toml")
    # Names of the tool and the argument for a shell command, and for the path of an image.
    shell = ("exec_command", "cmd")
    sight = ("view_image", "path")

    def _command(self, prompt: str, brief: bool) -> list:
        settings = self.home / ".codex" / "config.toml"
        settings.parent.mkdir(exist_ok=True)
        instructions = self.home / "instructions.md"
        instructions.write_text("Answer in a few words.")
        settings.write_text(
            f'model = "{self.model}"\nmodel_provider = "headgate"\ncheck_for_update_on_startup = false\n'
            + (f'model_instructions_file = "{instructions}"\n' if brief else "")
            + "[analytics]\nenabled = false\n"
            + f'[model_providers.headgate]\nname = "Headgate"\nbase_url = "{self.gateway}/v1"\n'
            + 'env_key = "HEADGATE_KEY"\nwire_api = "responses"\n')
        binary = codex_cli_bin.bundled_codex_path()
        return [binary, "exec", "--skip-git-repo-check", "--sandbox", "workspace-write", prompt]

    def _plain(self, prompt: str) -> list:
        return [codex_cli_bin.bundled_codex_path(), "exec", "--skip-git-repo-check", prompt]

    def _bare(self, prompt: str) -> list:
        return [codex_cli_bin.bundled_codex_path(), "exec", "--skip-git-repo-check", "-m", self.model, prompt]

    def _variables(self) -> dict:
        return {"HEADGATE_KEY": self.key}


class ClaudeCode(Agent):
    dialect = "messages"
    name = "claude"
    app = "claude-code"
    settings = Path(".claude", "settings.json")
    shell = ("Bash", "command")
    sight = ("Read", "file_path")

    def _command(self, prompt: str, brief: bool) -> list:
        package = Path(importlib.util.find_spec("claude_agent_sdk").origin).parent
        tools = ["--tools", "", "--system-prompt", "Answer in a few words."] if brief else [
            "--allowedTools", "Bash", "Read"]
        return [package / "_bundled" / "claude", "-p", prompt, "--model", self.model, *tools]

    def _plain(self, prompt: str) -> list:
        package = Path(importlib.util.find_spec("claude_agent_sdk").origin).parent
        return [package / "_bundled" / "claude", "-p", prompt]

    def _bare(self, prompt: str) -> list:
        package = Path(importlib.util.find_spec("claude_agent_sdk").origin).parent
        return [package / "_bundled" / "claude", "-p", prompt, "--model", self.model]

    def _variables(self) -> dict:
        # The last variable turns off telemetry, error reports and updates.
        return {
            "ANTHROPIC_BASE_URL": self.gateway, "ANTHROPIC_AUTH_TOKEN": self.key,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


AGENTS = (Codex, ClaudeCode)
