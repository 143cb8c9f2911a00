"""A real Prometheus server, which scrapes one gateway."""

import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from child import Child
from conftest import environment
from gateways import KEY, wait_until
from patience import PATIENCE_SECONDS, RUN_SECONDS


def problems(metrics: bytes) -> str:
    """Returns the output of Prometheus' own checker for a metrics text; it is empty if the text is valid."""
    check = subprocess.run(
        [shutil.which("promtool"), "check", "metrics"], input=metrics, capture_output=True, timeout=RUN_SECONDS)
    return (check.stdout + check.stderr).decode() + ("" if check.returncode == 0 else f"exit code {check.returncode}")


class Prometheus(Child):
    def __init__(self, folder: Path, target: str):
        """Starts a server that scrapes `target`, the address of a gateway."""
        path = folder / "prometheus.yml"
        path.write_text(
            "global: {scrape_interval: 1s, scrape_timeout: 1s}\n"
            "scrape_configs:\n"
            f'  - {{job_name: headgate, authorization: {{credentials: "{KEY}"}}, static_configs: [{{targets: ["{target}"]}}]}}\n')
        super().__init__(
            [shutil.which("prometheus"), f"--config.file={path}", f"--storage.tsdb.path={folder / 'prometheus'}",
                "--enable-feature=exemplar-storage", "--web.listen-address=127.0.0.1:0", "--web.console.templates=", "--web.console.libraries="],
            folder / "prometheus.log", environment(folder))
        self.address = wait_until(self._listening, "the address of Prometheus")
        wait_until(self._is_ready, "Prometheus to be ready")

    def _listening(self) -> str | None:
        match = re.search(r'msg="Listening on" address=(\S+)', self.log.read_text())
        return match and match[1]

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=PATIENCE_SECONDS):
                return True
        except urllib.error.HTTPError:
            return False

    def query(self, text: str) -> list:
        """Returns the labels and the latest value of each series."""
        result = self._get("query", query=text)["result"]
        return [(series["metric"], float(series["value"][1])) for series in result]

    def exemplars(self, text: str) -> list:
        """Returns the exemplars of the last five minutes, as (labels, value)."""
        found = self._get("query_exemplars", query=text, start=time.time() - 300, end=time.time() + 300)
        return [(each["labels"], float(each["value"])) for series in found for each in series["exemplars"]]

    def _get(self, question: str, **parameters):
        url = f"http://{self.address}/api/v1/{question}?" + urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as response:
            return json.load(response)["data"]

    def number(self, text: str) -> float | None:
        """Returns the value of a query with at most one result."""
        results = self.query(text)
        return results[0][1] if results else None
