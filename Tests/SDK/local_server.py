"""Program for a `command:` in the tests: local_server.py SOCKET. A chat server on a Unix socket.

It identifies itself on its standard output, and responds with a digest of its secret. With LOCAL_LOCK it ends at
once if another program holds that file, and with LOCAL_DELAY it takes that many seconds to start.
"""

import fcntl
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
        if request["model"] == "refuse":
            body = json.dumps({"error": {"message": "the context is full", "type": "invalid_request_error"}})
            return self._answer(400, "application/json", body.encode())
        if request["model"] == "long":
            return self._answer_for_long()
        answer = json.dumps({"pid": os.getpid(), "secret": SECRET, "variables": sorted(os.environ)})
        choice = {"index": 0, "delta": {"content": answer}, "finish_reason": "stop"}
        events = f"data: {json.dumps({'choices': [choice]})}\n\ndata: [DONE]\n\n"
        self._answer(200, "text/event-stream", events.encode())

    def _answer_for_long(self):
        """Streams until the test writes a file."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        choice = {"index": 0, "delta": {"content": "begun"}, "finish_reason": None}
        self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
        while not os.path.exists(os.environ["LOCAL_END"]):
            time.sleep(0.02)
        choice = {"index": 0, "delta": {"content": " and ended"}, "finish_reason": "stop"}
        self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\ndata: [DONE]\n\n".encode())
        self.close_connection = True

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


if "LOCAL_LOCK" in os.environ:
    lock = open(os.environ["LOCAL_LOCK"], "a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another program runs", flush=True)
        os._exit(9)
time.sleep(float(os.environ.get("LOCAL_DELAY", "0")))
if os.path.exists(sys.argv[1]):
    os.unlink(sys.argv[1])
print(f"I am {os.getpid()}", flush=True)
Server(sys.argv[1], Handler).serve_forever()
