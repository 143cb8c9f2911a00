"""Two machines connected by a cable, as network namespaces; one reaches the other only through a route."""

import os
import shutil
import subprocess

import pytest

# Address of the far machine behind the route. It is reserved for documentation (RFC 5737).
FAR_ADDRESS = "203.0.113.7"
GATEWAY_ADDRESS, CABLE_ADDRESS = "10.99.0.1", "10.99.0.2"


def obstacle() -> str | None:
    """Returns the reason why namespaces are unavailable here, or None."""
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    for program in ("ip", "unshare", "nsenter"):
        if shutil.which(program) is None:
            return f"{program} is missing"
    attempt = subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True, text=True)
    return f"this container allows no namespaces: {attempt.stderr.strip()}" if attempt.returncode else None


class Namespace:
    """A network namespace, with its own /etc/resolv.conf if needed. It exists as long as its first process."""

    def __init__(self):
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # The program starts after the namespaces exist, so its echo proves that they do.
        self._holder.stdin.write(b"there\n")
        self._holder.stdin.flush()
        self._holder.stdout.readline()
        self.run("ip", "link", "set", "lo", "up")

    def close(self):
        self._holder.stdin.close()
        self._holder.wait()
        self._holder.stdout.close()

    @property
    def pid(self) -> str:
        return str(self._holder.pid)

    @property
    def prefix(self) -> tuple:
        """Prefix of a command that runs inside the namespace."""
        return "nsenter", "--target", self.pid, "--net", "--mount"

    def run(self, *command):
        result = subprocess.run([*self.prefix, *map(str, command)], capture_output=True, text=True, timeout=10)
        assert result.returncode == 0, f"{' '.join(map(str, command))}: {result.stderr}"

    def resolve_by(self, resolver: str, folder):
        """Sets the name server of the namespace."""
        path = folder / "resolv.conf"
        path.write_text(f"nameserver {resolver}\noptions timeout:1 attempts:1\n")
        # /etc/resolv.conf can be a symbolic link.
        self.run("mount", "--bind", path, os.path.realpath("/etc/resolv.conf"))


class Cable:
    """A cable between two namespaces; `near` has a route to the far machine while the cable is plugged in."""

    def __init__(self, near: Namespace, far: Namespace):
        self._near = near
        near.run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", far.pid)
        for namespace, address in (near, GATEWAY_ADDRESS), (far, CABLE_ADDRESS):
            namespace.run("ip", "address", "add", f"{address}/24", "dev", "cable")
            namespace.run("ip", "link", "set", "cable", "up")
        far.run("ip", "address", "add", f"{FAR_ADDRESS}/32", "dev", "lo")

    def plug_in(self):
        self._near.run("ip", "route", "add", FAR_ADDRESS, "via", CABLE_ADDRESS)

    def pull_out(self):
        self._near.run("ip", "route", "del", FAR_ADDRESS)


needs_namespaces = pytest.mark.skipif((reason := obstacle()) is not None, reason=str(reason))
