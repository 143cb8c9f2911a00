"""The manual page equals the command's help, and renders."""

import subprocess

from conftest import REPOSITORY, binary

PAGE = REPOSITORY / "deploy" / "headgate.1"


def test_page_equals_the_commands_help():
    written = subprocess.run(
        [REPOSITORY / ".ci" / "manual", binary("headgate")], capture_output=True, text=True, check=True, timeout=60).stdout
    assert PAGE.read_text() == written, "the commands have changed: run `make manual`"


def test_page_passes_mandoc_lint():
    result = subprocess.run(["mandoc", "-T", "lint", "-W", "style", PAGE], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_examples_are_printed_as_they_are_typed():
    result = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=200", PAGE], capture_output=True, text=True, timeout=60)
    # The overprinting of bold and underlined text is removed.
    text = "".join(
        character for index, character in enumerate(result.stdout)
        if character != "\b" and result.stdout[index + 1 : index + 2] != "\b")
    for line in ("headgate doctor --json | jq '.checks[] | select(.verdict == \"failed\")'", "headgate run -- env | grep -E '_BASE_URL|_KEY'"):
        assert line in text
