"""/status for the operator: live, complete, and only with the right key."""

import re

import pytest
from playwright.sync_api import expect

from browsers import serve_modules
from chat import CONTRAST, Chat
from conftest import serve_configuration


@pytest.fixture
def status(keyed_gateway, talking, visit):
    """Opens the page with the owner's key. The page must not request foreign addresses."""
    page = Chat(visit, keyed_gateway.origin)
    page.expected_problems = ["401", "403", "429", "502"]
    page.page.clock.install()
    page.page.goto(f"{page.origin}/status")
    enter(page.page, keyed_gateway.key)
    expect(page.page.locator("#shown")).to_be_visible()
    yield page
    page.check()


def enter(page, key: str):
    page.get_by_label("Gateway key").fill(key)
    page.get_by_role("button", name="Use key").click()


def figure(page, name: str):
    return page.locator("#figures > div").filter(has=page.get_by_text(name, exact=True)).locator("dd")


def view(page, name: str):
    page.get_by_role("navigation", name="Views").get_by_role("link", name=name).click()


def post(page, key: str, stream: bool, model: str = "talker"):
    """Sends a request from the page without waiting for its response."""
    page.evaluate(
        """([key, stream, model]) => { fetch("/v1/chat/completions", { method: "POST",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
          body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "The secret is blue." }] }),
        }); }""",
        [key, stream, model],
    )


def test_data_needs_the_key_of_an_administrator(keyed_gateway, talking, visit):
    page = Chat(visit, keyed_gateway.origin)
    page.expected_problems = ["401", "403"]
    page.page.goto(f"{page.origin}/status")
    expect(page.page.get_by_label("Gateway key")).to_be_focused()
    expect(page.page.locator("#shown")).to_be_hidden()
    enter(page.page, keyed_gateway.narrow_key)
    expect(page.page.get_by_text("admin: true' in the configuration")).to_be_visible()
    expect(page.page.locator("#shown")).to_be_hidden()
    enter(page.page, keyed_gateway.key)
    expect(figure(page.page, "Version")).not_to_be_empty()
    # The key is stored for this tab only.
    kept = page.page.evaluate("JSON.stringify([{...localStorage}, document.cookie])")
    assert keyed_gateway.key not in kept and keyed_gateway.key not in page.page.content()
    page.page.reload()
    expect(figure(page.page, "Version")).not_to_be_empty()
    page.check()


def test_a_keyless_gateway_requests_no_key(open_gateway, talking, visit):
    page = Chat(visit, open_gateway.origin)
    page.page.goto(f"{page.origin}/status")
    expect(page.page.locator("#shown")).to_be_visible()
    expect(page.page.get_by_label("Gateway key")).to_be_hidden()
    page.check()


def test_requests_appear_as_they_go(status, keyed_gateway, talking):
    page = status.page
    post(page, keyed_gateway.key, stream=True)
    talk = talking.next()
    talk.say("blue")
    expect(figure(page, "Streams in flight")).to_have_text("1")
    view(page, "Upstreams")
    row = page.get_by_role("region", name="Upstreams").get_by_role("row", name=re.compile("^talker"))
    expect(row.get_by_role("cell")).to_have_text(["talker", "openai", re.compile("."), "1", "1", re.compile(".")])
    view(page, "Requests")
    talk.finish(prompt=9, completion=12)
    expect(figure(page, "Streams in flight")).to_have_text("0")
    newest = page.locator("#recent > tr").first
    expect(newest.get_by_role("button", name=re.compile("createChatCompletion, stream"))).to_be_visible()
    cells = newest.get_by_role("cell").all_inner_texts()
    assert cells[1:6] == ["finished", "talker", "talker", "owner", "9 + 12"]
    assert all(re.fullmatch(r"[\d.]+ m?s", cell) for cell in cells[7:9])
    expect(page.get_by_role("region", name="Health").get_by_role("listitem")).to_contain_text("answers")
    post(page, keyed_gateway.key, stream=False)
    talking.next().fail(429, "Slow down.")
    expect(page.locator("#recent > tr").first).to_contain_text("upstream failed")
    post(page, keyed_gateway.narrow_key, stream=False)
    talking.next().cut()
    expect(page.locator("#recent > tr").first.get_by_role("cell").nth(4)).to_have_text("guest")
    assert "secret is blue" not in page.content()
    assert page.get_by_role("region", name="At a glance").get_by_role("img").count() == 3
    expect(page.get_by_role("img", name=re.compile("^Streams in flight: 0 now"))).to_be_visible()


def test_it_can_be_paused(status):
    page = status.page

    def refreshes() -> int:
        """Counts the page's refreshes. Usage that the first one requests can still be on its way."""
        return sum(url.endswith("/status/data") for url in status.visit.requests)

    page.get_by_role("button", name="Pause").click()
    before = refreshes()
    page.clock.fast_forward(10_000)
    assert refreshes() == before
    with page.expect_request("**/status/data"):
        page.get_by_role("button", name="Resume").click()


def refreshed(page):
    """Waits until the page has refreshed once more. Advances its clock instead of waiting a second."""
    for _ in range(2):
        with page.expect_response("**/status/data"):
            page.clock.fast_forward(1000)


def test_a_selection_survives_updates(status, keyed_gateway, talking):
    page = status.page
    post(page, keyed_gateway.key, stream=False)
    talking.next().fail(429, "Slow down.")
    row = page.locator("#recent > tr").first
    expect(row).to_contain_text("upstream failed")
    for place in ("#recent > tr td:nth-child(2)", "#health .name", "#figures > div:nth-child(2) dd", "#charts figcaption"):
        page.evaluate("(place) => getSelection().selectAllChildren(document.querySelector(place))", place)
        selected = page.evaluate("String(getSelection())")
        assert selected != ""
        refreshed(page)
        assert page.evaluate("String(getSelection())") == selected, place
    # The selection lasts even while new rows arrive.
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#recent > tr td:nth-child(2)'))")
    before = page.locator("#recent > tr").count()
    post(page, keyed_gateway.key, stream=False)
    talking.next().fail(429, "Slow down.")
    refreshed(page)
    expect(page.locator("#recent > tr")).not_to_have_count(before)
    assert page.evaluate("String(getSelection())").startswith("upstream failed")


def test_rows_with_equal_ids_and_times_are_all_shown(status):
    """Shows rows of a client that gives the same id to all its requests."""
    serve_modules(status.page)
    shown = status.page.evaluate(
        """async () => {
          const { showRows } = await import("/modules/rows.js");
          const body = document.createElement("tbody");
          const row = (key, text) => ({ key, cells: [{ text }] });
          const texts = () => [...body.children].map((node) => node.textContent);
          showRows(body, [row("a", "2"), row("a", "1"), row("b", "0")]);
          const [first, nodes] = [texts(), [...body.children]];
          showRows(body, [row("a", "3"), row("a", "2"), row("a", "1"), row("b", "0")]);
          const kept = nodes.every((node, index) => node === body.children[index + 1]);
          return { first, then: texts(), kept };
        }""")
    assert shown == {"first": ["2", "1", "0"], "then": ["3", "2", "1", "0"], "kept": True}


def totals() -> dict:
    names = ["finished", "client_gone", "upstream_failed", "timed_out", "refused", "drained"]
    return dict.fromkeys([*names, "prompt_tokens", "completion_tokens", "cache_hits", "cache_misses"], 0)


def client_keys(name: str) -> dict:
    key = {"name": name, "managed": True, "admin": False, "models": [name], "created": "2027-01-01T00:00:00.000Z",
           "expires": None, "is_expired": False, "former_until": None, "group": name, "limits": {"requests": [name]},
           "problem": name}  # fmt: skip
    return {"object": "list", "data": [key], "has_more": False}


def usage(name: str) -> dict:
    row = {"name": name, "requests": 1, "prompt_tokens": 1, "completion_tokens": 1, "cached_tokens": 0, "cost_usd": None,
           "cost_unknown_requests": 1, "estimated_requests": 0, "unfinished_requests": 0}  # fmt: skip
    return {"by": "key", "since": "2026-01-01T10:00:00Z", "rows": [row]}


def test_every_column_is_seen_at_1280_pixels(keyed_gateway, visit):
    in_flight = {"requests_in_flight": 0, "streams_in_flight": 0}
    request = {"id": "1", "ended_at": "2026-01-01T10:00:00Z", "operation": "createChatCompletion", "status": 200,
               "outcome": "upstream_failed", "error": "upstream_connect", "stream": True, "duration_ms": 12345.6,
               "ttft_ms": 1234.5, "model": "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8",
               "upstream": "azure-openai-westeurope", "key": "continuous-integration", "prompt_tokens": 123456,
               "completion_tokens": 98765}  # fmt: skip
    data = {"version": "1", "uptime_seconds": 1, "is_draining": False, **in_flight, "recent": [request], "upstreams": [], "models": [],
            "budgets": [], "totals": totals()}  # fmt: skip
    page = Chat(visit, keyed_gateway.origin)
    page.page.route("**/status/data", lambda route: route.fulfill(json=data))
    page.page.route("**/v1/usage?*", lambda route: route.fulfill(json=usage("continuous-integration")))
    page.page.route("**/v1/admin/keys?*", lambda route: route.fulfill(json=client_keys("continuous-integration")))
    page.page.set_viewport_size({"width": 1280, "height": 900})
    page.page.goto(f"{page.origin}/status")
    cell = page.page.locator("#recent > tr td").last
    expect(cell).to_have_text("12.3 s")
    table = page.page.locator(".table").filter(has=page.page.locator("#recent"))
    assert table.evaluate("(node) => node.scrollWidth - node.clientWidth") == 0
    box = cell.bounding_box()
    assert box["x"] + box["width"] <= 1280
    page.check()


def test_everything_it_shows_is_text(keyed_gateway, visit):
    attack = "<img src=x onerror=window.pwned=1>"
    request = {"id": attack, "ended_at": attack, "operation": attack, "status": 200, "outcome": attack, "stream": True,
               "duration_ms": 3.5, "ttft_ms": 1, "model": attack, "upstream": attack, "key": attack,
               "error": attack, "detail": attack, "cache": attack,
               "attempts": [{"upstream": attack, "model": attack, "error": attack, "duration_ms": 1}]}  # fmt: skip
    in_flight = {"requests_in_flight": 0, "streams_in_flight": 0}
    keys = {"count": 2, "resting": 1}
    upstream = {"name": attack, "kind": attack, "reachable": False, "offline": False, "keys": keys, **in_flight}
    target = {"upstream": attack, "model": attack, "weight": 1, "usable": True, "breaker": attack, **in_flight}
    data = {
        "version": attack, "uptime_seconds": 90_061, "is_draining": True, **in_flight, "recent": [request],
        "totals": totals(),
        "models": [{"name": attack, "targets": [target]}],
        "budgets": [{"kind": "key", "name": attack, "unit": "usd", "every": attack, "amount": 5, "used": 4.5, "until": attack}],
        "upstreams": [{**upstream, "last_error": {"at": attack, "code": attack, "detail": attack}}],
    }  # fmt: skip
    page = Chat(visit, keyed_gateway.origin)
    page.page.route("**/status/data", lambda route: route.fulfill(json=data))
    page.page.route("**/v1/usage?*", lambda route: route.fulfill(json=usage(attack)))
    page.page.route("**/v1/admin/keys?*", lambda route: route.fulfill(json=client_keys(attack)))
    page.page.goto(f"{page.origin}/status")
    expect(page.page.locator("#recent")).to_contain_text(attack)
    expect(page.page.locator("#health")).to_contain_text("unreachable, 1 of 2 keys resting")
    expect(page.page.locator("#health .detail")).to_contain_text(attack)
    expect(page.page.locator("#budgets")).to_contain_text(attack)
    expect(page.page.locator("#top-keys")).to_contain_text(attack)
    expect(figure(page.page, "Up")).to_have_text("1 day 1 hr, shutting down")
    page.page.locator("#recent button").click()
    expect(page.page.get_by_role("dialog")).to_contain_text(attack)
    expect(page.page.locator("#attempts")).to_contain_text(attack)
    page.page.get_by_role("button", name="Close").click()
    view(page.page, "Upstreams")
    expect(page.page.locator("#upstreams-rows")).to_contain_text(attack)
    expect(page.page.locator("#models")).to_contain_text(attack)
    view(page.page, "Usage")
    expect(page.page.locator("#usage-keys")).to_contain_text(attack)
    view(page.page, "Keys")
    expect(page.page.locator("#keys-rows")).to_contain_text(attack)
    assert page.page.locator("main img").count() == 0 and page.page.evaluate("window.pwned") is None
    page.check()


def test_targets_are_shown_with_their_health(tmp_path, talking, visit):
    text = (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{talker: {{kind: openai, base_url: "http://{talking.address}/v1", max_in_flight: 5}}, '
        'dead: {kind: openai, base_url: "http://127.0.0.1:9/v1", breaker: {failures: 1, cooldown: 1h}}}\n'
        "models: {talker: {targets: [{upstream: dead, model: gone, weight: 3}, {upstream: talker}]}}\n"
    )
    for gateway in serve_configuration(tmp_path, text):
        page = Chat(visit, gateway.origin)
        page.page.goto(f"{page.origin}/status#upstreams")
        rows = page.page.locator("#models > tr")
        expect(rows).to_have_count(2)
        expect(rows.nth(0).get_by_role("cell")).to_have_text(["talker", "dead", "gone", "usable", "3", "0", ""])
        post(page.page, gateway.key, stream=True)
        talk = talking.next()
        talk.say("blue")
        expect(rows.nth(0)).to_contain_text("breaker open until")
        expect(rows.nth(1).get_by_role("cell").nth(5)).to_have_text("1")
        expect(page.page.locator("#upstreams-rows")).to_contain_text("1 of 5")
        talk.finish()
        expect(page.page.locator("#recent")).to_contain_text("talker (2 attempts)")
        expect(rows.nth(1).get_by_role("cell").nth(6)).to_contain_text("ms")
        page.check()


def test_requests_are_chosen_by_model_key_and_outcome(fresh_gateway, talking, visit):
    status = Chat(visit, fresh_gateway.origin)
    status.expected_problems = ["401", "429"]
    page = status.page
    page.clock.install()
    page.goto(f"{status.origin}/status")
    enter(page, fresh_gateway.key)
    expect(page.locator("#shown")).to_be_visible()
    asked = (fresh_gateway.key, "talker"), (fresh_gateway.key, "second"), (fresh_gateway.narrow_key, "talker")
    for key, model in asked:
        post(page, key, stream=False, model=model)
        talking.next().fail(429, "Slow down.")
    post(page, fresh_gateway.key, stream=True)
    talk = talking.next()
    talk.say("blue")
    talk.finish()
    rows = page.locator("#recent > tr")
    # The rows include the page's own request without a key.
    expect(rows).to_have_count(5)
    page.get_by_role("combobox", name="Outcome").select_option("upstream failed")
    expect(rows).to_have_count(3)
    page.get_by_role("combobox", name="Key").select_option("owner")
    expect(rows).to_have_count(2)
    page.get_by_role("combobox", name="Model").select_option("second")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("second")
    refreshed(page)
    expect(rows).to_have_count(1)
    # The address contains the filter, and no key.
    assert page.url.endswith("?outcome=upstream_failed&key=owner&model=second")
    page.reload()
    expect(page.get_by_role("combobox", name="Model")).to_have_value("second")
    expect(rows).to_have_count(1)
    page.get_by_role("combobox", name="Outcome").select_option("finished")
    expect(rows).to_have_count(0)
    expect(page.get_by_text("None of the last requests is like that.")).to_be_visible()
    for name in ("Model", "Key", "Outcome"):
        page.get_by_role("combobox", name=name).select_option("all")
    expect(rows).to_have_count(5)
    assert page.url == f"{status.origin}/status"
    status.check()


def test_a_request_is_shown_whole_on_a_click(tmp_path, talking, visit):
    text = (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{talker: {{kind: openai, base_url: "http://{talking.address}/v1"}}, '
        'dead: {kind: openai, base_url: "http://127.0.0.1:9/v1"}}\n'
        "models: {talker: {targets: [{upstream: dead, model: gone}, {upstream: talker}]}}\n"
    )
    for gateway in serve_configuration(tmp_path, text):
        page = Chat(visit, gateway.origin)
        page.page.clock.install()
        page.page.goto(f"{page.origin}/status")
        post(page.page, gateway.key, stream=True)
        talk = talking.next()
        talk.say("blue")
        talk.finish(prompt=9, completion=12)
        row = page.page.locator("#recent > tr").first
        expect(row).to_contain_text("talker (2 attempts)")
        expect(row.get_by_role("button", name=re.compile(", createChatCompletion, stream, .+, finished$"))).to_be_visible()
        row.get_by_role("button").click()
        dialog = page.page.get_by_role("dialog", name="Request")
        identity = row.get_attribute("title").removeprefix("x-request-id: ")
        expect(dialog).to_contain_text(identity)
        rows = dialog.locator("#attempts > tr")
        expect(rows).to_have_count(2)
        expect(rows.nth(0)).to_contain_text(re.compile("dead.*gone.*upstream_connect"))
        expect(rows.nth(1)).to_contain_text(re.compile("talker.*response"))
        # The details do not change while the page refreshes, so selected text stays selected.
        page.page.evaluate("getSelection().selectAllChildren(document.querySelector('#request-facts dd'))")
        refreshed(page.page)
        assert page.page.evaluate("String(getSelection())") == identity
        page.page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.check()


def test_usage_of_today_and_this_month_is_summed_by_key_and_model(tmp_path, talking, visit):
    (tmp_path / "prices.yaml").write_text("models: {talker: {input: 1000, output: 10000}}\n")
    text = (
        "listen: 127.0.0.1:0\nprices: prices.yaml\n"
        f'upstreams: {{talker: {{kind: openai, base_url: "http://{talking.address}/v1"}}}}\n'
        "models: {talker: {upstream: talker}, second: {upstream: talker}}\n"
    )
    for gateway in serve_configuration(tmp_path, text):
        page = Chat(visit, gateway.origin)
        # The page's first refresh must come after the requests, and not half a minute later.
        page.page.goto(page.origin)
        for model in ("talker", "talker", "second"):
            post(page.page, gateway.key, stream=True, model=model)
            talk = talking.next()
            talk.say("blue")
            talk.finish(prompt=9, completion=12)
        page.page.wait_for_function("""async () =>
            (await (await fetch("/v1/usage?by=key")).json()).rows.reduce((sum, row) => sum + row.requests, 0) === 3""")
        page.page.goto(f"{page.origin}/status")
        # Costs come first, with the totals of the short tables.
        for name in ("Today", "This month"):
            expect(page.page.get_by_role("article", name=name)).to_contain_text("\u2265 $0.26")
            expect(page.page.get_by_role("article", name=name)).to_contain_text("3 requests, 63 tokens")
        totals = page.page.locator("#top-models > tr").last.get_by_role("cell")
        expect(totals).to_have_text(["Total", "\u2265 $0.26", "\u2265 $0.26"])
        view(page.page, "Usage")
        models = page.page.locator("#usage-models > tr")
        expect(models).to_have_count(3)
        # A request has 9 tokens at a dollar per thousand, and 12 at ten dollars per thousand.
        expect(models.nth(0).get_by_role("cell")).to_have_text(["talker", "$0.26", "2", "42", "$0.26", "2", "42"])
        expect(models.nth(1).get_by_role("cell")).to_have_text(["second", "unknown", "1", "21", "unknown", "1", "21"])
        sums = ["\u2265 $0.26", "3", "63"]
        expect(models.nth(2).get_by_role("cell")).to_have_text(["Total", *sums, *sums])
        keys = page.page.locator("#usage-keys > tr")
        expect(keys.nth(0).get_by_role("cell")).to_have_text(["keyless", *sums, *sums])
        for name in ("Requests: 3", "Tokens: 63", "Cost: $0.26"):
            for period in ("in the last hour", "this month"):
                expect(page.page.get_by_role("img", name=f"{name} {period}")).to_be_visible()
        chart = page.page.locator("#hour figure").first
        assert chart.locator("rect").count() == 60
        # The axis shows the value of the highest bar; the pointer or the keys show the value of one bar.
        expect(chart.locator(".most")).to_have_text("$0.26")
        chart.get_by_role("img").focus()
        chart.get_by_role("img").press("ArrowLeft")
        expect(chart.get_by_role("status")).to_have_text(re.compile(r"^\d\d:\d\d: \$"))
        box = chart.get_by_role("img").bounding_box()
        page.page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
        expect(chart.get_by_role("status")).to_have_text(re.compile(r"^\d\d:\d\d: \$0$"))
        page.check()


def test_gateway_without_a_ledger_reports_that(tmp_path, talking, visit):
    text = f'listen: 127.0.0.1:0\nledger: none\nupstreams: {{talker: {{kind: openai, base_url: "http://{talking.address}/v1"}}}}\n'
    for gateway in serve_configuration(tmp_path, text, HEADGATE_LEDGER=""):
        page = Chat(visit, gateway.origin)
        page.expected_problems = ["404"]
        page.page.goto(f"{page.origin}/status")
        expect(page.page.locator("#money-notice")).to_contain_text("This gateway keeps no usage")
        expect(page.page.locator("#money")).to_be_hidden()
        page.check()


def test_a_phone_shows_requests_as_a_list(status, keyed_gateway, talking):
    page = status.page
    post(page, keyed_gateway.key, stream=False)
    talking.next().fail(429, "Slow down.")
    page.set_viewport_size({"width": 390, "height": 844})
    row = page.locator("#recent > tr").first
    expect(row).to_contain_text("upstream failed")
    for cell in row.get_by_role("cell").all():
        box = cell.bounding_box()
        assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= 390)
    # A row has two lines: the model and the time, then the outcome and the cost.
    assert row.bounding_box()["height"] < 100
    row.get_by_role("button").click()
    box = page.get_by_role("dialog", name="Request").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(CONTRAST) == []
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_it_is_accessible(status, keyed_gateway, talking):
    page = status.page
    post(page, keyed_gateway.key, stream=False)
    talking.next().fail(429, "Slow down.")
    expect(page.locator("#recent > tr").first).to_contain_text("upstream failed")
    for name in ("Requests", "Usage", "Keys", "Upstreams"):
        view(page, name)
        page.set_viewport_size({"width": 1280, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(CONTRAST) == [], scheme
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.get_by_role("region", name="Upstreams").get_by_role("columnheader")).to_have_count(6)


def test_picture(tmp_path, talking, visit, screenshot):
    """Writes the picture of the documentation, if HEADGATE_SCREENSHOT is set."""
    if not screenshot.is_wanted:
        pytest.skip("HEADGATE_SCREENSHOT asks for no pictures")
    (tmp_path / "prices.yaml").write_text("models: {talker: {input: 300, output: 1500}, second: {input: 75, output: 450}}\n")
    text = (
        "listen: 127.0.0.1:0\nprices: prices.yaml\n"
        f'upstreams: {{talker: {{kind: openai, base_url: "http://{talking.address}/v1"}}, '
        'workstation: {kind: openai, base_url: "http://127.0.0.1:9/v1"}}\n'
        "models: {talker: {targets: [{upstream: workstation}, {upstream: talker}]}, second: {upstream: talker}}\n"
    )
    for gateway in serve_configuration(tmp_path, text):
        page = visit.page
        page.set_viewport_size({"width": 1200, "height": 860})
        page.goto(gateway.origin)
        for number in range(30):
            post(page, gateway.key, stream=True, model=("talker", "second")[number % 3 // 2])
            talk = talking.next()
            if number % 13 == 12:
                talk.cut()
                continue
            talk.say("Good ")
            page.wait_for_timeout(20 + number * 31 % 120)
            talk.finish(prompt=9 + number, completion=20 + number * 17 % 90)
        page.wait_for_function("""async () =>
            (await (await fetch("/v1/usage?by=key")).json()).rows.reduce((sum, row) => sum + row.requests, 0) === 30""")
        page.goto(f"{gateway.origin}/status")
        expect(page.locator("#today")).to_contain_text("$")
        screenshot(page, "status")
