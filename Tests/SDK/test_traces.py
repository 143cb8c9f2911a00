"""Traces as a collector receives them: valid, true to the requests, and never at the requests' expense."""

import http.server
import json
import threading
import time

import pytest

from collectors import Collector
from gateways import KEY, KEYS, command, gateways, key_line, wait_until  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS
from prometheus import Prometheus
from upstreams import Upstream, free_port

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
CHAT = "/v1/chat/completions"
# Variables that make the gateway send spans soon.
SOON = {"OTEL_BSP_SCHEDULE_DELAY": "20"}


@pytest.fixture
def collector():
    collector = Collector()
    yield collector
    collector.close()


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


def configuration(upstream, tracing: str) -> str:
    return f"""
listen: 127.0.0.1:0
metrics: true
{tracing}
upstreams:
  one: {{kind: openai, base_url: "{upstream.url}", api_key: "real-upstream-key"}}
  dead: {{kind: openai, base_url: "http://127.0.0.1:9/v1", api_key: "real-upstream-key"}}
models:
  plain: {{upstream: one, model: words}}
  gated: {{upstream: one}}
  cached: {{upstream: one, model: words, cache: {{ttl: 1h}}}}
  routed:
    targets: [{{upstream: dead, model: lost}}, {{upstream: one, model: words}}]
    retry: {{attempts: 2, backoff: 1ms}}
keys: [{key_line()[:-1]}, admin: true}}]
"""


def start(gateways, upstream, collector, more: str = "", **variables):  # noqa: F811
    tracing = f'tracing: {{otlp: "{collector.url}"{more}}}'
    return gateways.start(configuration(upstream, tracing), **{**SOON, **variables})


def chat(gateway, model: str = "plain", stream: bool = False, **fields):
    with gateway.connect() as connection:
        document = {"model": model, "stream": stream, "temperature": 0, "messages": [{"role": "user", "content": "Hi."}]}
        return connection.ask("POST", CHAT, document, **fields)


def metric(gateway, name: str) -> int:
    with gateway.connect() as connection:
        lines = connection.ask("GET", "/metrics").body.decode().splitlines()
    return next(int(float(line.split()[-1])) for line in lines if line.startswith(name + " "))


def spans_of(collector, path: str = CHAT, count: int = 1):
    """Returns the spans of `count` requests, each with its attempts."""
    def found():
        spans = collector.spans()
        servers = [span for span in spans if span.is_server and span.facts.get("http.route") == path]
        return len(servers) >= count and [
            (server, sorted((each for each in spans if each.parent == server.id), key=lambda span: span.start))
            for server in servers]
    return wait_until(found, f"spans of {count} requests")


@pytest.mark.parametrize("compression", ["gzip", "none"])
def test_streamed_request_is_a_trace_of_two_spans(gateways, upstream, collector, compression):
    gateway = start(
        gateways, upstream, collector, f", compression: {compression}, service: gate, headers: {{x-key: secret-of-collector}}",
        OTEL_RESOURCE_ATTRIBUTES="deployment.environment=test")
    answer = chat(gateway, stream=True, traceparent=PARENT, tracestate="v=1")
    assert answer.body.endswith(b"data: [DONE]\n\n")
    [(server, [attempt])] = spans_of(collector)
    assert server.trace == attempt.trace == PARENT.split("-")[1] and server.parent == PARENT.split("-")[2]
    assert (server.flags, attempt.flags, server.state, attempt.state) == (0x301, 0x101, "v=1", "v=1")
    assert server.start <= attempt.start <= attempt.end <= server.end
    assert (server.name, attempt.name, attempt.kind) == (f"POST {CHAT}", "chat words", 3)
    assert server.events == attempt.events == ["first_content"]
    assert attempt.facts["gen_ai.request.stream"] is True and attempt.facts["gen_ai.request.temperature"] == 0
    assert attempt.facts["gen_ai.response.finish_reasons"] == ["stop"]
    assert attempt.facts["gen_ai.response.model"] == "m" and attempt.facts["gen_ai.response.id"] == "chatcmpl-1"
    assert attempt.facts["server.port"] == upstream.port and attempt.facts["server.address"] == "127.0.0.1"
    assert attempt.facts["gen_ai.response.time_to_first_chunk"] > 0
    assert server.facts["http.response.status_code"] == 200 and server.facts["headgate.key"] == "test"
    assert abs(server.end / 1e9 - time.time()) < PATIENCE_SECONDS
    fields, export = collector.exports[0]
    assert fields["x-key"] == "secret-of-collector" and fields.get("Content-Encoding") == (
        "gzip" if compression == "gzip" else None)
    resource = {each.key: each.value.string_value for each in export.resource_spans[0].resource.attributes}
    assert resource["service.name"] == "gate" and resource["deployment.environment"] == "test"
    # The upstream receives the attempt's span as its parent.
    sent = {name.lower(): value for name, value in upstream.requests[-1][1].items()}
    assert sent["traceparent"] == f"00-{attempt.trace}-{attempt.id}-01" and sent["tracestate"] == "v=1"
    # The request's log line contains the trace's id.
    line = json.loads(gateway.wait_for_log(r'^\{.*"trace_id".*\}$')[0])
    assert line["trace_id"] == server.trace and line["request_id"] == server.facts["headgate.request_id"]
    assert "secret-of-collector" not in gateway.log_after_exit()


def test_failing_attempt_and_the_next_are_both_in_the_trace(gateways, upstream, collector):
    gateway = start(gateways, upstream, collector)
    assert chat(gateway, "routed").status == 200
    [(server, [first, second])] = spans_of(collector)
    assert {first.trace, second.trace} == {server.trace} and first.id != second.id
    assert (first.facts["headgate.upstream"], second.facts["headgate.upstream"]) == ("dead", "one")
    assert first.error == first.facts["error.type"] == "upstream_connect" and second.error is None
    assert first.end <= second.start and second.facts["http.request.resend_count"] == 1
    assert server.error is None and server.events == ["retry", "first_content"]


def test_client_disconnect_is_recorded_as_such(gateways, upstream, collector):
    gateway = start(gateways, upstream, collector)
    with gateway.connect() as connection:
        connection.stream("gated").next_text()
    # Either of the two spans can end first.
    wait_until(lambda: spans_of(collector)[0][1], "the attempt")
    [(server, [attempt])] = spans_of(collector)
    assert server.facts["headgate.outcome"] == "client_gone" == server.facts["error.type"] and server.error is None
    assert attempt.error == "client_gone"


def test_cached_answer_has_no_attempt(gateways, upstream, collector):
    gateway = start(gateways, upstream, collector)
    assert [chat(gateway, "cached").headers["x-headgate-cache"] for _ in range(2)] == ["miss", "hit"]
    (miss, asked), (hit, none) = spans_of(collector, count=2)
    assert (miss.facts["headgate.cache"], hit.facts["headgate.cache"]) == ("miss", "hit")
    assert len(asked) == 1 and not none
    assert miss.events[0] == hit.events[0] == "cache"


def test_prompts_are_recorded_only_on_request(gateways, upstream, collector):
    gateway = start(gateways, upstream, collector, ", content: true")
    chat(gateway, stream=True)
    [(_, [attempt])] = spans_of(collector)
    [asked], [answered] = (json.loads(attempt.facts[f"gen_ai.{side}.messages"]) for side in ("input", "output"))
    assert asked == {"role": "user", "parts": [{"type": "text", "content": "Hi."}]}
    assert answered["role"] == "assistant" and answered["parts"] == [{"type": "text", "content": "Hello, wörld"}]


def test_environment_turns_it_on_and_off(gateways, upstream, collector):
    text = configuration(upstream, "")
    gateway = gateways.start(text, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_SERVICE_NAME="theirs", **SOON)
    gateway.wait_for_log(f"^  traces: spans go to {collector.url}/v1/traces$")
    chat(gateway)
    spans_of(collector)
    assert chat(gateway, traceparent=PARENT.replace("-01", "-00")).status == 200
    off = gateways.start(
        text, "off", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_SDK_DISABLED="true", **SOON)
    chat(off, traceparent=PARENT)
    assert "traces:" not in off.log_after_exit()
    assert "traceparent" not in {name.lower() for name in upstream.requests[-1][1]}
    gateway.stop()
    assert len([span for span in collector.spans() if span.is_server and span.facts.get("http.route") == CHAT]) == 1


def test_dead_collector_costs_only_spans_and_is_reported_once(gateways, upstream, collector):
    gateway = start(gateways, upstream, collector, OTEL_BSP_EXPORT_TIMEOUT="100")
    collector.close()
    for _ in range(5):
        assert chat(gateway).status == 200
    wait_until(lambda: metric(gateway, "headgate_spans_dropped_total") >= 10, "lost spans")
    again = Collector(collector.port)
    try:
        def sent():
            chat(gateway)
            return again.spans()
        wait_until(sent, "spans after the collector is back")
        gateway.wait_for_log("spans are sent to .* again; [0-9]+ were lost")
        assert gateway.log_after_exit().count("spans cannot be sent to") == 1
    finally:
        again.close()


def test_stalled_collector_delays_no_one(gateways, upstream, collector):
    collector.stall.clear()
    gateway = start(gateways, upstream, collector, ", timeout: 200ms", OTEL_BSP_EXPORT_TIMEOUT="100")
    for _ in range(5):
        assert chat(gateway).status == 200
    gateway.wait_for_log("spans cannot be sent to .*: no answer within")
    assert chat(gateway).status == 200


def test_busy_collector_gets_the_spans_again_after_its_delay(gateways, upstream, collector):
    collector.answers = [(503, {"Retry-After": "1"}, b"")]
    gateway = start(gateways, upstream, collector)
    begun = time.monotonic()
    chat(gateway)
    spans_of(collector)
    assert time.monotonic() - begun >= 1
    gateway.wait_for_log("spans are sent to .* again; 0 were lost")
    assert metric(gateway, "headgate_spans_dropped_total") == 0


@pytest.mark.parametrize("answer, lost", [
    ((400, {}, b"{}"), 2), ((200, {}, b'{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too odd"}}'), 1)])
def test_refused_spans_are_counted(gateways, upstream, collector, answer, lost):
    collector.answers = [answer]
    gateway = start(gateways, upstream, collector)
    chat(gateway)
    wait_until(lambda: metric(gateway, "headgate_spans_dropped_total") >= lost, "the refused spans")
    gateway.wait_for_log("status 400" if lost == 2 else "rejected 1 spans, and maybe more: too odd")


def test_spans_above_the_queue_are_lost_and_counted(gateways, upstream, collector):
    collector.stall.clear()
    gateway = start(
        gateways, upstream, collector, ", timeout: 1m", OTEL_BSP_MAX_QUEUE_SIZE="100", OTEL_BSP_MAX_EXPORT_BATCH_SIZE="10")
    with gateway.connect() as connection:
        for _ in range(1000):
            connection.ask("GET", "/v1/models")
    # A hundred spans are in the queue, and a batch is on its way.
    wait_until(lambda: metric(gateway, "headgate_spans_dropped_total") >= 1000 - 100 - 10, "lost spans")
    collector.stall.set()
    wait_until(lambda: len(collector.spans()) + metric(gateway, "headgate_spans_dropped_total") == 1000, "the others")


def test_shutdown_sends_pending_spans(gateways, upstream, collector):
    gateway = start(gateways, upstream, collector, OTEL_BSP_SCHEDULE_DELAY="3600000")
    chat(gateway)
    assert not collector.exports
    gateway.stop()
    assert len(collector.spans()) == 2


def test_reload_turns_tracing_on_and_off(gateways, upstream, collector):
    gateway = gateways.start(configuration(upstream, ""), **SOON)
    chat(gateway, traceparent=PARENT)
    gateway.write(configuration(upstream, f'tracing: {{otlp: "{collector.url}"}}'))
    assert gateway.reload().returncode == 0
    chat(gateway, traceparent=PARENT)
    spans_of(collector)
    gateway.write(configuration(upstream, ""))
    assert gateway.reload().returncode == 0
    chat(gateway, traceparent=PARENT)
    gateway.stop()
    assert len([span for span in collector.spans() if span.facts.get("http.route") == CHAT]) == 1


def test_exemplars_lead_a_real_prometheus_to_the_trace(gateways, upstream, collector):
    gateway = start(gateways, upstream, collector)
    prometheus = Prometheus(gateway.folder, gateway.urls[0].removeprefix("http://"))
    try:
        chat(gateway, stream=True, traceparent=PARENT)
        name = "gen_ai_server_time_to_first_token_seconds_bucket"
        labels, value = wait_until(lambda: prometheus.exemplars(name), "an exemplar")[0]
        assert labels == {"trace_id": PARENT.split("-")[1]} and 0 < value < PATIENCE_SECONDS
        assert prometheus.number("headgate_spans_dropped_total") == 0
    finally:
        prometheus.stop()


def test_check_shows_the_effective_tracing(tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text(
        "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:9/v1\"}}\nmodels: {\"*\": {upstream: a}}\n"
        "tracing: {sample: 0.5, headers: {authorization: very-secret}}\n")
    checked = command(
        tmp_path, "check", "--config", path, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:4318",
        OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf")
    assert checked.returncode == 0, checked.stderr
    assert "tracing.otlp: http://127.0.0.1:4318" in checked.stdout and "OTEL_EXPORTER_OTLP_ENDPOINT" in checked.stdout
    assert "tracing.sample: 0.5" in checked.stdout and "very-secret" not in checked.stdout + checked.stderr
    assert "OTEL_EXPORTER_OTLP_PROTOCOL has no effect: spans are sent as http/json" in checked.stderr
    refused = command(
        tmp_path, "check", "--config", path, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:4317",
        OTEL_EXPORTER_OTLP_PROTOCOL="grpc")
    assert refused.returncode == 78 and "http/json alone" in refused.stderr


def test_check_asks_the_collector(tmp_path, collector):
    path = tmp_path / "headgate.yaml"
    path.write_text("upstreams: {device: {kind: on-device}}\nmodels: {m: {upstream: device}}\n")
    # A server that accepts no spans.
    foreign = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    threading.Thread(target=foreign.serve_forever, daemon=True).start()

    def check(url: str):
        return command(tmp_path, "check", "--live", "--quiet", "--config", path, OTEL_EXPORTER_OTLP_ENDPOINT=url)

    dead = check("http://127.0.0.1:9")
    assert "traces: FAILED: http://127.0.0.1:9/v1/traces cannot take spans now: connect" in dead.stdout, dead
    assert dead.returncode == 1 and "the collector of traces does not work" in dead.stderr
    wrong = check(f"http://127.0.0.1:{foreign.server_port}")
    foreign.shutdown()
    assert "/v1/traces takes no spans: status 501" in wrong.stdout and wrong.returncode == 1, wrong
    live = check(collector.url)
    assert live.returncode == 0 and "traces:" not in live.stdout, live
    assert not collector.spans()


def test_doctor_reports_whether_the_collector_accepts_spans(gateways, upstream, collector):
    # The port is fixed, so that the doctor finds the gateway.
    listen = f"listen: 127.0.0.1:{free_port()}"
    untraced = configuration(upstream, "").replace("listen: 127.0.0.1:0", listen)
    gateway = gateways.start(f'{untraced}tracing: {{otlp: "{collector.url}"}}\n', **SOON)

    def examined(**variables) -> dict:
        result = command(
            gateway.folder, "doctor", "--json", "--model", "plain", "--config", gateway.path, HEADGATE_KEY=KEY, **variables)
        checks = {check["id"]: check for check in json.loads(result.stdout)["checks"]}
        return checks["traces"]

    taken = examined()
    assert taken["verdict"] == "ok" and f"{collector.url}/v1/traces takes spans (" in taken["measured"], taken
    assert "headgate.yaml" in taken["measured"]
    gateway.write(untraced)
    lost = examined(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="http://127.0.0.1:9")
    assert lost["verdict"] == "warning" and "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" in lost["measured"], lost
