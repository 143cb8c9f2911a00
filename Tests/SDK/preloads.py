"""Libraries that are loaded before the system's in a program under test, by LD_PRELOAD."""

import os
import shutil
import subprocess
from pathlib import Path


def preload(name: str, folder: Path, sources: Path = Path(__file__).parent) -> Path:
    """The library built from the C file with that name next to the tests."""
    # A Swift toolchain includes a clang, if there is no other compiler.
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    assert compiler, "no C compiler is in PATH"
    library = folder / f"{name}.so"
    source = sources / f"{name}.c"
    command = [compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source, "-ldl"]
    subprocess.run(list(map(str, command)), check=True, timeout=60, env={"PATH": os.environ["PATH"]})
    return library
