"""Valid and invalid certificates, created by `openssl` for one test run."""

import datetime
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

# Only `openssl ca` accepts past dates in every version.
CONFIGURATION = """\
[ca]
default_ca = tests
[tests]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = policy
copy_extensions = copy
[policy]
commonName = supplied
"""


@dataclass(frozen=True)
class Certificate:
    """The PEM files of a certificate."""

    chain: Path
    key: Path


class Authority:
    """Issues certificates in a folder."""

    def __init__(self, folder: Path, name: str = "Headgate test authority"):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        (folder / "ca.cnf").write_text(CONFIGURATION)
        (folder / "index.txt").touch()
        self.file = folder / "ca.pem"
        self._openssl(
            "req", "-x509", *EC_KEY, "-keyout", "ca.key", "-out", "ca.pem", "-subj", f"/CN={name}", "-days", "30",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def issue(self, name: str, subjects: str = "DNS:localhost,IP:127.0.0.1,IP:::1", days: int = 30) -> Certificate:
        """Issues a certificate that is valid from 60 days ago until `days` from now; a negative `days` makes it
        expired."""
        now = datetime.datetime.now(datetime.timezone.utc)
        start, end = (
            (now + datetime.timedelta(days=offset)).strftime("%Y%m%d%H%M%SZ") for offset in (-60, days))
        self._openssl(
            "req", "-new", *EC_KEY, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}",
            "-addext", f"subjectAltName={subjects}")
        self._openssl(
            "ca", "-config", "ca.cnf", "-batch", "-notext", "-cert", "ca.pem", "-keyfile", "ca.key",
            "-startdate", start, "-enddate", end, "-in", f"{name}.csr", "-out", f"{name}.pem")
        return self._certificate(name)

    def self_sign(self, name: str) -> Certificate:
        self._openssl(
            "req", "-x509", *EC_KEY, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}",
            "-days", "30", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        return self._certificate(name)

    def _certificate(self, name: str) -> Certificate:
        return Certificate(self.folder / f"{name}.pem", self.folder / f"{name}.key")

    def _openssl(self, *arguments: str):
        result = subprocess.run(
            ["openssl", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=30,
            stdin=subprocess.DEVNULL)
        assert result.returncode == 0, f"openssl {' '.join(arguments)}:\n{result.stderr}"


@pytest.fixture(scope="session")
def authority(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="session")
def localhost(authority) -> Certificate:
    """Returns a valid certificate for `localhost`."""
    return authority.issue("localhost")
