"""The transports for swift-openapi-runtime, built as in an app, against a stand-in for that package."""

import os
import shutil
import subprocess

import pytest

from conftest import REPOSITORY

pytestmark = pytest.mark.builds

EXAMPLE = REPOSITORY / "Examples" / "openapi-runtime-transport"
BUILD = REPOSITORY / ".build" / "examples"
BUILD_SECONDS = 900


def test_transports_are_built_and_carry_bodies_both_ways(tmp_path):
    copy = tmp_path / "openapi-runtime-transport"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns(".build", "Package.resolved"))
    stand_in = tmp_path / "swift-openapi-runtime"
    shutil.move(copy / "stand-in", stand_in)
    surroundings = {**os.environ, "HEADGATE_PATH": str(REPOSITORY), "OPENAPI_RUNTIME_PATH": str(stand_in)}
    command = ["swift", "build", "--package-path", copy, "--scratch-path", BUILD, "--product", "runtime-greeting"]
    built = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS, env=surroundings)
    assert built.returncode == 0, built.stdout + built.stderr
    assert "warning:" not in built.stdout, built.stdout

    done = subprocess.run([BUILD / "debug" / "runtime-greeting"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["200 Hello, Ada L.! 3 bytes.", "200 Hello, Ada L.! 300000 bytes."]
