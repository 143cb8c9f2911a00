"""The checklist of a release, with a stand-in for `make` instead of the long checks."""

import os
import re
import subprocess

import pytest

from service import REPOSITORY

MAKE = """#!/bin/sh
echo "output of $1"
case $1 in
    soak) echo "a request was lost" >&2; exit 2 ;;
    image) echo "image-test: skipped: buildah is not here" ;;
esac
"""


@pytest.fixture
def check(tmp_path):
    (tmp_path / "make").write_text(MAKE)
    (tmp_path / "make").chmod(0o755)
    report = tmp_path / "report.md"

    def check(steps=None):
        environment = {name: value for name, value in os.environ.items() if name != "STEPS"}
        environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
        if steps is not None:
            environment["STEPS"] = steps
        done = subprocess.run(
            [REPOSITORY / ".ci/release-check", report], env=environment, text=True, capture_output=True, timeout=60)
        return done, report.read_text() if report.exists() else None

    return check


def rows(report):
    return dict(re.findall(r"^\| make (\S+) \| (.+?) \| \d+ min \d\d s \| [0-9a-f]{8}\S* ?.*\|$", report, re.M))


def test_all_steps_run_although_one_fails(check):
    done, report = check()
    assert done.returncode == 1
    assert rows(report) == {
        "test": "passed", "sanitize": "passed", "soak": "failed (2)", "agents": "passed", "deb": "passed",
        "dist": "passed", "wheel": "passed", "image": "skipped: buildah is not here", "sbom": "passed",
        "bench": "passed"}
    # The report quotes only the output of failed steps.
    assert "a request was lost" in report and "output of bench" not in report


def test_chosen_steps_run_in_order(check):
    done, report = check("wheel sbom")
    assert done.returncode == 0, done.stderr
    assert list(rows(report)) == ["wheel", "sbom"]


def test_unknown_step_runs_nothing(check):
    done, report = check("wheel typo")
    assert (done.returncode, report) == (64, None)
    assert "'typo'" in done.stderr and "sbom" in done.stderr
