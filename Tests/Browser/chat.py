"""The chat page as a reader uses it."""

import urllib.parse

from playwright.sync_api import expect


class Chat:
    def __init__(self, visit, origin: str):
        self.visit = visit
        self.page = visit.page
        self.origin = origin
        # What the test expects the browser to report on its console, by a part of its text.
        self.expected_problems = []
        self.page.on("dialog", self._refuse)
        self.page.context.on("download", lambda _: None)

    def open(self):
        self.page.goto(self.origin + "/")
        expect(self.page.get_by_role("combobox", name="Model")).to_contain_text("Another")

    @property
    def prompt(self):
        return self.page.get_by_role("textbox", name="Message")

    @property
    def last(self):
        """The last bubble."""
        return self.page.locator("#messages > li").last.locator(".bubble")

    @property
    def text(self):
        return self.last.locator(".text")

    def send(self, text: str):
        self.prompt.fill(text)
        self.prompt.press("Enter")

    def ask(self, upstream, question: str, answer: str):
        self.send(question)
        upstream.next().answer(answer)
        expect(self.last.locator(".figures")).to_be_visible()

    def check(self):
        """Nothing foreign was asked for, and nothing that the test did not expect went wrong."""
        for url in self.visit.requests:
            parts = urllib.parse.urlsplit(url)
            assert parts.scheme in ("data", "blob") or f"{parts.scheme}://{parts.netloc}" == self.origin, url
        surprises = [
            problem for problem in self.visit.problems if not any(part in problem for part in self.expected_problems)
        ]
        assert surprises == [], surprises

    def _refuse(self, dialog):
        self.visit.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()
