"""The common base of all proxies."""

import os
import pwd
import socket

from ..process import Process


class Proxy(Process):
    """A proxy with its own folder, in front of an upstream."""

    title = ""
    # Key that the load generator sends; most proxies ignore it.
    key = "sk-bench"
    # Whether the proxy rewrites the JSON, so that only the contents can be compared.
    rewrites_json = False
    # The proxy's share of a round's requests, and the scenarios that it skips, each with a reason.
    share = 1
    leaves_out = {}
    # Upper bound of the proxy's rounds, to save time.
    most_rounds = 5

    def __init__(self, binary, folder, setting):
        folder.mkdir()
        self.binary = binary
        self.folder = folder
        self.setting = setting
        self.upstream_address = setting.upstream.next_address()
        self.upstream_port = setting.upstream.port
        self.upstream = f"{self.upstream_address}:{self.upstream_port}"

    def start(self, *command, environment=None, gathers_output=False):
        super().__init__(
            self.setting.proxy_cores, command, folder=self.folder, log=self.folder / "errors",
            gathers_output=gathers_output,
            environment=environment or {"HOME": str(self.folder), "PATH": os.environ.get("PATH", "")})

    def wait_for_port(self, seconds=10):
        self.wait_until(lambda: _answers(self.port), seconds)


def _answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def user_name():
    return pwd.getpwuid(os.geteuid()).pw_name
