"""An OpenTelemetry trace collector that validates everything against the protocol's schema."""

import base64
import gzip
import http.server
import json
import threading

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

PATH = "/v1/traces"


class Collector:
    """Accepts spans on 127.0.0.1. `answers` lists the status and headers of the next responses; later ones are 200."""

    def __init__(self, port: int = 0):
        self.exports = []
        self.answers = []
        self.problems = []
        # Responses are held back while this event is not set.
        self.stall = threading.Event()
        self.stall.set()
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, fields, answer = collector.answers.pop(0) if collector.answers else (200, {}, b"{}")
                if status == 200:
                    collector._take(self.path, self.headers, body)
                collector.stall.wait()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **fields}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                # The gateway can disconnect before the response.
                pass

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _take(self, path: str, headers, body: bytes):
        try:
            assert path == PATH and headers["Content-Type"] == "application/json", (path, dict(headers))
            text = gzip.decompress(body) if headers["Content-Encoding"] == "gzip" else body
            self.exports.append((dict(headers), parsed(json.loads(text))))
        except Exception as error:
            self.problems.append(error)

    def spans(self) -> list:
        """Returns all spans, each with its attributes as `facts`."""
        assert not self.problems, self.problems
        return [
            Span(span) for _, request in list(self.exports) for resource in request.resource_spans
            for scope in resource.scope_spans for span in scope.spans]

    def close(self):
        self.stall.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def parsed(document: dict) -> ExportTraceServiceRequest:
    """Parses a document by the schema. An unknown member or a value of another type is an error."""
    for resource in document["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                # Ids are hexadecimal in OTLP, but base64 in every other JSON form of protobuf.
                for name, length in [("traceId", 16), ("spanId", 8), ("parentSpanId", 8)]:
                    if name in span:
                        octets = bytes.fromhex(span[name])
                        assert len(octets) == length and any(octets), span[name]
                        span[name] = base64.b64encode(octets).decode()
    return json_format.ParseDict(document, ExportTraceServiceRequest())


class Span:
    def __init__(self, span):
        self.name, self.kind, self.status = span.name, span.kind, span.status
        self.trace, self.id, self.parent = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
        self.state, self.flags = span.trace_state, span.flags
        self.start, self.end = span.start_time_unix_nano, span.end_time_unix_nano
        self.facts = {each.key: value(each.value) for each in span.attributes}
        self.events = [each.name for each in span.events]
        assert len(self.facts) == len(span.attributes), "an attribute stands twice"
        assert 0 < self.start <= self.end
        assert all(self.start <= each.time_unix_nano <= self.end for each in span.events), span

    @property
    def is_server(self) -> bool:
        return self.kind == 2

    @property
    def error(self) -> str | None:
        return self.status.message if self.status.code == 2 else None


def value(any_value):
    kind = any_value.WhichOneof("value")
    inner = getattr(any_value, kind)
    return [value(each) for each in inner.values] if kind == "array_value" else inner
