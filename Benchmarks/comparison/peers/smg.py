"""smg (Shepherd Model Gateway): an OpenAI-compatible gateway in Rust."""

import os
import urllib.request

from .proxy import Proxy, free_port


class Smg(Proxy):
    """One worker that is known from the start, no client key, and no log line per request."""

    name = "smg"
    title = "smg"
    share = 1 / 4

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.port = free_port()
        self.start(
            binary, "launch", "--host", "127.0.0.1", "--port", self.port, "--worker-urls", f"http://{self.upstream}",
            "--backend", "openai", "--policy", "round_robin", "--log-level", "warn", "--prometheus-host", "127.0.0.1",
            "--prometheus-port", free_port(), "--max-concurrent-requests", 0, gathers_output=True,
            environment={
                "HOME": str(folder), "PATH": os.environ.get("PATH", ""), "TOKIO_WORKER_THREADS": str(setting.loops)})
        # smg listens before it has found its worker.
        self.wait_until(self._serves, 30)

    def _serves(self):
        body = b'{"model":"mock","messages":[{"role":"user","content":"request=0 events=0"}]}'
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/chat/completions", body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False
