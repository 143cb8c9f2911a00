"""HAProxy as a reverse proxy."""

from .proxy import Proxy, free_port


class HAProxy(Proxy):
    """All clients share upstream connections; log lines go to a ring in memory, never to a file."""

    name = "haproxy"
    title = "HAProxy"

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.port = free_port()
        (folder / "haproxy.cfg").write_text(f"""\
global
    nbthread {setting.loops}
    maxconn 9900
    log ring@requests local0
ring requests
    format raw
    maxlen 1200
    size 1048576
defaults
    mode http
    log global
    option httplog
    option http-no-delay
    http-reuse always
    timeout connect 10s
    timeout client 120s
    timeout server 120s
frontend clients
    bind 127.0.0.1:{self.port}
    default_backend mock
backend mock
    http-request set-header Authorization "Bearer sk-bench"
    server mock {self.upstream} pool-purge-delay 120s
""")
        self.start(binary, "-db", "-f", folder / "haproxy.cfg", gathers_output=True)
        self.wait_for_port()
