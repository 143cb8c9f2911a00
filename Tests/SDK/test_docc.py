"""The DocC catalog of each product that an app imports, built without a warning by the toolchain's own docc."""

import re
import shutil
import subprocess

import pytest

from conftest import BINARIES, REPOSITORY

MODULES = BINARIES / "Modules"
CATALOGUES = sorted((REPOSITORY / "Sources").glob("*/*.docc"))

pytestmark = [
    pytest.mark.skipif(not MODULES.is_dir(), reason="these binaries come without their modules"),
    pytest.mark.skipif(not shutil.which("docc"), reason="the toolchain has no docc"),
]


def built(tmp_path, module, catalogue):
    """Returns docc's warnings for a module with this catalog."""
    graphs = tmp_path / "graphs"
    graphs.mkdir()
    folders = [MODULES, *(path.parent for path in (REPOSITORY / "Sources").rglob("module.modulemap"))]
    target = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True, timeout=60)
    triple = re.search(r'"unversionedTriple": "([^"]+)"', target.stdout)[1]
    extract = ["swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-skip-inherited-docs",
               *[option for folder in folders for option in ("-I", folder)], "-minimum-access-level", "public",
               "-output-dir", graphs]
    done = subprocess.run(extract, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for extension in graphs.glob("*@*.json"):  # types of other modules, which have separate catalogues
        extension.unlink()
    convert = ["docc", "convert", catalogue, "--additional-symbol-graph-dir", graphs, "--output-path", tmp_path / "out",
               "--fallback-display-name", module, "--fallback-bundle-identifier", f"headgate.{module}",
               "--ide-console-output"]
    done = subprocess.run(convert, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    # A parameter with a self-explanatory name has no documentation here, even next to a documented one.
    return [line for line in (done.stdout + done.stderr).splitlines()
            if ("warning:" in line or "error:" in line) and not re.search(r"Parameter '.*' is missing documentation", line)]


def test_every_product_has_a_catalogue():
    manifest = (REPOSITORY / "Package.swift").read_text()
    products = set(re.findall(r'\.library\(name: "(\w+)"', manifest))
    assert products == {path.stem for path in CATALOGUES}


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_catalogue_builds_without_a_warning(tmp_path, catalogue):
    assert built(tmp_path, catalogue.stem, catalogue) == []


def test_broken_link_is_found(tmp_path):
    catalogue = tmp_path / "HeadgateOpenAPI.docc"
    catalogue.mkdir()
    (catalogue / "HeadgateOpenAPI.md").write_text("# ``HeadgateOpenAPI``\n\nSee ``NoSuchType``.\n")
    assert any("NoSuchType" in line for line in built(tmp_path, "HeadgateOpenAPI", catalogue))
