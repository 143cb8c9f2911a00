"""Where the proxies run and how they reach the upstream."""

import contextlib
import dataclasses
from pathlib import Path

from .process import MockUpstream


@dataclasses.dataclass(frozen=True)
class Setting:
    """`prefix` stands before the names of its figures."""

    prefix: str
    loops: int
    proxy_cores: str
    load_cores: str
    upstream: MockUpstream
    # Of the certificate that the upstream shows; without one it speaks plain HTTP.
    authority: Path | None = None

    @property
    def scheme(self):
        return "https" if self.authority else "http"


@contextlib.contextmanager
def all_settings(build, folder, cores, names):
    """Those with these names, each with a mock upstream."""
    with contextlib.ExitStack() as stack:
        settings = {}
        if "" in names:
            upstream = stack.enter_context(MockUpstream(build / "mock_upstream", str(cores.load)))
            settings[""] = Setting("", 1, str(cores.proxy), str(cores.load), upstream)
        yield settings
