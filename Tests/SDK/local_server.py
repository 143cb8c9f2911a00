"""What a `command:` runs in the tests: local_server.py SOCKET. A chat server on a Unix socket.

It says on its standard output who it is, and answers with a digest of the secret that it was given.
"""

import hashlib
import http.server
import json
import os
import socketserver
import sys
import time

SECRET = hashlib.sha256(os.environ.get("LOCAL_SECRET", "").encode()).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        healthy = self.path == "/health"
        self._answer(200 if healthy else 404, "application/json", b"{}")

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if request["model"] == "crash":
            os._exit(3)
        if request["model"] == "slow":
            time.sleep(0.6)
        answer = json.dumps({"pid": os.getpid(), "secret": SECRET, "variables": sorted(os.environ)})
        choice = {"index": 0, "delta": {"content": answer}, "finish_reason": "stop"}
        events = f"data: {json.dumps({'choices': [choice]})}\n\ndata: [DONE]\n\n"
        self._answer(200, "text/event-stream", events.encode())

    def _answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "gateway"

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    allow_reuse_address = True


if os.path.exists(sys.argv[1]):
    os.unlink(sys.argv[1])
print(f"I am {os.getpid()}", flush=True)
Server(sys.argv[1], Handler).serve_forever()
