"""The software bill of materials: complete, correct, and reproducible."""

import hashlib
import json
import re
import time

import pytest

import packages
from service import HEADGATE, REPOSITORY

# The loader and the C library belong to the system that the program runs on.
GLIBC = re.compile(r"ld-linux.*|lib(c|m|dl|pthread|rt|resolv)\.so\.\d+")
# A debug build loads Swift's libraries; a release links them statically.
SWIFT = re.compile(r"lib(swift|dispatch|BlocksRuntime|_?Foundation).*\.so")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return packages.run("deploy/build-sbom", tmp_path_factory.mktemp("sbom"))


@pytest.fixture(scope="module")
def document(path):
    with open(path) as file:
        return json.load(file)


def files(document):
    return {file["name"]: file for one in document["components"] for file in one.get("components", [])}


def sha256(component):
    (digest,) = [one["content"] for one in component["hashes"] if one["alg"] == "SHA-256"]
    return digest


def test_document_has_the_required_members(document):
    assert (document["bomFormat"], document["specVersion"], document["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", document["serialNumber"])
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(packages.source_date()))
    assert document["metadata"]["timestamp"] == date
    assert document["metadata"]["component"]["name"] == "headgate"
    assert document["metadata"]["component"]["version"] == packages.run(HEADGATE, "--version")


def test_every_component_has_a_version_a_licence_and_an_address(document):
    for one in document["components"]:
        assert one["version"] and one["name"] and one["type"], one
        (licence,) = one["licenses"]
        assert licence.get("expression") or licence["license"]["id"], one
        assert re.fullmatch(r"pkg:[a-z]+/[^ ]+@[^ ]+", one["purl"]), one
    references = [one["bom-ref"] for one in document["components"]]
    assert len(set(references)) == len(references)
    (root,) = document["dependencies"]
    assert root["ref"] == document["metadata"]["component"]["bom-ref"]
    assert set(root["dependsOn"]) == {one["bom-ref"] for one in document["components"] if one["scope"] != "excluded"}


def test_every_package_of_the_manifest_is_listed(document):
    locations = re.findall(r'\.package\(url: "https://([^"]+)"', (REPOSITORY / "Package.swift").read_text())
    assert len(locations) > 2
    listed = {one["purl"].rpartition("@")[0]: one for one in document["components"]}
    for location in locations:
        one = listed[f"pkg:swift/{location}"]
        (checkout,) = [reference["url"] for reference in one["externalReferences"] if reference["type"] == "vcs"]
        assert re.fullmatch(rf"git\+https://{location}@[0-9a-f]{{40}}", checkout)


def test_every_library_that_the_program_loads_is_listed(document):
    loaded = dict(re.findall(r"^\s*(\S+) => (/\S+)", packages.run("ldd", HEADGATE), re.M))
    expected = {name: path for name, path in loaded.items() if not GLIBC.fullmatch(name) and not SWIFT.fullmatch(name)}
    assert {"libssl.so.3", "libz.so.1"} < set(expected)
    for name, path in expected.items():
        with open(path, "rb") as file:
            assert sha256(files(document)[name]) == hashlib.sha256(file.read()).hexdigest(), name
    assert {"libsqlite3.so.0", "libpq.so.5"} < set(files(document))


def test_every_file_of_the_pages_is_listed(document):
    script = (REPOSITORY / "deploy" / "install").read_text()
    names = re.search(r"^for file in (swagger-ui-bundle\.js [^;]+);", script, re.M)[1].split()
    assert len(names) > 3
    for name in names:
        path = REPOSITORY / ".build" / "assets" / "swagger-ui" / name
        assert sha256(files(document)[name]) == hashlib.sha256(path.read_bytes()).hexdigest(), name


def test_runtime_and_model_of_the_device_are_listed_with_their_digests(document):
    script = (REPOSITORY / "Sources" / "HeadgateUpstream" / "OnDevice" / "on_device.py").read_text()
    pinned = set(re.findall(r'^ {8}"([0-9a-f]{64})",', script, re.M))
    assert len(pinned) > 5
    listed = {
        sha256(reference) for one in document["components"] for reference in one.get("externalReferences", [])
        if reference["type"] == "distribution" and one["scope"] == "optional"}
    assert listed == pinned
    models = [one["name"] for one in document["components"] if one["type"] == "machine-learning-model"]
    assert models == re.findall(r'^MODEL_FILE = "(.+)"$', script, re.M)


def test_two_runs_are_equal_and_another_date_is_another_document(path, document, tmp_path):
    with open(path) as first, open(packages.run("deploy/build-sbom", tmp_path)) as second:
        assert first.read() == second.read()
    with open(packages.run("deploy/build-sbom", tmp_path, SOURCE_DATE_EPOCH="1700000000")) as other:
        assert json.load(other)["serialNumber"] != document["serialNumber"]
