"""The gateway's key: requested once, then stored for the tab, or on the device if the user chooses so."""

import secrets

import pytest
from playwright.sync_api import expect

from browsers import IS_FIREFOX
from chat import Chat

STORES = "[{...localStorage}, {...sessionStorage}].map((store) => store['headgate.key'] ?? null)"


@pytest.fixture
def chat(keyed_gateway, talking, visit):
    page = Chat(visit, keyed_gateway.origin)
    page.expected_problems = ["401"]
    yield page
    page.check()


def enter(page, key: str, remember: bool = False):
    page.get_by_label("Gateway key").fill(key)
    page.get_by_label("Remember on this device").set_checked(remember)
    page.get_by_role("button", name="Use key").click()


def is_in(page):
    expect(page.get_by_label("Gateway key")).to_be_hidden()
    expect(page.get_by_role("combobox", name="Model")).to_have_value("talker")


def test_a_key_is_requested_once_and_stored_for_the_tab(chat, talking, keyed_gateway):
    page = chat.page
    page.goto(chat.origin + "/")
    field = page.get_by_label("Gateway key")
    expect(field).to_be_focused()
    field.fill("hg-wrong")
    field.press("Enter")
    expect(page.get_by_text("The gateway does not know this key.")).to_be_visible()
    assert page.evaluate(STORES) == [None, None]
    # A message without a key shows where to enter the key, and can be retried.
    chat.send("Hello")
    expect(chat.last.get_by_role("alert")).to_contain_text("API key")
    enter(page, keyed_gateway.key)
    is_in(page)
    chat.last.get_by_role("button", name="Try again").click()
    talk = talking.next()
    assert talk.said == [("user", "Hello")]
    talk.answer("At last.")
    expect(chat.text).to_have_text("At last.")
    expect(page.locator("#messages > li")).to_have_count(2)
    page.reload()
    is_in(page)
    assert page.evaluate(STORES) == [None, keyed_gateway.key]
    assert keyed_gateway.key not in page.content() and page.evaluate("document.cookie") == ""
    # Other pages in this tab have the key, too; another tab does not.
    page.get_by_role("link", name="Status").click()
    expect(page.get_by_role("heading", name="Money")).to_be_visible()
    other = page.context.new_page()
    other.goto(chat.origin + "/")
    expect(other.get_by_label("Gateway key")).to_be_visible()
    other.close()


def test_a_key_is_remembered_on_request_until_it_is_removed(chat, keyed_gateway):
    page = chat.page
    page.goto(chat.origin + "/")
    enter(page, keyed_gateway.key, remember=True)
    is_in(page)
    other = page.context.new_page()
    other.goto(chat.origin + "/")
    is_in(other)
    other.get_by_role("button", name="Forget key").click()
    expect(other.get_by_label("Gateway key")).to_be_visible()
    assert other.evaluate(STORES) == [None, None]
    other.reload()
    expect(other.get_by_label("Gateway key")).to_be_visible()
    other.close()


@pytest.mark.parametrize("path", ["/", "/status", "/docs"])
def test_a_key_in_the_fragment_is_never_sent_in_a_url(chat, keyed_gateway, path):
    page, key = chat.page, keyed_gateway.key
    page.goto(f"{chat.origin}{path}#key={key}")
    # The key is removed from the address at once, also in the history.
    expect(page).to_have_url(chat.origin + path)
    assert page.evaluate(STORES) == [None, key]
    page.goto(chat.origin + "/")
    is_in(page)
    # The browser reports page requests with their fragment, which is never sent to the gateway.
    assert all(key not in url.partition("#")[0] for url in chat.visit.requests)
    # Playwright would wait for a load that Firefox does not perform.
    if not IS_FIREFOX:
        page.go_back()
        assert key not in page.url


def test_a_wrong_key_in_the_address_is_requested_again(chat):
    for hash in ("#key=hg-wrong", "#key=%E0%A4%A", "#key=", "#key=a%0Ab", "#keys=x"):
        chat.page.goto("about:blank")
        chat.page.goto(f"{chat.origin}/{hash}")
        expect(chat.page.get_by_label("Gateway key")).to_be_visible()
        assert chat.page.evaluate(STORES) == [None, None], hash


def test_a_key_that_is_refused_later_is_forgotten(chat, keyed_gateway):
    page = chat.page
    page.goto(f"{chat.origin}/#key={keyed_gateway.key}")
    is_in(page)
    page.route("**/v1/chat/completions", lambda route: route.fulfill(status=401, json={"error": {"message": "No."}}))
    chat.send("Hello")
    expect(page.get_by_text("The gateway does not know this key.")).to_be_visible()
    assert page.evaluate(STORES) == [None, None]


def test_without_storage_a_key_lasts_for_the_page(chat, keyed_gateway):
    chat.page.add_init_script("for (const name of ['localStorage', 'sessionStorage'])"
                              " Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });")  # fmt: skip
    chat.page.goto(chat.origin + "/")
    enter(chat.page, keyed_gateway.key, remember=True)
    is_in(chat.page)


def test_code_in_the_address_is_exchanged_for_a_key_once(chat, talking, keyed_gateway):
    page = chat.page
    chat.expected_problems.append("404")
    code = page.request.post(
        f"{chat.origin}/v1/admin/pairings", headers={"Authorization": f"Bearer {keyed_gateway.key}"},
        data={"name": f"phone-{secrets.token_hex(4)}"}).json()["code"]  # fmt: skip
    page.goto(f"{chat.origin}/#pair={code}")
    is_in(page)
    # The code works only once, so the key is stored on the device.
    [kept, _] = page.evaluate(STORES)
    assert kept.startswith("hg-") and kept != keyed_gateway.key and code not in page.url
    page.goto("about:blank")
    page.evaluate("null")
    page.goto(f"{chat.origin}/#pair={code}")
    expect(page.get_by_text("This pairing code is unknown")).to_be_visible()
