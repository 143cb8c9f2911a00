"""The documents for users: every link resolves, pages are short, and `headgate check` accepts their configurations."""

import re
import subprocess
from pathlib import Path

import pytest

from certificates import Authority
from conftest import REPOSITORY, binary, environment
from patience import RUN_SECONDS

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("**/*.md"))]
# Reference tables and records, which are generated or grow with the project. A test of the code reads most of them.
LONG = {"CHANGELOG", "checks", "dialects", "errors", "performance", "routes"}
# Pages whose configurations are complete examples.
WHOLE = ["README.md", *(f"docs/{name}.md" for name in (
    "apps", "fallback", "keys", "passthrough", "privacy",
    "providers", "remote", "setup", "troubleshooting"))]
# First keys of Headgate's own files; the other files on these pages belong to apps.
HEADGATES = re.compile(r"^(listen|allowed_origins|public_url|upstreams):", re.M)


def prose(text: str) -> str:
    """Returns the text without code blocks and code spans, which contain no links or headings."""
    return re.sub(r"`[^`\n]*`", "`", re.sub(r"^( *)(```|~~~).*?^\1\2", "", text, flags=re.M | re.S))


def anchors(path: Path) -> set[str]:
    """Returns the anchors that GitHub derives from headings, and the explicit ones."""
    text = re.sub(r"^( *)(```|~~~).*?^\1\2", "", path.read_text(), flags=re.M | re.S)
    found = set(re.findall(r'<a id="([^"]+)">', text))
    for heading in re.findall(r"^#{1,6} +(.+?) *$", text, re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while (name if number == 0 else f"{name}-{number}") in found:
            number += 1
        found.add(name if number == 0 else f"{name}-{number}")
    return found


def broken(page: Path, text: str) -> list[str]:
    """Returns the broken relative links of a page."""
    found = []
    for target in re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", prose(text)):
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or anchor and (file.suffix != ".md" or anchor not in anchors(file)):
            found.append(target)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_links_resolve(page):
    assert broken(page, page.read_text()) == []


def test_broken_links_are_found():
    page = REPOSITORY / "README.md"
    planted = "[a](docs/none.md) [b](docs/keys.md#none) [c](#none) [d](LICENSE#none) `[e](none)`\n```\n[f](none)\n```\n"
    assert broken(page, planted) == ["docs/none.md", "docs/keys.md#none", "#none", "LICENSE#none"]
    assert broken(page, "[a](docs/keys.md#two-kinds-of-keys) [b](#security) [c](docs/routes.md#keys) [d](docs/images)") == []


def test_readme_is_short_and_names_the_test_command():
    text = (REPOSITORY / "README.md").read_text()
    assert len(text.split()) < 1200
    assert re.search(r"^make test\b", text, re.M)


def test_pages_are_short():
    lengths = {page.stem: len(page.read_text().split()) for page in (REPOSITORY / "docs").glob("*.md")}
    assert {name: words for name, words in lengths.items() if words > 2500 and name not in LONG} == {}


def test_index_has_every_page():
    index = (REPOSITORY / "docs" / "README.md").read_text()
    pages = {page.name for page in (REPOSITORY / "docs").glob("*.md")} - {"README.md"}
    assert [name for name in sorted(pages) if not re.search(rf"\]\({re.escape(name)}[)#]", index)] == []


def test_ten_questions_are_two_clicks_from_the_readme():
    """The page is one link from the README, and the section a second; the link test checks that both exist."""
    checks = (REPOSITORY / "docs" / "checks.md").read_text()
    table = checks[checks.index("## Ten questions"):]
    assert len(re.findall(r"^\| .*\? \|", table, re.M)) == 10
    linked = set(re.findall(r"\]\(docs/([\w-]+\.md)", (REPOSITORY / "README.md").read_text()))
    assert set(re.findall(r"\]\(([\w-]+\.md)", table)) <= linked


def unproven(text: str, tests: dict[str, str]) -> list[str]:
    """Returns the table rows that name no test, or one that does not exist."""
    found = []
    for table in re.findall(r"^\|---.*\n((?:\|.*\n)+)", text, re.M):
        for row in table.splitlines():
            named = re.findall(r"`(\w*Tests|test_\w+)\.(\w+)`", row)
            missing = [
                f"{file}.{name}" for file, name in named
                if not re.search(rf"(func|def) {name}\(", tests.get(file, ""))]
            if missing or not named and "no test yet" not in row and not re.search(r"`\w+Tests`", row):
                found.append(f"{row[:60]}: {missing}")
    return found


@pytest.mark.parametrize("page", sorted((REPOSITORY / "docs").glob("reliability*.md")), ids=lambda page: page.stem)
def test_every_fault_names_an_existing_test(page):
    tests: dict[str, str] = {}
    for file in (REPOSITORY / "Tests").rglob("*.*"):
        # Files with the same name in two suites count as one.
        if file.suffix in (".swift", ".py"):
            tests[file.stem] = tests.get(file.stem, "") + file.read_text()
    assert unproven(page.read_text(), tests) == []


def test_rows_without_their_test_are_found():
    head = "| fault | tests |\n|---|---|\n"
    tests = {"SomeTests": "@Test func works() {}", "test_some": "def test_works():"}
    for row in ("`SomeTests.works`", "`test_some.test_works`", "no test yet"):
        assert unproven(f"{head}| a | {row} |\n", tests) == []
    for row in ("", "`SomeTests.fails`", "`OtherTests.works`", "`SomeTests.works`, `SomeTests.work`"):
        assert len(unproven(f"{head}| a | {row} |\n", tests)) == 1


def configurations() -> list[tuple[str, str]]:
    blocks = re.compile(r"^```yaml\n(.*?)^```$", re.M | re.S)
    return [
        (name, text) for name in WHOLE for text in blocks.findall((REPOSITORY / name).read_text())
        if HEADGATES.search(text)]


@pytest.mark.parametrize(("name", "text"), configurations())
def test_configurations_are_accepted(tmp_path, name, text):
    # The reader is expected to have these files.
    if "/etc/headgate/ca.pem" in text:
        text = text.replace("/etc/headgate/ca.pem", str(Authority(tmp_path / "authority").file))
    for file in re.findall(r"/etc/headgate/tls/(\w+\.pem)", text):
        (tmp_path / file).touch()
    for file in re.findall(r"\{file: (/[\w/-]+)\}", text):
        secret = tmp_path / Path(file).name
        secret.touch(0o600)
        secret.write_text("a-secret-of-a-reader\n")
        text = text.replace(file, str(secret))
    path = tmp_path / "headgate.yaml"
    path.write_text(text.replace("/etc/headgate/tls", str(tmp_path)))
    variables = {name: f"sk-{name}-of-a-reader" for name in re.findall(r"\$\{(\w+)\}", text)}
    done = subprocess.run(
        [binary("headgate"), "check", "--quiet", "--config", path], capture_output=True, text=True, timeout=RUN_SECONDS,
        env=environment(tmp_path, **variables))
    assert done.returncode == 0, done.stderr
    # The page mentions the first warning, and its reader has the programs of the others.
    warnings = re.sub(r"^warning: .* has no TLS: .*\n", "", done.stderr, flags=re.M)
    assert re.sub(r"^warning: .*: the command '.*' (is not in PATH|cannot be executed).*\n", "", warnings, flags=re.M) == ""
