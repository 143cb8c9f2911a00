"""The generator's example, its client and its server, built as in an app: in a copy elsewhere that depends on the
products only."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import REPOSITORY

pytestmark = pytest.mark.builds

EXAMPLE = REPOSITORY / "Examples" / "greeting"
BUILD = REPOSITORY / ".build" / "examples"
BUILD_SECONDS = 900
MODES = ["swift5", "swift6", "main-actor"]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Copies the example. Its build folder is reused between runs, because the modes differ only in the example."""
    copy = tmp_path_factory.mktemp("greeting") / "greeting"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns(".build", "Package.resolved"))
    return copy


@pytest.mark.parametrize("mode", MODES)
def test_greeting_is_built_and_run(package, mode):
    surroundings = {**os.environ, "GREETING_MODE": mode, "HEADGATE_PATH": str(REPOSITORY)}
    command = ["swift", "build", "--package-path", package, "--scratch-path", BUILD, "--product", "greeting"]
    built = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS, env=surroundings)
    assert built.returncode == 0, built.stdout + built.stderr
    # The output includes warnings of the example and of its generated code.
    assert "warning:" not in built.stdout, built.stdout

    done = subprocess.run([BUILD / "debug" / "greeting"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    greeting, order, failures, callers = done.stdout.splitlines()
    assert greeting == "Hello, Ada & Grace!"
    assert order == "outer > inner > < inner < outer"
    retried = re.fullmatch(r"30 of 30 greetings, (\d+) failures retried", failures)
    assert retried and int(retried[1]) > 5
    assert callers == "welcomeMessage by App-OS Linux, Client-Id greeting-example"


def test_generator_names_the_place_of_unsupported_parts(package):
    """Expects that an unsupported document fails the build."""
    document = package / "Sources" / "greeting" / "openapi.yaml"
    text = document.read_text()
    document.write_text(text.replace("'3.1.0'", "'2.0'"))
    try:
        surroundings = {**os.environ, "GREETING_MODE": MODES[-1], "HEADGATE_PATH": str(REPOSITORY)}
        command = ["swift", "build", "--package-path", package, "--scratch-path", BUILD, "--product", "greeting"]
        built = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS, env=surroundings)
    finally:
        document.write_text(text)
    assert built.returncode != 0
    assert "openapi.yaml:1:10: error: only OpenAPI 3.0, 3.1 and 3.2 are supported, not 2.0" in built.stdout + built.stderr
