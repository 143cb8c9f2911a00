"""nginx as a blind reverse proxy."""

import os
from pathlib import Path

from .proxy import Proxy, free_port, user_name


class Nginx(Proxy):
    """No buffering, upstream keep-alive, and an access log in a file that is written as rarely as Headgate's."""

    name = "nginx"
    title = "nginx"
    most_rounds = None

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.port = free_port()
        # If nginx is started as root, its worker would switch to a user that cannot write here.
        user = f"user {user_name()};" if os.geteuid() == 0 else ""
        temporary = " ".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # nginx's default protocols do not include TLS 1.3.
        tls = (
            f"proxy_ssl_verify on; proxy_ssl_trusted_certificate {setting.authority}; proxy_ssl_session_reuse on; "
            "proxy_ssl_name localhost; proxy_ssl_server_name on; proxy_ssl_protocols TLSv1.2 TLSv1.3;"
            if setting.authority else "")
        (folder / "nginx.conf").write_text(f"""\
{user} worker_processes {setting.loops}; daemon off; pid {folder}/pid; worker_rlimit_nofile 20000;
events {{ worker_connections 20000; }}
http {{
    access_log {folder}/log combined buffer=64k flush=1s;
    {temporary}
    keepalive_requests 1000000000;
    upstream mock {{ server {self.upstream}; keepalive 1024; keepalive_requests 1000000000; }}
    server {{
        listen 127.0.0.1:{self.port};
        location / {{
            proxy_pass {setting.scheme}://mock; proxy_http_version 1.1; proxy_buffering off; {tls}
            proxy_set_header Connection ""; proxy_set_header Authorization "Bearer sk-bench";
        }}
    }}
}}
""")
        self.start(binary, "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf")
        self.wait_for_port()
        # Only the workers are measured, because the master is idle after the start.
        children = Path(f"/proc/{self.child.pid}/task/{self.child.pid}/children")
        found = self.wait_until(lambda: [pid for pid in children.read_text().split()][setting.loops - 1:])
        self.pids = [int(pid) for pid in children.read_text().split()] if found else []
