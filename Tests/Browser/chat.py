"""The chat page as a reader uses it."""

import urllib.parse

from playwright.sync_api import expect

# Finds texts with too little contrast to their background, by the ratio of WCAG 2.1.
CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return rgba("white");
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (text.data.trim() === "" || !node.checkVisibility()) continue;
    if (node.closest(":disabled, option, .unseen, .skip")) continue;
    const [one, other] = [rgba(getComputedStyle(node).color), behind(node)].map(luminance);
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${text.data.trim().slice(0, 40)} (${node.className})`);
  }
  return found;
}"""


def wait_for_models(page):
    expect(page.get_by_role("combobox", name="Model")).not_to_have_value("")


def open_settings(page):
    """Opens the settings drawer, unless it is open."""
    if page.locator("#settings").is_hidden():
        page.get_by_role("button", name="Settings").click()


def act_on(page, action: str, title: str):
    """Renames or deletes a conversation through its menu."""
    page.get_by_label(f"Options of {title}", exact=True).click()
    page.get_by_role("button", name=f"{action} {title}", exact=True).click()


class Chat:
    def __init__(self, visit, origin: str):
        self.visit = visit
        self.page = visit.page
        self.origin = origin
        # Console messages that the test expects, each by a part of its text.
        self.expected_problems = []
        self.page.on("dialog", self._refuse)

    def open(self):
        self.page.goto(self.origin + "/")
        wait_for_models(self.page)

    def choose(self, model: str):
        picker = self.page.get_by_role("combobox", name="Model")
        picker.fill(model)
        picker.press("Enter")
        expect(picker).to_have_value(model)

    @property
    def prompt(self):
        return self.page.get_by_role("textbox", name="Message")

    @property
    def last(self):
        """The bubble of the last message."""
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
        """Checks that no foreign address was requested, and that there was no unexpected problem."""
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
