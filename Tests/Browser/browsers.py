"""Debian's browsers, headless."""

import contextlib
import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

WANTED = os.environ.get("HEADGATE_BROWSER", "")
IS_FIREFOX = WANTED == "firefox"
# What Playwright cannot do in Debian's Firefox: hear of downloads, give permissions, choose colours, paste files.
chromium_only = pytest.mark.skipif(IS_FIREFOX, reason="Playwright cannot do this in Firefox")

# The same Chromium without its windows, where Debian's package of it is installed: a test takes less than half of the
# processor's time in it. HEADGATE_BROWSER=chromium has the tests run in the whole browser.
CHROMIUM_PROGRAMS = ["chromium"] if WANTED == "chromium" else ["chromium-headless-shell", "chromium"]
# Debian's starts in a container's sandbox, or as root, only without its own; it visits nothing but the gateway.
CHROMIUM = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        yield from _launched(playwright.chromium, CHROMIUM_PROGRAMS, args=CHROMIUM)


@contextlib.contextmanager
def firefox():
    # Playwright speaks WebDriver BiDi with it, of which Firefox ESR lacks one command.
    os.environ["NODE_OPTIONS"] = f"--require={Path(__file__).parent / 'firefox-esr.cjs'}"
    try:
        with sync_playwright() as playwright:
            yield from _launched(playwright.firefox, ["firefox-esr"], channel="moz-firefox")
    finally:
        del os.environ["NODE_OPTIONS"]


def _launched(kind, names: list[str], **options):
    """The first of the programs that is installed."""
    program = next(filter(None, map(shutil.which, names)), None)
    assert program, f"{names[-1]} is missing: run .ci/setup tests first"
    browser = kind.launch(executable_path=program, headless=True, **options)
    try:
        yield browser
    finally:
        browser.close()


MODULES = Path(__file__).resolve().parents[2] / "Sources" / "HeadgatePages" / "Assets"


def serve_modules(page):
    """Gives a page the parts of its script under /modules/, one by one."""

    def serve(route):
        name = route.request.url.rsplit("/", 1)[1]
        route.fulfill(body=(MODULES / name).read_text(), content_type="text/javascript; charset=utf-8")

    page.route("**/modules/*.js", serve)
