"""The processes of a run. Each is started by its own command line, pinned to a core, and ended by its id."""

import hashlib
import os
import pwd
import re
import secrets
import select
import signal
import socket
import subprocess
import time
from pathlib import Path


class Failure(Exception):
    """Why the comparison cannot go on."""


class Process:
    """A pinned process that ends with its `with` block."""

    name = "process"

    def __init__(self, core, command, *, folder=None, log=None, environment=None):
        self.log = log
        output = open(log, "ab") if log else subprocess.DEVNULL
        self.child = subprocess.Popen(
            # Should this script die without a chance to clean up, the kernel ends its processes.
            ["setpriv", "--pdeathsig", "TERM", "taskset", "-c", str(core), *map(str, command)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=output, cwd=folder, env=environment)
        self.pid = self.child.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

    def read_line(self, seconds=10):
        """The next line of its output."""
        ready, _, _ = select.select([self.child.stdout], [], [], seconds)
        line = self.child.stdout.readline().decode() if ready else ""
        if not line:
            complaint = Path(self.log).read_text(errors="replace")[-2000:] if self.log else ""
            raise Failure(f"{self.name} did not start: {complaint}")
        return line.strip()

    def cpu_nanoseconds(self):
        """User and system time of all its threads: the clock behind /proc/PID/stat, in nanoseconds instead of ticks."""
        # The kernel's encoding of "the CPU clock of that process" (clock_getcpuclockid).
        return time.clock_gettime_ns((~self.pid << 3) | 2)

    def resident_bytes(self):
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)[1]) * 1024


class MockUpstream(Process):
    name = "the mock upstream"

    def __init__(self, binary, cores):
        super().__init__(cores.load, [binary])
        self.port = int(self.read_line())


class Headgate(Process):
    """One loop, one upstream, one client key, access log in a file."""

    name = "headgate"

    def __init__(self, binary, folder, cores, upstream_port):
        folder.mkdir()
        self.key = secrets.token_urlsafe(24)
        configuration = folder / "headgate.yaml"
        configuration.write_text(f"""\
listen: 127.0.0.1:0
loops: 1
upstreams:
  mock: {{kind: openai, base_url: "http://127.0.0.1:{upstream_port}/v1", api_key: "sk-bench"}}
models:
  "*": {{upstream: mock}}
keys:
  - {{name: bench, sha256: {hashlib.sha256(self.key.encode()).hexdigest()}}}
""")
        super().__init__(
            cores.proxy, [binary, "serve", "--config", configuration], folder=folder, log=folder / "log",
            environment={"HOME": str(folder), "PATH": os.environ.get("PATH", "")})
        self.port = int(self.read_line().rsplit(":", 1)[1])


class Nginx(Process):
    """One worker, no buffering, upstream connections kept, access log in a file, written as seldom as Headgate's."""

    name = "nginx"
    key = "sk-bench"

    def __init__(self, binary, folder, cores, upstream_port):
        folder.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # Started by root its worker would become another user, who cannot write here.
        user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
        temporary = " ".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(f"""\
{user} worker_processes 1; daemon off; pid {folder}/pid; worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
    access_log {folder}/log combined buffer=64k flush=1s;
    {temporary}
    keepalive_requests 1000000000;
    upstream mock {{ server 127.0.0.1:{upstream_port}; keepalive 1024; keepalive_requests 1000000000; }}
    server {{
        listen 127.0.0.1:{self.port};
        location / {{
            proxy_pass http://mock; proxy_http_version 1.1; proxy_buffering off;
            proxy_set_header Connection ""; proxy_set_header Authorization "Bearer sk-bench";
        }}
    }}
}}
""")
        super().__init__(
            cores.proxy, [binary, "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf"], folder=folder,
            log=folder / "errors")
        # Everything is measured on the worker: the master does nothing after the start.
        self.pid = self._worker()

    def _worker(self):
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        for _ in range(200):
            time.sleep(0.02)
            if self.child.poll() is not None:
                break
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0 and (found := children.read_text().split()):
                    return int(found[0])
        raise Failure(f"nginx did not start: {Path(self.log).read_text(errors='replace')[-2000:]}")
