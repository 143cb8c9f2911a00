"""Headgate with one upstream, one client key, and otherwise its defaults."""

import hashlib
import os
import secrets

from .proxy import Proxy


class Headgate(Proxy):
    name = "headgate"
    title = "Headgate"
    most_rounds = None

    def __init__(self, binary, folder, setting, ledger=None, of_key="", more=""):
        super().__init__(binary, folder, setting)
        self.key = secrets.token_urlsafe(24)
        authority = f", ca: {setting.authority}" if setting.authority else ""
        url = f"{setting.scheme}://{self.upstream}/v1"
        (folder / "headgate.yaml").write_text(f"""\
loops: {setting.loops}
upstreams:
  mock: {{kind: openai, base_url: "{url}", api_key: "sk-bench"{authority}}}
keys:
  - {{name: bench, sha256: {hashlib.sha256(self.key.encode()).hexdigest()}{of_key}}}
{more}""")
        self.start(
            binary, "serve", "--config", folder / "headgate.yaml",
            environment={
                "HOME": str(folder), "PATH": os.environ.get("PATH", ""), "HEADGATE_LISTEN": "127.0.0.1:0",
                "HEADGATE_LEDGER": ledger or f"sqlite:{folder}/usage.db"})
        self.port = int(self.read_line().rsplit(":", 1)[1])
