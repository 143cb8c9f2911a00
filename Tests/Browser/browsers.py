"""Debian's browsers, headless."""

import contextlib
import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

IS_FIREFOX = os.environ.get("HEADGATE_BROWSER") == "firefox"
# What Playwright cannot do in Debian's Firefox: hear of downloads, give permissions, choose colours, paste files.
chromium_only = pytest.mark.skipif(IS_FIREFOX, reason="Playwright cannot do this in Firefox")

# Debian's starts in a container's sandbox, or as root, only without its own; it visits nothing but the gateway.
CHROMIUM = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        yield from _launched(playwright.chromium, "chromium", args=CHROMIUM)


@contextlib.contextmanager
def firefox():
    # Playwright speaks WebDriver BiDi with it, of which Firefox ESR lacks one command.
    os.environ["NODE_OPTIONS"] = f"--require={Path(__file__).parent / 'firefox-esr.cjs'}"
    try:
        with sync_playwright() as playwright:
            yield from _launched(playwright.firefox, "firefox-esr", channel="moz-firefox")
    finally:
        del os.environ["NODE_OPTIONS"]


def _launched(kind, name: str, **options):
    program = shutil.which(name)
    assert program, f"{name} is missing: run .ci/setup tests first"
    browser = kind.launch(executable_path=program, headless=True, **options)
    try:
        yield browser
    finally:
        browser.close()
