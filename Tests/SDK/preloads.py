"""Libraries that LD_PRELOAD loads before the system's in a program under test."""

import os
import shutil
import subprocess
from pathlib import Path


def preload(name: str, folder: Path, sources: Path = Path(__file__).parent) -> Path:
    """Builds the library of the C file with that name in `sources`; returns its path."""
    # A Swift toolchain includes clang, in case there is no other compiler.
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    assert compiler, "no C compiler is in PATH"
    library = folder / f"{name}.so"
    source = sources / f"{name}.c"
    command = [compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source, "-ldl"]
    subprocess.run(list(map(str, command)), check=True, timeout=60, env={"PATH": os.environ["PATH"]})
    return library
