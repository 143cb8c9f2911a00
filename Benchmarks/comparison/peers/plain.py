"""The floor, and what there would be without any proxy."""

from .proxy import Proxy


class Relay(Proxy):
    """Hands bytes on without reading them: what no proxy on this kernel can do for less."""

    name = "relay"
    title = "TCP relay"
    most_rounds = None

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.start(binary, self.upstream_address, self.upstream_port)
        self.port = int(self.read_line())


class Direct(Proxy):
    """No proxy: the load generator asks the mock upstream itself. Both share one core."""

    name = "direct"
    title = "no proxy"

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.port = self.upstream_port
        self.pids = []

    def __exit__(self, *_):
        pass
