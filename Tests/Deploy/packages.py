"""Packages of a small program that replaces headgate, so that they build in seconds."""

import os
import subprocess
from pathlib import Path

from service import REPOSITORY

PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "--version") == 0) puts("1.2.3");
    return 0;
}
"""


def run(*command, **variables) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=REPOSITORY, env=os.environ | variables, text=True, capture_output=True,
        timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def source_date() -> int:
    return int(run("deploy/source-date"))


def program(folder: Path) -> Path:
    path = folder / "headgate"
    source = folder / "headgate.c"
    source.write_text(PROGRAM)
    run(os.environ.get("CC", "cc"), "-o", path, source)
    return path


def build(program: Path, folder: Path, **variables) -> tuple[Path, Path, Path]:
    """Builds the archive, the wheel and the Debian package."""
    archive = run("deploy/build-archive", program, folder, **variables)
    wheel = run("deploy/build-wheel", archive, folder, **variables)
    return Path(archive), Path(wheel), Path(run("deploy/build-deb", program, folder, **variables))
