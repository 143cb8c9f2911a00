"""Archive, wheel and Debian package: reproducible, complete, and verifiable by signed checksums."""

import base64
import csv
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

import packages
from service import REPOSITORY

PAGE = (REPOSITORY / "docs" / "deployment.md").read_text()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return packages.program(tmp_path_factory.mktemp("program"))


@pytest.fixture(scope="module")
def built(program, tmp_path_factory):
    return packages.build(program, tmp_path_factory.mktemp("built"))


def test_packages_of_the_same_program_are_equal(program, built, tmp_path):
    # The second builder has another time zone, collation, and umask.
    before = os.umask(0o077)
    try:
        again = packages.build(program, tmp_path, TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
    finally:
        os.umask(before)
    assert [path.name for path in again] == [path.name for path in built]
    for first, second in zip(built, again):
        assert first.read_bytes() == second.read_bytes(), first.name


def test_packages_have_the_date_of_the_commit(built):
    archive, wheel, package = built
    date = packages.source_date()
    with tarfile.open(archive) as file:
        assert {member.mtime for member in file} == {date}
        assert {(member.uid, member.gid, member.uname, member.gname) for member in file} == {(0, 0, "", "")}
    with zipfile.ZipFile(wheel) as file:
        assert {one.date_time[:5] for one in file.infolist()} == {time.gmtime(date)[:5]}
    bytes = package.read_bytes()
    # The first member's header follows the eight bytes of ar's magic.
    assert int(bytes[8 + 16:8 + 28]) == date
    listed = packages.run("dpkg-deb", "--contents", package, TZ="UTC")
    day = time.strftime("%Y-%m-%d %H:%M", time.gmtime(date))
    assert all(f" {day} ./" in line for line in listed.splitlines()), listed


def test_another_date_produces_different_packages(program, built, tmp_path):
    other = packages.build(program, tmp_path, SOURCE_DATE_EPOCH="1700000000")
    assert all(first.read_bytes() != second.read_bytes() for first, second in zip(built, other))


def test_wheel_has_the_program_and_a_true_record(built, program):
    archive, wheel, _ = built
    name, version, *tag = wheel.stem.split("-")
    assert (name, version, tag[:2]) == ("headgate", "1.2.3", ["py3", "none"])
    with zipfile.ZipFile(wheel) as file, tarfile.open(archive) as packed:
        assert file.read("headgate-1.2.3.data/scripts/headgate") == program.read_bytes()
        assert file.getinfo("headgate-1.2.3.data/scripts/headgate").external_attr >> 16 == 0o100755
        assert f"Tag: {'-'.join(tag)}\n" in file.read("headgate-1.2.3.dist-info/WHEEL").decode()
        rows = list(csv.reader(file.read("headgate-1.2.3.dist-info/RECORD").decode().splitlines()))
        assert [row[0] for row in rows] == file.namelist()
        assert rows.pop() == ["headgate-1.2.3.dist-info/RECORD", "", ""]
        for path, digest, size in rows:
            bytes = file.read(path)
            sha256 = base64.urlsafe_b64encode(hashlib.sha256(bytes).digest()).decode().rstrip("=")
            assert (digest, int(size)) == (f"sha256={sha256}", len(bytes)), path
        # The wheel contains every file of the archive except its README.
        assert len([one for one in packed if one.isfile()]) - 1 == len(rows) - len(["METADATA", "WHEEL"])


def test_wheel_requires_the_glibc_of_its_program(built):
    archive, wheel, _ = built
    folder = wheel.parent / "unpacked"
    folder.mkdir()
    packages.run("tar", "-xzf", archive, "-C", folder)
    needed = {0}
    for file in [*folder.glob("*/bin/headgate"), *folder.glob("*/lib/headgate/*")]:
        versions = packages.run("readelf", "--version-info", "--wide", file)
        needed |= {int(minor) for minor in re.findall(r"Name: GLIBC_2\.(\d+)", versions)}
    assert f"-manylinux_2_{max(needed)}_" in wheel.name


# Signed checksums


def make_key(path: Path) -> str:
    path.parent.mkdir(exist_ok=True)
    packages.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path)
    return str(path)


def shell(folder: Path, commands: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["bash", "-uc", commands], cwd=folder, env=os.environ | {"HOME": str(folder.parent)}, text=True,
        capture_output=True, timeout=20)


def verify(folder: Path) -> subprocess.CompletedProcess:
    """Verifies the files with the commands of the page."""
    return shell(folder, re.search(r"^```sh\n(ssh-keygen -Y verify.*?)^```", PAGE, re.M | re.S)[1])


@pytest.fixture
def release(built, tmp_path):
    """Returns a folder with signed packages, and the page's file with the trusted key."""
    folder = tmp_path / "release"
    folder.mkdir()
    for path in built:
        shutil.copy(path, folder)
    packages.run("deploy/sign-release", folder, RELEASE_KEY=make_key(tmp_path / ".ssh" / "headgate_release"))
    done = shell(folder, re.search(r"^echo .*allowed_signers$", PAGE, re.M)[0])
    assert done.returncode == 0, done.stderr
    return folder


def test_signed_sums_of_every_package_verify(release, built):
    done = verify(release)
    assert done.returncode == 0, done.stdout + done.stderr
    listed = [line.split()[1] for line in (release / "SHA256SUMS").read_text().splitlines()]
    assert listed == sorted(path.name for path in built)


def test_download_of_one_package_verifies(release, built):
    for path in built[1:]:
        (release / path.name).unlink()
    done = verify(release)
    assert done.returncode == 0, done.stdout + done.stderr


def test_altered_package_does_not_verify(release, built):
    path = release / built[1].name
    path.write_bytes(path.read_bytes() + b"\0")
    done = verify(release)
    assert done.returncode != 0 and f"{path.name}: FAILED" in done.stdout


def test_altered_sums_do_not_verify(release, built):
    path = release / built[1].name
    path.write_bytes(path.read_bytes() + b"\0")
    sums = release / "SHA256SUMS"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    sums.write_text(re.sub(rf"^\w+(?=  {re.escape(path.name)}$)", digest, sums.read_text(), flags=re.M))
    done = verify(release)
    # After an invalid signature, no file is reported as good.
    assert done.returncode != 0 and "OK" not in done.stdout, done.stdout + done.stderr
    assert "incorrect signature" in done.stdout + done.stderr


def test_sums_that_another_key_signed_do_not_verify(release, tmp_path):
    packages.run("deploy/sign-release", release, RELEASE_KEY=make_key(tmp_path / "other"))
    done = verify(release)
    assert done.returncode != 0 and "OK" not in done.stdout, done.stdout + done.stderr
    assert "Could not verify signature" in done.stdout + done.stderr


def test_sums_without_a_key_are_not_signed(release):
    environment = {name: value for name, value in os.environ.items() if name != "RELEASE_KEY"}
    done = subprocess.run(
        [REPOSITORY / "deploy/sign-release", release], env=environment, text=True, capture_output=True, timeout=20)
    assert done.returncode == 0 and "not signed" in done.stderr
    # The signature of the earlier checksums is removed.
    assert not (release / "SHA256SUMS.sig").exists()
