"""/docs in a browser: every operation works with a key, and no other server is contacted."""

import json
import os
import urllib.parse
import urllib.request

import pytest

from browsers import chromium_only
from conftest import ANSWER, REPOSITORY

SCREENSHOT = REPOSITORY / "docs" / "images" / "docs.png"


def test_the_page_renders_every_operation(gateway, visit):
    visit.page.goto(f"{gateway.origin}/docs")
    visit.page.wait_for_selector(".opblock")
    with urllib.request.urlopen(f"{gateway.origin}/openapi.json", timeout=10) as answer:
        paths = json.load(answer)["paths"]
    expected = {
        (method.upper(), path) for path, operations in paths.items() for method in operations if method in METHODS
    }
    shown = {
        (block.locator(".opblock-summary-method").inner_text(), block.locator("[data-path]").get_attribute("data-path"))
        for block in visit.page.locator(".opblock").all()
    }
    assert shown == expected
    assert len(shown) == 62
    assert_nothing_foreign(gateway, visit)
    # Without a key, the gateway does not list its models.
    assert [problem for problem in visit.problems if "401" not in problem] == []


def test_the_page_has_the_key_of_the_others_and_a_model_that_exists(open_gateway, keyed_gateway, talking, visit):
    page = visit.page
    for origin, key in ((open_gateway.origin, ""), (keyed_gateway.origin, keyed_gateway.key)):
        page.goto(f"{origin}/docs#key={key}" if key else f"{origin}/docs")
        operation = page.locator("#operations-openai-createChatCompletion")
        operation.locator(".opblock-summary-control").click()
        assert json.loads(operation.locator("textarea").input_value())["model"] == "talker"
        operation.get_by_role("button", name="Execute").click()
        talk = talking.next()
        assert talk.request["model"] == "talker"
        talk.fail(418, "Enough.")
        operation.locator(".live-responses-table .response-col_status", has_text="418").wait_for()
        assert key not in page.url or key == ""


@chromium_only
def test_the_page_has_a_way_back_and_the_colours_of_the_others(open_gateway, visit):
    page = visit.page
    background = "getComputedStyle(document.querySelector('.swagger-ui')).backgroundColor"
    page.emulate_media(color_scheme="dark")
    page.goto(f"{open_gateway.origin}/docs")
    page.wait_for_selector(".opblock")
    dark = page.evaluate(background)
    page.get_by_role("button", name="Use light colours").click()
    assert page.evaluate(background) != dark
    page.reload()
    page.wait_for_selector(".opblock")
    assert page.evaluate(background) != dark
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Use dark colours").click()
    assert page.evaluate(background) == dark
    page.get_by_role("link", name="Status", exact=True).click()
    page.wait_for_url(f"{open_gateway.origin}/status")
    # The links appear before the operations.
    page.goto(f"{open_gateway.origin}/docs", wait_until="commit")
    page.get_by_role("link", name="Chat", exact=True).click()
    page.wait_for_url(f"{open_gateway.origin}/")
    assert_nothing_foreign(open_gateway, visit)


def test_a_chat_completion_can_be_tried_with_a_key(gateway, visit):
    page = visit.page
    page.goto(f"{gateway.origin}/docs")
    operation = page.locator("#operations-openai-createChatCompletion")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Execute").click()
    # Without a key the gateway refuses the request, and the page shows the refusal.
    operation.locator(".live-responses-table .response-col_status", has_text="401").wait_for()
    authorize(page, gateway.key)
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table")
    answer.locator(".response-col_status", has_text="200").wait_for()
    assert ANSWER in answer.inner_text()
    assert f"{gateway.origin}/v1/chat/completions" in visit.requests
    assert_nothing_foreign(gateway, visit)
    # The browser reports only the gateway's refusal: the content security policy has blocked nothing.
    assert [problem for problem in visit.problems if "401" not in problem] == []
    keep_screenshot(page, operation)


def test_the_policy_of_the_page_blocks_foreign_requests(gateway, visit):
    # The policy applies once the page's head has arrived, before the operations.
    visit.page.goto(f"{gateway.origin}/docs", wait_until="commit")
    # Every browser sends the page an event, but only some also report the violation on the console.
    refused = visit.page.evaluate("""() => new Promise((resolve) => {
      addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => resolve([blockedURI, effectiveDirective]));
      fetch("http://127.0.0.1:9/").then(() => resolve("sent"), () => setTimeout(() => resolve("failed without the policy"), 5000));
    })""")
    assert refused == ["http://127.0.0.1:9/", "connect-src"], refused


@pytest.mark.parametrize("gateway", ["without assets"], indirect=True)
def test_without_its_files_the_page_explains_how_to_get_them(gateway, visit):
    visit.page.goto(f"{gateway.origin}/docs")
    text = visit.page.locator("body").inner_text()
    assert "make docs-assets" in text and "HEADGATE_ASSETS" in text
    assert visit.page.locator("a[href='/openapi.yaml']").count() == 1
    assert_nothing_foreign(gateway, visit)
    # The rest of the gateway does not need these files.
    with urllib.request.urlopen(f"{gateway.origin}/openapi.json", timeout=10) as answer:
        assert json.load(answer)["openapi"] == "3.1.0"


METHODS = {"get", "put", "post", "delete", "patch"}


def authorize(page, key):
    page.locator(".auth-wrapper .authorize").first.click()
    dialog = page.locator(".modal-ux")
    # The key is typed, because Swagger UI does not notice Playwright's `fill` in Firefox.
    dialog.locator("input[type=text], input[type=password]").first.press_sequentially(key)
    dialog.get_by_role("button", name="Apply credentials").first.click()
    dialog.get_by_role("button", name="Close").last.click()


def assert_nothing_foreign(gateway, visit):
    addresses = [urllib.parse.urlsplit(url) for url in visit.requests]
    # Embedded content has data: URLs, which are not requests.
    foreign = [url for url in addresses if url.scheme != "data" and f"{url.scheme}://{url.netloc}" != gateway.origin]
    assert addresses and foreign == []


def keep_screenshot(page, operation):
    """Writes the picture of the documentation, if HEADGATE_SCREENSHOT is set."""
    page.evaluate("document.body.style.zoom = 0.62")
    operation.locator("textarea").evaluate("area => { area.style.minHeight = 0; area.style.height = '150px' }")
    operation.evaluate("block => block.scrollIntoView()")
    picture = page.screenshot()
    assert len(picture) < 300_000
    if os.environ.get("HEADGATE_SCREENSHOT") or not SCREENSHOT.exists():
        SCREENSHOT.parent.mkdir(parents=True, exist_ok=True)
        SCREENSHOT.write_bytes(picture)
