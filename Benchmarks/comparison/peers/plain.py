"""The cheapest possible proxy, and a direct connection."""

from .proxy import Proxy


class Relay(Proxy):
    """Forwards bytes without interpreting them: the lower bound for proxies on this kernel."""

    name = "relay"
    title = "TCP relay"
    most_rounds = None

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.start(binary, self.upstream_address, self.upstream_port)
        self.port = int(self.read_line())


class Direct(Proxy):
    """No proxy: the load generator calls the mock upstream directly. Both share one core."""

    name = "direct"
    title = "no proxy"

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.port = self.upstream_port
        self.pids = []

    def __exit__(self, *_):
        pass
