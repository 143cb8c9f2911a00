"""The cores of the proxies, and their connection to the upstream."""

import contextlib
import dataclasses
from pathlib import Path

from .certificates import make_certificates
from .process import MockUpstream


@dataclasses.dataclass(frozen=True)
class Setting:
    """Cores and upstream of some scenarios; `prefix` precedes the names of their figures."""

    prefix: str
    loops: int
    proxy_cores: str
    load_cores: str
    upstream: MockUpstream
    # Authority of the upstream's certificate; None if the upstream speaks plain HTTP.
    authority: Path | None = None

    @property
    def scheme(self):
        return "https" if self.authority else "http"


@contextlib.contextmanager
def all_settings(build, folder, cores, names):
    """Yields the settings with these names, each with a mock upstream."""
    with contextlib.ExitStack() as stack:
        start = lambda *arguments: stack.enter_context(MockUpstream(build / "mock_upstream", *arguments))  # noqa: E731
        proxy, load, both = str(cores.proxy), str(cores.load), f"{cores.proxy},{cores.load}"
        settings = {}
        if "" in names:
            settings[""] = Setting("", 1, proxy, load, start(load))
        if "two-loops" in names:
            settings["two-loops"] = Setting("two-loops ", 2, both, both, start(both))
        if "tls" in names:
            authority, certificate = make_certificates(folder)
            settings["tls"] = Setting("tls ", 1, proxy, load, start(load, certificate), authority)
        yield settings
