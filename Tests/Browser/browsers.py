"""Debian's browsers, run without a window."""

import contextlib
import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

WANTED = os.environ.get("HEADGATE_BROWSER", "")
IS_FIREFOX = WANTED == "firefox"
# Playwright cannot test downloads, permissions, color schemes and pasted files in Debian's Firefox.
chromium_only = pytest.mark.skipif(IS_FIREFOX, reason="Playwright cannot do this in Firefox")

# Chromium's headless shell, if Debian's package is installed, needs less than half of the processor time for a test.
# HEADGATE_BROWSER=chromium runs the tests in the full browser.
CHROMIUM_PROGRAMS = ["chromium"] if WANTED == "chromium" else ["chromium-headless-shell", "chromium"]
# In a container or as root, Debian's Chromium starts only without its sandbox. It visits only the gateway.
CHROMIUM = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        yield from _launched(playwright.chromium, CHROMIUM_PROGRAMS, args=CHROMIUM)


@contextlib.contextmanager
def firefox():
    # Playwright uses WebDriver BiDi, of which Firefox ESR lacks one command.
    os.environ["NODE_OPTIONS"] = f"--require={Path(__file__).parent / 'firefox-esr.cjs'}"
    try:
        with sync_playwright() as playwright:
            yield from _launched(playwright.firefox, ["firefox-esr"], channel="moz-firefox")
    finally:
        del os.environ["NODE_OPTIONS"]


def _launched(kind, names: list[str], **options):
    """Launches the first of the programs that is installed."""
    program = next(filter(None, map(shutil.which, names)), None)
    assert program, f"{names[-1]} is missing: run .ci/setup tests first"
    browser = kind.launch(executable_path=program, headless=True, **options)
    try:
        yield browser
    finally:
        browser.close()


MODULES = Path(__file__).resolve().parents[2] / "Sources" / "HeadgatePages" / "Assets"


def serve_modules(page):
    """Serves the modules of a page's script, one by one, under /modules/."""

    def serve(route):
        name = route.request.url.rsplit("/", 1)[1]
        route.fulfill(body=(MODULES / name).read_text(), content_type="text/javascript; charset=utf-8")

    page.route("**/modules/*.js", serve)
