"""Metrics as Prometheus reads them: its checker accepts them, and their sums equal those of the log."""

import collections
import http.client
import json
import random
import re
import subprocess
import threading

import pytest

from conftest import REPOSITORY
from exchanges import MODELS
from gateways import KEY, gateways, key_line, wait_until  # noqa: F401  (a fixture)
from patience import PATIENCE_SECONDS, RUN_SECONDS
from prometheus import Prometheus, problems

REQUESTS = 4_000
CLIENTS = 40
UPSTREAM = 'upstreams: {local: {kind: openai, base_url: "http://127.0.0.1:9/v1"}}\n'
# Prices of some models; the costs of others are unknown.
PRICES = 'models: {scripted-chat: {input: 0.7, output: 1.3}, "any-*": {input: 10, output: 100}}\n'
# Number of requests per thousand whose client disconnects during a stream.
LEAVING = 30
ASKED = [*MODELS, "cached", "routed", "hurried", "unheard-of", "any-thing", "any-other"]


@pytest.fixture
def gateway(gateways, upstream, upstream_key):  # noqa: F811
    (gateways.folder / "prices.yaml").write_text(PRICES)
    models = "".join(f"  {public}: {{upstream: scripted, model: {name}}}\n" for public, name in MODELS.items())
    return gateways.start(f"""
listen: 127.0.0.1:0
metrics: true
upstreams:
  scripted: {{kind: openai, base_url: "http://{upstream}/v1", api_key: "${{SDK_TEST_UPSTREAM_KEY}}"}}
  second: {{kind: openai, base_url: "http://{upstream}/v1", api_key: "${{SDK_TEST_UPSTREAM_KEY}}", max_in_flight: 8}}
  third: {{kind: openai, base_url: "http://{upstream}/v1", api_key: "${{SDK_TEST_UPSTREAM_KEY}}"}}
models:
{models}
  cached: {{upstream: scripted, model: scripted-chat, cache: {{ttl: 1h}}}}
  routed:
    targets: [{{upstream: scripted, model: scripted-cut}}, {{upstream: second, model: scripted-chat}}]
    retry: {{attempts: 3, backoff: 1ms, budget: 100%}}
  hurried:
    targets: [{{upstream: third, model: scripted-busy}}, {{upstream: second, model: scripted-chat}}]
    retry: {{attempts: 2, backoff: 1ms, budget: 100%}}
  "any-*": {{upstream: second}}
keys: [{key_line()[:-1]}, admin: true}}]
fault_injection:
  enabled: true
  rules:
    - {{model: chat, percent: 5, fault: {{cut_after_events: 2}}}}
    - {{model: chat, percent: 5, fault: {{status: 500}}}}
    - {{model: routed, upstream: second, percent: 10, fault: {{error_in_200: true}}}}
prices: prices.yaml
counters: "redis+unix:///nowhere/redis.sock"
""", SDK_TEST_UPSTREAM_KEY=upstream_key, HEADGATE_LEDGER="")


def ask(gateway, count: int, seed: int, failures: list):
    """Sends mixed requests over one client's connections, and abandons some of them."""
    choice = random.Random(seed)
    connection = None
    try:
        for _ in range(count):
            connection = connection or http.client.HTTPConnection(
                gateway.urls[0].removeprefix("http://"), timeout=PATIENCE_SECONDS)
            kind = choice.randrange(1000)
            headers = {"Authorization": "Bearer wrong" if kind >= 990 else f"Bearer {KEY}", "Content-Type": "application/json"}
            if kind >= 970:
                connection.request("GET", "/nowhere" if kind % 2 else "/v1/models", headers=headers)
            else:
                document = {
                    "model": choice.choice(ASKED), "stream": kind < 600, "temperature": 0,
                    "messages": [{"role": "user", "content": "Say hello."}]}
                connection.request("POST", "/v1/chat/completions", json.dumps(document), headers)
            response = connection.getresponse()
            # A client that leaves disconnects only when the gateway certainly has the request.
            body = b"" if kind < LEAVING else read(response)
            # The gateway closes the connection of a stream that broke.
            if response.will_close or kind < 600 and not body.endswith(b"data: [DONE]\n\n"):
                connection.close()
                connection = None
    except Exception as error:
        failures.append(error)


def read(response) -> bytes:
    try:
        return response.read()
    except http.client.IncompleteRead as error:
        return error.partial


def load(gateway):
    failures = []
    threads = [
        threading.Thread(target=ask, args=(gateway, REQUESTS // CLIENTS, seed, failures)) for seed in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def model_label(line: dict) -> str:
    model = line.get("model", "")
    if model.startswith("any-"):
        return "any-*"
    # An unknown model appears only as an error.
    return "other" if line.get("error") == "model_not_found" else model


# Maps error codes of the log to the upstream's statuses, which the metrics show instead.
ANSWERS = {"upstream_auth": "status_401", "rate_limit_exceeded": "status_429"}


def cause(line: dict) -> str:
    """Returns the cause of a failed request or attempt. The model `routed` fails with errors inside successful
    responses."""
    if line.get("error") == "fault_injected":
        return "status_500" if line.get("status") == 500 else "upstream_error"
    return ANSWERS.get(line.get("error", ""), line.get("error", ""))


def is_sent(line: dict) -> bool:
    """Returns whether an upstream has responded, or is to blame for the lack of a response."""
    return "attempts" in line or "upstream" in line and ("upstream_status" in line or line["outcome"] == "upstream_failed")


# The load occupies every processor, and scrapes must be served in time.
@pytest.mark.serial
def test_sums_of_a_real_prometheus_are_those_of_the_log_and_the_ledger(gateway):
    prometheus = Prometheus(gateway.folder, gateway.urls[0].removeprefix("http://"))
    try:
        load(gateway)
        lines = [json.loads(line[0]) for line in gateway.wait_for_logs(r"^\{.*\}\n", REQUESTS)]
        assert len(lines) == REQUESTS
        wait_until(lambda: prometheus.number("sum(headgate_requests_total)") == REQUESTS, "a scrape of all requests")
        compare(prometheus, lines)
        compare_with_the_ledger(gateway, prometheus, lines)
        with gateway.connect() as connection:
            assert problems(connection.ask("GET", "/metrics").body) == ""
        assert prometheus.number("up") == 1 and prometheus.number("scrape_samples_scraped") > 100
    finally:
        prometheus.stop()


def compare(prometheus, lines: list):
    requests, attempts, tokens = collections.Counter(), collections.Counter(), collections.Counter()
    for line in lines:
        name = line["operation"], model_label(line), line.get("upstream", ""), line["outcome"], cause(line)
        requests[name] += 1
        if "attempts" in line:
            for attempt in line["attempts"]:
                attempts[attempt["upstream"], cause(attempt) or "ok"] += 1
        elif is_sent(line):
            attempts[line["upstream"], cause(line) or "ok"] += 1
        elif "upstream" in line and line["outcome"] == "client_gone":
            attempts[line["upstream"], "client_gone"] += 1
        for type, member in [("input", "prompt_tokens"), ("output", "completion_tokens")]:
            tokens[model_label(line), type] += line.get(member, 0)
    assert len(requests) >= 15, "the load has become too uniform to show anything"
    assert counted(prometheus, "headgate_requests_total", "operation", "model", "upstream", "outcome", "cause") == requests
    assert counted(prometheus, "headgate_attempts_total", "upstream", "result") == attempts
    assert counted(
        prometheus, "sum by (gen_ai_request_model, gen_ai_token_type) (gen_ai_client_token_usage_sum)",
        "gen_ai_request_model", "gen_ai_token_type") == +tokens
    results = collections.Counter(line["cache"] for line in lines if "cache" in line)
    assert results["hit"] > 0 and counted(prometheus, "headgate_cache_requests_total", "result") == results
    sums = {
        "headgate_retries_total": sum(max(0, len(line.get("attempts", [])) - 1) for line in lines),
        "headgate_received_bytes_total": sum(line["bytes_in"] for line in lines),
        "headgate_sent_bytes_total": sum(line["bytes_out"] for line in lines),
        "sum(gen_ai_client_operation_duration_seconds_count)": sum(is_sent(line) for line in lines),
        "sum(gen_ai_server_time_to_first_token_seconds_count)": sum(
            "ttft_ms" in line and "stream" in line and "upstream" in line for line in lines),
        "sum(headgate_requests_in_flight)": 0,
    }
    assert sums["headgate_retries_total"] > 0 and attempts["third", "status_429"] > 0
    assert {text: prometheus.number(text) for text in sums} == sums


def compare_with_the_ledger(gateway, prometheus, lines: list):
    """Compares requests for models, the only requests in the ledger."""
    asked = [line for line in lines if line["operation"] == "createChatCompletion" and "key" in line]
    wait_until(lambda: sum(row["requests"] for row in used(gateway, "key")) == len(asked), "all in the ledger")
    usage = {by: used(gateway, by) for by in ("key", "model", "upstream")}
    # The metrics have a pattern where the ledger has names, and no label for unconfigured models.
    by_model, by_upstream = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for rows, sums in ((usage["model"], by_model), (usage["upstream"], by_upstream)):
        for row in rows:
            sums[label_of(row["name"]) if rows is usage["model"] else row["name"]] += sums_of(row)
    for label, sums in (("model", by_model), ("upstream", by_upstream)):
        requests = prometheus_sums(
            prometheus, f'sum by ({label}) (headgate_requests_total{{operation="createChatCompletion",cause!="invalid_api_key"}})', label)
        assert {name: sum["requests"] for name, sum in sums.items()} == requests, label
        tokens = "gen_ai_request_model" if label == "model" else "upstream"
        for type in ("input", "output"):
            counts = prometheus_sums(
                prometheus, f'sum by ({tokens}) (gen_ai_client_token_usage_sum{{gen_ai_token_type="{type}"}})', tokens)
            assert {name: sum[type] for name, sum in sums.items() if sum[type]} == counts, (label, type)
        costs = prometheus_sums(prometheus, f"sum by ({label}) (headgate_cost_usd_total)", label, 1e12)
        assert {name: sum["cost"] for name, sum in sums.items() if sum["cost"]} == costs and len(costs) >= 2, label
    # The log contains keys, but no metric does.
    of_keys = collections.Counter()
    for line in asked:
        of_keys += collections.Counter({
            "requests": 1, "input": line.get("prompt_tokens", 0), "output": line.get("completion_tokens", 0),
            "cost": picodollars(line.get("cost_usd"))})
    assert [row["name"] for row in usage["key"]] == ["test"] and sums_of(usage["key"][0]) == of_keys
    assert all(sum[name] > 0 for sum in (by_model["chat"], by_upstream["scripted"]) for name in ("requests", "input", "output"))


def label_of(model: str) -> str:
    return "any-*" if model.startswith("any-") else model or "other"


def used(gateway, by: str) -> list:
    with gateway.connect() as connection:
        return connection.ask("GET", f"/v1/usage?by={by}&since=1d").document["rows"]


def picodollars(cost) -> int:
    return round((cost or 0) * 10 ** 12)


def sums_of(row: dict) -> collections.Counter:
    return collections.Counter({
        "requests": row["requests"], "input": row["prompt_tokens"], "output": row["completion_tokens"],
        "cost": picodollars(row["cost_usd"])})


def prometheus_sums(prometheus, query: str, label: str, unit: float = 1) -> dict:
    """Returns the sums above 0, as integers in that unit."""
    return {metric.get(label, ""): whole for metric, value in prometheus.query(query) if (whole := round(float(value) * unit))}


def counted(prometheus, query: str, *labels) -> collections.Counter:
    """Returns the series above 0, by the values of their labels."""
    return +collections.Counter({
        tuple(metric.get(label, "") for label in labels) if len(labels) > 1 else metric.get(labels[0], ""): int(value)
        for metric, value in prometheus.query(query)})


def test_prometheus_checker_accepts_the_metrics(gateway):
    for model in ASKED:
        with gateway.connect() as connection:
            connection.chat(model, stream=True)
    with gateway.connect() as connection:
        answer = connection.ask("GET", "/metrics")
        assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        assert problems(answer.body) == ""
        process = [line for line in answer.body.decode().splitlines() if line.startswith("process_")]
        assert len(process) == 7, process


def test_separate_listener_serves_only_metrics_and_health(gateways):  # noqa: F811
    def listening(rest: str) -> str:
        return f"metrics: true\nlisten: ['127.0.0.1:0', {{address: '127.0.0.1:0', {rest}}}]\n{UPSTREAM}keys: [{key_line()}]\n"

    gateway = gateways.start(listening("api: metrics, auth: none"))
    with gateway.connect(listener=1, key=None) as connection:
        answer = connection.ask("GET", "/metrics")
        assert answer.status == 200 and b"headgate_build_info{" in answer.body
        assert connection.ask("GET", "/livez").status == 200 and connection.ask("GET", "/readyz").status == 200
        for path in ("/v1/models", "/status", "/status/data", "/v1/chat/completions", "/"):
            answer = connection.ask("GET", path)
            assert answer.status == 404 and b"this address serves /metrics" in answer.body, path
    # Other listeners, and metrics listeners that require a key, still serve metrics to administrators only.
    with gateway.connect() as connection:
        assert connection.ask("GET", "/metrics").status == 403
    gateway.write(listening("api: metrics"))
    assert gateway.reload().returncode == 0
    for key, status in ((None, 401), (KEY, 403)):
        with gateway.connect(listener=1, key=key) as connection:
            assert connection.ask("GET", "/metrics").status == status


def test_rules_dashboard_and_document_name_existing_metrics(gateway):
    text = gateway.path.read_text()
    gateway.write(
        text.replace("max_in_flight: 8}", "max_in_flight: 2, health: {path: /models, every: 1h}, breaker: {}}")
        + f"responses: {{store: 1d, file: {gateway.folder}/responses.db}}\n"
        "cache: {redis: counters}\nbudget: {tokens: 5M, every: day}\n")
    assert gateway.reload().returncode == 0
    with gateway.connect() as connection:
        connection.chat("cached", stream=True)
        wait_until(lambda: b"headgate_upstream_healthy" in connection.ask("GET", "/metrics").body, "a health check")
        there = connection.ask("GET", "/metrics").body.decode()
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", there, re.M))
    for name, kind in list(kinds.items()):
        if kind == "histogram":
            kinds |= {name + end: kind for end in ("_bucket", "_sum", "_count")}
    for file in ("deploy/alerts.yaml", "deploy/grafana-dashboard.json", "docs/operations.md"):
        named = set(re.findall(r"\b(?:headgate|gen_ai|process)_\w*[a-z]\b(?=[`{ )\[])", (REPOSITORY / file).read_text()))
        labels = {"gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "gen_ai_token_type"}
        # Repairs have no series before the first repair.
        named -= labels | {"headgate_repairs_total"}
        assert len(named) > 8 and named <= kinds.keys(), f"{file}: {named - kinds.keys()}"
    told = (REPOSITORY / "docs" / "operations.md").read_text()
    assert not [name for name in dict(re.findall(r"^# TYPE (\w+) (\w+)$", there, re.M)) if f"`{name}`" not in told]


def test_prometheus_checker_accepts_the_rules():
    check = subprocess.run(
        ["promtool", "check", "rules", REPOSITORY / "deploy" / "alerts.yaml"], capture_output=True, text=True,
        timeout=RUN_SECONDS)
    assert check.returncode == 0, check.stdout + check.stderr


# The cause that ended all requests of a model, and whether an upstream is to blame.
ENDS = [
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "upstream_connect"}, True),
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "status_500"}, True),
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "status_401"}, True),
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "status_404"}, True),
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "status_429"}, True),
    ({"outcome": "upstream_failed", "cause": "no_target_available"}, True),
    ({"outcome": "timed_out", "upstream": "u", "cause": "upstream_timeout"}, True),
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "status_400"}, False),
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "status_413"}, False),
    ({"outcome": "upstream_failed", "upstream": "u", "cause": "status_422"}, False),
    ({"outcome": "timed_out", "upstream": "u", "cause": "client_stalled"}, False),
    ({"outcome": "timed_out", "cause": "status_408", "model": ""}, False),
    ({"outcome": "refused", "cause": "invalid_api_key", "model": ""}, False),
    ({"outcome": "finished", "upstream": "u"}, False),
]


@pytest.mark.parametrize("labels, fires", ENDS, ids=lambda value: value.get("cause") if isinstance(value, dict) else None)
def test_alert_of_errors_is_about_upstreams(tmp_path, labels, fires):
    labels = {"instance": "i", "model": "m", **labels}
    series = ", ".join(f'{name}="{value}"' for name, value in labels.items() if value)
    summary = "100% of the requests for m failed at an upstream"
    expected = {"exp_labels": {"instance": "i", "model": "m", "severity": "warning"}, "exp_annotations": {"summary": summary}}
    rules = {
        "rule_files": [str(REPOSITORY / "deploy" / "alerts.yaml")], "evaluation_interval": "1m",
        "tests": [{
            "interval": "1m",
            "input_series": [{"series": f"headgate_requests_total{{{series}}}", "values": "0+60x20"}],
            "alert_rule_test": [
                {"eval_time": "15m", "alertname": "HeadgateErrors", "exp_alerts": [expected] if fires else []}],
        }],
    }
    (tmp_path / "tests.yaml").write_text(json.dumps(rules))
    test = subprocess.run(
        ["promtool", "test", "rules", tmp_path / "tests.yaml"], capture_output=True, text=True, timeout=RUN_SECONDS)
    assert test.returncode == 0, test.stdout + test.stderr


@pytest.mark.parametrize("retry", ["", ", retry: {attempts: 2}"], ids=["one way", "routed"])
def test_untranslatable_requests_are_not_attempts(gateway, retry):
    gateway.write(gateway.path.read_text().replace("models:\n", f"""models:
  translated: {{upstream: other, model: scripted-chat{retry}}}
""", 1).replace("upstreams:\n", """upstreams:
  other: {kind: anthropic, base_url: "http://127.0.0.1:9"}
""", 1))
    assert gateway.reload().returncode == 0
    with gateway.connect() as connection:
        document = {"model": "translated", "n": 2, "messages": [{"role": "user", "content": "Hello."}]}
        answer = connection.ask("POST", "/v1/chat/completions", document)
        assert answer.status == 400 and answer.code == "unsupported_value", answer.body
        text = connection.ask("GET", "/metrics").body.decode()
    assert 'upstream="other",outcome="refused",cause="unsupported_value"} 1' in text
    assert 'headgate_attempts_total{upstream="other",result="ok"} 0\n' in text
    assert 'result="unsupported_value"' not in text and 'error_type="unsupported_value"' not in text


def test_metrics_follow_the_configuration_and_keep_counting(gateway):
    text = gateway.path.read_text()
    with gateway.connect() as connection:
        connection.chat()
        gateway.write(text.replace("metrics: true\n", ""))
        assert gateway.reload().returncode == 0
        answer = connection.ask("GET", "/metrics")
        assert answer.status == 404 and answer.code == "metrics_off"
        gateway.write(text)
        assert gateway.reload().returncode == 0
        answer = connection.ask("GET", "/metrics", Accept="application/openmetrics-text")
        assert b'operation="createChatCompletion",model="chat"' in answer.body and answer.body.endswith(b"# EOF\n")
