"""Budgets of keys and of a whole gateway, as the real SDK sees them, across restarts and without a working ledger."""

import http.server
import json
import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import openai
import pytest

from exchanges import MESSAGES
from gateways import KEY, command, gateways, key_line, wait_until  # noqa: F401  (one is a fixture)

OTHER_KEY = "hg-other-0123456789abcdef"
# Prices are in USD per million tokens.
PRICES = "models: {m: {input: 1000, output: 1000}}\n"
ANSWER = {
    "id": "c", "object": "chat.completion", "created": 1, "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 600, "completion_tokens": 400, "total_tokens": 1000}}


# USD for each token.
TIERS = {"default": 0.001, "priority": 0.002, "flex": 0.0005}
TIER_PRICES = """models:
  m:
    input: 1000
    output: 1000
    tiers: {priority: {input: 2000, output: 2000}, flex: {input: 500, output: 500}}
"""


class Greedy(http.server.BaseHTTPRequestHandler):
    """Uses all tokens that a request allows, in the tier that it selects, and records their cost."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        tier = body.get("service_tier", "default")
        counts = (10, body["max_tokens"] * max(body.get("n", 1), body.get("best_of", 1)))
        with self.server.lock:
            self.server.costs.append((body["model"], sum(counts) * TIERS[tier]))
        usage = {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}
        data = json.dumps(ANSWER | {"usage": usage, "service_tier": tier}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    """Every response uses 1,000 tokens, and costs a dollar."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def upstream():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


def configuration(upstream: str, budget: str, more: str = "") -> str:
    return f"""
listen: 127.0.0.1:0
loops: 2
metrics: true
prices: prices.yaml
upstreams: {{up: {{kind: openai, base_url: "{upstream}", api_key: "${{UPSTREAM_KEY}}"}}}}
models: {{m: {{upstream: up}}}}
keys: [{key_line()[:-1]}, admin: true, budget: {budget}}}, {key_line(OTHER_KEY, "other")}]
{more}
"""


@pytest.fixture
def start(gateways, upstream):  # noqa: F811
    (gateways.folder / "prices.yaml").write_text(PRICES)
    ledger = gateways.folder / "usage.db"

    def start(budget: str, more: str = "", name: str = "headgate"):
        return gateways.start(configuration(upstream, budget, more), name, HEADGATE_LEDGER=f"sqlite:{ledger}")

    return start


def client(gateway, key: str = KEY):
    return openai.OpenAI(base_url=gateway.urls[0] + "/v1", api_key=key, max_retries=0, timeout=20)


def ask(gateway, key: str = KEY, **more):
    with client(gateway, key) as sdk:
        return sdk.chat.completions.with_raw_response.create(model="m", messages=MESSAGES, **more)


def status(gateway, key: str = KEY, **more) -> int:
    try:
        return ask(gateway, key, **more).status_code
    except openai.APIStatusError as error:
        return error.status_code


def test_exhausted_budget_reports_its_next_start(start):
    gateway = start("{usd: 5, every: month}")
    used = [ask(gateway).headers.get("x-headgate-budget-used") for _ in range(5)]
    assert used == [None] * 4 + ["0.8"]
    with pytest.raises(openai.RateLimitError) as caught:
        ask(gateway)
    error, headers = caught.value, caught.value.response.headers
    assert (error.code, error.type) == ("budget_exceeded", "insufficient_quota")
    assert re.search(
        r"The budget of the key 'test' is used up: 5 USD per month\. It resets at \d{4}-\d\d-01T00:00:00", error.message)
    assert 0 < int(headers["retry-after"]) <= 31 * 86400 and headers["x-headgate-budget-used"] == "1"
    assert status(gateway, OTHER_KEY) == 200
    with gateway.connect() as admin:
        metrics = admin.ask("GET", "/metrics").body.decode()
    assert 'headgate_budget_used_ratio{kind="key",name="test"} 1' in metrics
    assert 'headgate_limit_refusals_total{limit="budget"} 1' in metrics


def test_used_budget_survives_a_restart(start):
    first = start("{tokens: 3k, every: month}")
    assert [status(first) for _ in range(2)] == [200] * 2
    assert first.stop() == 0
    second = start("{tokens: 3k, every: month}", "budget: {usd: 4, every: month}", "second")
    # The gateway reads the ledger while it serves requests.
    wait_until(lambda: 'name="test"} 0.66' in second.connect().ask("GET", "/metrics").body.decode(), "the past")
    assert [status(second) for _ in range(2)] == [200, 429]
    # Three dollars are used in total.
    assert [status(second, OTHER_KEY) for _ in range(2)] == [200, 429]


def test_budget_added_by_a_reload_counts_earlier_use(start, upstream):
    gateway = start("{tokens: 1M, every: month}")
    assert [status(gateway) for _ in range(3)] == [200] * 3
    wait_until(lambda: b'"requests":3' in gateway.connect().ask("GET", "/v1/usage?by=key").body, "the ledger")
    gateway.write(configuration(upstream, "{usd: 3, every: day, strict: true}"))
    assert gateway.reload().returncode == 0
    wait_until(lambda: status(gateway) != 503, "the past")
    assert status(gateway) == 429


def test_a_budget_is_exceeded_by_at_most_one_reserve(start):
    gateway = start("{usd: 20, every: month}")
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: status(gateway, max_tokens=450), range(60)))
    # A response costs a dollar but reserves half of one, so the last requests in flight exceed the budget.
    assert answers.count(429) == 60 - answers.count(200) and 20 <= answers.count(200) <= 28
    assert status(gateway) == 429


@pytest.mark.parametrize("stated", [{"max_tokens": 64_000}, {"max_tokens": 6400, "n": 10}])
def test_burst_of_expensive_requests_cannot_exceed_a_budget(start, stated):
    gateway = start("{usd: 20, every: month}")
    with ThreadPoolExecutor(60) as threads:
        answers = list(threads.map(lambda _: status(gateway, **stated), range(60)))
    # Each can cost 64 dollars, so only one is in flight at once.
    passed = answers.count(200)
    assert 1 <= passed <= 20 and passed + answers.count(429) == 60
    while status(gateway, **stated) == 200:
        passed += 1
    assert passed == 20


def test_client_that_chooses_tiers_choices_and_models_passes_its_budget_by_one_reserve(gateways):  # noqa: F811
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Greedy)
    server.costs, server.lock = [], threading.Lock()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        (gateways.folder / "prices.yaml").write_text(TIER_PRICES)
        text = configuration(f"http://127.0.0.1:{server.server_port}/v1", "{usd: 20, every: month}, unpriced: refuse")
        gateway = gateways.start(text.replace("models: {m:", "models: {odd: {upstream: up}, m:"), HEADGATE_LEDGER="memory")
        chance = random.Random(40)
        requests = [
            {"model": chance.choice(["m", "m", "m", "odd"]), "max_tokens": chance.choice([10, 100, 400]),
             **chance.choice([{}, {"n": 4}, {"best_of": 4}, {"n": 2, "best_of": 3}]),
             **chance.choice([{}, {"service_tier": "priority"}, {"service_tier": "flex"}])} for _ in range(240)]

        def send(request) -> int:
            with gateway.connect() as connection:
                if "best_of" in request:
                    return connection.ask("POST", "/v1/completions", request | {"prompt": "Hi"}).status
                return connection.ask("POST", "/v1/chat/completions", request | {"messages": MESSAGES}).status

        with ThreadPoolExecutor(24) as threads:
            answers = list(threads.map(send, requests))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert {model for model, _ in server.costs} == {"m"}
    assert {200, 403, 429} == set(answers) and answers.count(200) == len(server.costs)
    assert sum(cost for _, cost in server.costs) <= 20 + max(cost for _, cost in server.costs)
    assert sum(cost for _, cost in server.costs) > 16


def test_killed_gateway_loses_no_budget_use(start):
    budget = "{tokens: 3k, every: month, strict: true}"
    first = start(budget)
    wait_until(lambda: status(first) != 503, "the past")
    assert status(first) == 200
    first.kill()
    second = start(budget, name="second")
    statuses = []
    wait_until(lambda: statuses.append(status(second)) or statuses[-1] != 503, "the past")
    assert statuses[-1] == 200 and status(second) == 429


def test_check_names_models_without_a_price_and_strict_needs_a_ledger(start, gateways, upstream):  # noqa: F811
    path = gateways.folder / "headgate.yaml"
    text = configuration(upstream, "{usd: 5, every: month, strict: true}").replace("models: {m:", "models: {odd:")
    path.write_text(text)
    (gateways.folder / "prices.yaml").write_text(PRICES)
    checked = command(gateways.folder, "check", "--config", path, HEADGATE_LEDGER="memory")
    assert checked.returncode == 0 and 'requests for "odd" count nothing' in checked.stderr
    assert "keys[0].budget.usd: 5" in checked.stdout
    checked = command(gateways.folder, "check", "--config", path, HEADGATE_LEDGER="none")
    assert checked.returncode == 78 and "strict: true needs a ledger" in checked.stderr
