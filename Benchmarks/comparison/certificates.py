"""The mock upstream's certificate and its authority, created for one run."""

import subprocess

# The names by which the proxies connect to the upstream; nginx cannot verify an address.
NAMES = "DNS:localhost," + ",".join(f"IP:127.0.0.{number}" for number in range(1, 17))


def make_certificates(folder):
    """Creates the authority and the upstream's certificate; returns the authority's file, and the upstream's with its
    key."""
    authority, upstream = folder / "authority", folder / "upstream"
    request = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    _run([*request, *_files(authority), "-days", "2", "-subj", "/CN=Benchmark authority"])
    _run([
        *request, *_files(upstream), "-days", "2", "-subj", "/CN=localhost", "-CA", f"{authority}.pem", "-CAkey",
        f"{authority}.key", "-addext", f"subjectAltName={NAMES}", "-addext", "basicConstraints=critical,CA:false"])
    return folder / "authority.pem", (folder / "upstream.pem", folder / "upstream.key")


def _files(name):
    return ["-out", f"{name}.pem", "-keyout", f"{name}.key"]


def _run(command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
