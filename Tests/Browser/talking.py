"""An upstream that the test controls word by word, and that notices when the gateway disconnects."""

import http.server
import json
import queue
import threading

# Seconds to wait for events that must happen.
PATIENCE_SECONDS = 60
EVENTS = "text/event-stream"


class TalkingUpstream:
    """Listens on 127.0.0.1. Each request waits, as a Talk, for the test's response."""

    def __init__(self):
        self._talks = queue.Queue()
        # The models that the upstream lists.
        self.models = []
        handler = type("Handler", (_Handler,), {"talks": self._talks, "upstream": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def next(self) -> "Talk":
        """Waits for the next request, and returns it."""
        return self._talks.get(timeout=PATIENCE_SECONDS)

    @property
    def is_quiet(self) -> bool:
        return self._talks.empty()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Talk:
    """One request and its response. Every method returns at once; the response ends with finish(), cut() or fail()."""

    def __init__(self, handler, body: bytes):
        self.path = handler.path
        self.request = json.loads(body)
        self.is_over = threading.Event()
        self._handler = handler
        self._has_begun = False

    @property
    def said(self) -> list:
        return [(message["role"], message["content"]) for message in self.request["messages"]]

    def say(self, *texts, **delta):
        """Sends an event for each text, and one for the other members of a delta."""
        for each in [{"content": text} for text in texts] + ([delta] if delta else []):
            self.event({"choices": [{"index": 0, "delta": each, "finish_reason": None}]})

    def event(self, document: dict):
        common = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "talker"}
        self._send(f"data: {json.dumps({**common, **document})}\n\n".encode())

    def finish(self, prompt: int = 9, completion: int = 7, reason: str = "stop"):
        self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        self.event({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}})
        self._send(b"data: [DONE]\n\n")
        self._handler.wfile.write(b"0\r\n\r\n")
        self.is_over.set()

    def mark(self):
        """Sends the end marker of Chat Completions."""
        self._send(b"data: [DONE]\n\n")

    def message_event(self, kind: str, **members):
        """Sends an event of Anthropic's Messages."""
        self._send(f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode())

    def message_text(self, *texts):
        for text in texts:
            self.message_event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})

    def message_start(self, prompt: int = 9):
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": prompt, "output_tokens": 1}}
        self.message_event("message_start", message=message)
        self.message_event("content_block_start", index=0, content_block={"type": "text", "text": ""})

    def message_finish(self, reason: str = "end_turn", completion: int = 7):
        self.message_event("content_block_stop", index=0)
        delta = {"stop_reason": reason, "stop_sequence": None}
        self.message_event("message_delta", delta=delta, usage={"output_tokens": completion})
        self.message_event("message_stop")
        self._handler.wfile.write(b"0\r\n\r\n")
        self.is_over.set()

    def answer(self, text: str, **usage):
        """Sends the whole response."""
        self.say(text)
        self.finish(**usage)

    def cut(self):
        """Closes the connection in the middle of the response."""
        self._begin()
        self._handler.close_connection = True
        self.is_over.set()

    def fail(self, status: int, message, **headers):
        body = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
        self._handler.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()
        self._handler.wfile.write(body)
        self.is_over.set()

    def is_left(self) -> bool:
        """Waits until the other side closes the connection; returns whether it has."""
        self._handler.connection.settimeout(PATIENCE_SECONDS)
        try:
            return self._handler.connection.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False
        finally:
            self._handler.close_connection = True
            self.is_over.set()

    def _begin(self):
        if self._has_begun:
            return
        self._has_begun = True
        self._handler.send_response(200)
        self._handler.send_header("Content-Type", EVENTS)
        self._handler.send_header("Transfer-Encoding", "chunked")
        self._handler.end_headers()

    def _send(self, data: bytes):
        self._begin()
        self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    talks: queue.Queue
    upstream: TalkingUpstream

    def do_GET(self):
        body = json.dumps({"object": "list", "data": [{"id": name, "type": "model"} for name in self.upstream.models]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def do_POST(self):
        talk = Talk(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))
        self.talks.put(talk)
        talk.is_over.wait(PATIENCE_SECONDS * 2)

    def log_message(self, *_):
        pass
