"""An upstream that streams like a model: word by word, with non-ASCII characters, and at length for a story."""

import http.server
import json
import threading
import time

# Slow enough to be seen as separate pieces, and fast enough for tests.
PACE_SECONDS = 0.02
LINE = ["Grüße, ", "世界 ", "🌍. "] + [f"{number} " for number in range(1, 22)]
STORY = ["word "] * 600
USAGE = {"prompt_tokens": 40, "completion_tokens": 24, "total_tokens": 64}


class PacedUpstream:
    """Serves any model. `mute` reports no usage, `newer` requires the newer name of the token limit, `embedder` has no
    chats, and `late` is still starting at its first request."""

    def __init__(self, pace: float = PACE_SECONDS):
        handler = type("Handler", (Handler,), {"pace": pace, "asked": (asked := [])})
        self.asked = asked
        self._server = Server(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Server(http.server.ThreadingHTTPServer):
    # Maximum number of pending connections.
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        """Ignores errors: in some tests the gateway disconnects in the middle of a response."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, dict(self.headers), request))
        model = request["model"]
        if model == "newer" and "max_tokens" in request:
            message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return self._answer(400, {"error": {"message": message, "type": "invalid_request_error", "param": "max_tokens"}})
        if model == "late" and sum(asked[2]["model"] == "late" for asked in self.asked) == 1:
            return self._answer(503, {"error": {"message": "Loading.", "type": "server_error"}}, {"Retry-After": "1"})
        if model == "embedder":
            return self._answer(400, {"error": {"message": "No chats here.", "type": "invalid_request_error"}})
        if self.path.endswith("/messages"):
            return self._message(request)
        if model == "bogus":
            return self._answer(404, {"error": {"message": "No such model.", "type": "invalid_request_error"}})
        if not request.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": "".join(LINE)}, "finish_reason": "stop"}
            return self._answer(200, self._document("chat.completion", choices=[choice], usage=USAGE))
        self._stream(model, STORY if "story" in request["messages"][0]["content"] else LINE)

    def _stream(self, model: str, words: list):
        self._open()
        self._chunk({"role": "assistant", "content": ""})
        for word in words:
            time.sleep(self.pace)
            self._chunk({"content": word})
        self._chunk({}, finish_reason="stop")
        if model != "mute":
            self._event(self._document("chat.completion.chunk", choices=[], usage=USAGE))
        self._send(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _message(self, request: dict):
        if not request.get("stream"):
            content = [{"type": "text", "text": "".join(LINE)}]
            return self._answer(200, {"type": "message", "id": "msg_1", "role": "assistant", "model": "m", "content": content,
                                      "stop_reason": "end_turn", "usage": {"input_tokens": 4, "output_tokens": 2}})
        self._open()
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
                   "usage": {"input_tokens": 4, "output_tokens": 1}}
        self._typed("message_start", message=message)
        self._typed("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for word in STORY if "story" in request["messages"][0]["content"] else LINE:
            time.sleep(self.pace)
            self._typed("content_block_delta", index=0, delta={"type": "text_delta", "text": word})
        self._typed("content_block_stop", index=0)
        self._typed("message_delta", delta={"stop_reason": "end_turn", "stop_sequence": None}, usage={"output_tokens": 24})
        self._typed("message_stop")
        self.wfile.write(b"0\r\n\r\n")

    def _typed(self, kind: str, **members):
        self._send(f"event: {kind}\ndata: {json.dumps({'type': kind, **members}, ensure_ascii=False)}\n\n".encode())

    def _document(self, kind: str, **members) -> dict:
        return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "m", **members}

    def _chunk(self, delta: dict, finish_reason=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        self._event(self._document("chat.completion.chunk", choices=[choice]))

    def _event(self, document: dict):
        self._send(f"data: {json.dumps(document, ensure_ascii=False)}\n\n".encode())

    def _open(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send(self, data: bytes):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _answer(self, status: int, document: dict, fields: dict = {}):
        body = json.dumps(document, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
