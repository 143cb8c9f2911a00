"""An upstream over TLS that streams the same response to every POST: tls_upstream.py <certificate> <key>"""

import http.server
import json
import ssl
import sys


def event(content, finish_reason):
    choice = {"index": 0, "delta": content, "finish_reason": finish_reason}
    return "data: " + json.dumps({"object": "chat.completion.chunk", "choices": [choice]}) + "\n\n"


ANSWER = (event({"content": "Hello."}, None) + event({}, "stop") + "data: [DONE]\n\n").encode()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*sys.argv[1:])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(f"listening on localhost:{server.server_port}", flush=True)
server.serve_forever()
