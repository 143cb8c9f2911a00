"""The configurations that deploy/ and docs/deployment.md tell people to use are accepted."""

import re
import subprocess

from service import HEADGATE, REPOSITORY

DOCUMENT = (REPOSITORY / "docs" / "deployment.md").read_text()


def check(folder, text, **variables):
    (folder / "upstream_key").write_text("sk-upstream\n")
    path = folder / "headgate.yaml"
    path.write_text(text)
    return subprocess.run(
        [HEADGATE, "check", "--config", path], capture_output=True, text=True, timeout=20, env=variables)


def test_configuration_of_compose(tmp_path):
    text = (REPOSITORY / "deploy" / "compose" / "headgate.yaml").read_text()
    assert "/run/secrets/upstream_key" in text
    result = check(tmp_path, text.replace("/run/secrets", str(tmp_path)))
    assert result.returncode == 0, result.stderr


def test_configuration_of_the_service(tmp_path):
    text = re.search(r"<<'YAML'\n(.*?)^YAML$", DOCUMENT, re.S | re.M)[1]
    result = check(tmp_path, text, CREDENTIALS_DIRECTORY=str(tmp_path))
    assert result.returncode == 0, result.stderr


def test_configuration_behind_a_proxy(tmp_path):
    text = re.search(r"^```yaml\n(listen:.*?)^```$", DOCUMENT, re.S | re.M)[1]
    result = check(tmp_path, text)
    assert result.returncode == 0, result.stderr


def test_units_and_compose_use_the_documented_files():
    for name in ("deploy/headgate.service", "deploy/compose.yaml"):
        for secret in ("client_key", "upstream_key"):
            assert secret in (REPOSITORY / name).read_text() and secret in DOCUMENT
