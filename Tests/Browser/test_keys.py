"""Client keys on /status: created, shown once, rotated and revoked, by mouse and keyboard, also on a phone."""

import json
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from chat import CONTRAST, Chat
from test_status import enter


@pytest.fixture
def keys(fresh_gateway, talking, visit):
    """Opens the page with the owner's key."""
    page = Chat(visit, fresh_gateway.origin)
    page.expected_problems = ["401", "409", "400"]
    page.page.goto(f"{page.origin}/status#keys")
    enter(page.page, fresh_gateway.key)
    expect(page.page.get_by_role("region", name="Keys").get_by_role("row", name=re.compile("^owner"))).to_be_visible()
    yield page
    page.check()


def row(page, name: str):
    return page.get_by_role("region", name="Keys").get_by_role("row", name=re.compile(f"^{name} "))


def status(origin: str, key: str) -> int:
    request = urllib.request.Request(f"{origin}/v1/models", headers={"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            json.load(answer)
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def make(page, name: str) -> str:
    page.get_by_role("button", name="Add a key").click()
    dialog = page.get_by_role("dialog", name="New key")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Make the key").click()
    return shown_once(page, name)


def shown_once(page, name: str) -> str:
    dialog = page.get_by_role("dialog", name=f"The key of {name}")
    key = dialog.get_by_label("The key").input_value()
    assert re.fullmatch(r"hg-[\w-]{43}", key)
    for way, words in (("Environment", "OPENAI_API_KEY="), ("curl", "Bearer "), ("An app, such as", "HEADGATE_KEY=")):
        expect(dialog.get_by_role("group", name=way)).to_contain_text(words + key)
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert key not in page.content()
    # The dialog's close event comes a moment after the dialog closes.
    expect(page.locator("#made-key")).to_have_value("")
    return key


def test_a_key_is_made_shown_once_rotated_and_revoked(keys):
    page = keys.page
    page.get_by_role("button", name="Add a key").click()
    dialog = page.get_by_role("dialog", name="New key")
    dialog.get_by_label("Name").fill("laptop")
    dialog.get_by_label("Models").fill("talker, second")
    dialog.get_by_label("Amount").fill("5")
    dialog.get_by_label("Requests", exact=True).fill("60")
    dialog.get_by_label("Tokens", exact=True).fill("200,000")
    dialog.get_by_label("Tokens in each").select_option("a day")
    dialog.get_by_label("Requests at once").fill("4")
    dialog.get_by_label("Priority").select_option("batch, behind all others")
    dialog.get_by_label("Expires").fill("2099-01-01")
    dialog.get_by_role("button", name="Make the key").click()
    first = shown_once(page, "laptop")
    assert status(keys.origin, first) == 200
    expect(row(page, "laptop")).to_contain_text("talker, second")
    expect(row(page, "laptop")).to_contain_text("60 requests a minute, 200,000 tokens a day, 4 at once, batch")
    expect(row(page, "laptop")).to_contain_text("$5.00 left of $5.00 a month")
    expect(row(page, "laptop")).to_contain_text("Jan 1, 2099")
    page.get_by_role("button", name="Rotate laptop").click()
    sure = page.get_by_role("dialog", name="Rotate laptop?")
    sure.get_by_label("The present key ends").select_option("1h")
    sure.get_by_role("button", name="Rotate").click()
    second = shown_once(page, "laptop")
    assert second != first and [status(keys.origin, key) for key in (first, second)] == [200, 200]
    expect(row(page, "laptop")).to_contain_text("rotated, both let in")
    page.get_by_role("button", name="Revoke laptop").click()
    page.get_by_role("dialog", name="Revoke laptop?").get_by_role("button", name="Revoke").click()
    expect(row(page, "laptop")).to_have_count(0)
    assert [status(keys.origin, key) for key in (first, second)] == [401, 401]


def test_errors_are_shown_in_the_dialog(keys):
    page = keys.page
    make(page, "taken")
    page.get_by_role("button", name="Add a key").click()
    dialog = page.get_by_role("dialog", name="New key")
    dialog.get_by_label("Name").fill("taken")
    dialog.get_by_role("button", name="Make the key").click()
    expect(dialog.get_by_role("alert")).to_contain_text("There is a key 'taken' already")
    dialog.get_by_label("Name").fill("other")
    dialog.get_by_label("Requests", exact=True).fill("much")
    dialog.get_by_role("button", name="Make the key").click()
    expect(dialog.get_by_role("alert")).to_contain_text("expected a rate such as 60/m")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(row(page, "other")).to_have_count(0)


def test_nothing_is_revoked_without_a_confirmation(keys):
    page = keys.page
    key = make(page, "laptop")
    for give_up in (lambda: page.keyboard.press("Escape"), lambda: page.keyboard.press("Enter")):
        page.get_by_role("button", name="Revoke laptop").click()
        dialog = page.get_by_role("dialog", name="Revoke laptop?")
        # The focused button is Cancel, so Enter alone cancels.
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        give_up()
        expect(dialog).to_be_hidden()
    assert status(keys.origin, key) == 200
    # This page cannot change keys of the configuration.
    expect(row(page, "owner").get_by_role("button")).to_have_count(0)


def test_it_works_with_the_keyboard_only(keys):
    page = keys.page
    page.get_by_role("button", name="Add a key").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="New key")
    expect(dialog.get_by_label("Name")).to_be_focused()
    page.keyboard.type("typed")
    page.keyboard.press("Enter")
    made = page.get_by_role("dialog", name="The key of typed")
    expect(made).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Revoke typed").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(row(page, "typed")).to_have_count(0)


def test_keys_fit_a_phone(keys):
    page = keys.page
    page.set_viewport_size({"width": 390, "height": 844})
    make(page, "phone")
    for opener, name in (("Add a key", "New key"), ("Rotate phone", "Rotate phone?"), ("Revoke phone", "Revoke phone?")):
        page.get_by_role("button", name=opener).click()
        dialog = page.get_by_role("dialog", name=name)
        box = dialog.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["height"] <= 844
        assert page.evaluate(CONTRAST) == []
        dialog.get_by_role("button", name="Cancel").click()
    for cell in row(page, "phone").get_by_role("cell").all():
        if cell.inner_text() != "":
            box = cell.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
