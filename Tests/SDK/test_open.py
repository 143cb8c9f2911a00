"""`headgate open`: only the browser gets the key."""

import json
import subprocess

from conftest import binary
from gateways import KEY, KEYS, command, gateways, surroundings, wait_until
from upstreams import local_upstream

# Records its argument, and the content of the file that the argument names.
BROWSER = """#!/usr/bin/env python3
import json, os, sys
note = {"arguments": sys.argv[1:], "file": None}
if os.path.isfile(sys.argv[1]):
    path = sys.argv[1]
    note["file"] = open(path).read()
    note["modes"] = [os.stat(p).st_mode & 0o777 for p in (path, os.path.dirname(path))]
with open(os.path.join(os.path.dirname(sys.argv[0]), "opened"), "w") as out:
    json.dump(note, out)
"""


def running(gateways, local_upstream, keys=KEYS):
    text = f'listen: 127.0.0.1:0\nupstreams: {{up: {{kind: openai, base_url: "{local_upstream.url}"}}}}\n{keys}'
    program = gateways.folder / "browser"
    program.write_text(BROWSER)
    program.chmod(0o755)
    return gateways.start(text), program


def opened(program):
    path = program.parent / "opened"
    return json.loads(wait_until(lambda: path.exists() and path.read_text(), "a browser"))


def test_key_is_in_a_private_temporary_file(gateways, local_upstream):
    gateway, program = running(gateways, local_upstream)
    process = subprocess.Popen(
        [binary("headgate"), "open", "status", "--url", gateway.urls[0]], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=surroundings(gateways.folder, HEADGATE_KEY=KEY, BROWSER=str(program)))
    try:
        note = opened(program)
        [path] = note["arguments"]
        assert note["modes"] == [0o600, 0o700] and KEY not in path
        assert f"{gateway.urls[0]}/status#key={KEY}" in note["file"]
        # A signal ends the wait, but the file is still removed.
        line = process.stderr.readline()
        assert f"{gateway.urls[0]}/status opens" in line and KEY not in line
        process.terminate()
        output, errors = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0 and KEY not in output + errors
    assert not list(gateways.folder.glob("headgate-open.*"))


def test_without_a_key_the_address_is_enough(gateways, local_upstream):
    gateway, program = running(gateways, local_upstream, keys="")
    result = command(gateways.folder, "open", "--url", gateway.urls[0], BROWSER=str(program))
    assert result.returncode == 0, result.stderr
    assert opened(program) == {"arguments": [f"{gateway.urls[0]}/"], "file": None}


def test_unopenable_page_is_reported(gateways, local_upstream):
    gateway, _ = running(gateways, local_upstream)
    result = command(gateways.folder, "open", "--url", gateway.urls[0], HEADGATE_KEY=KEY, BROWSER="/no/such/browser")
    assert result.returncode == 1 and "cannot run /no/such/browser" in result.stderr and KEY not in result.stderr
    assert not list(gateways.folder.glob("headgate-open.*"))
    result = command(gateways.folder, "open", "--url", "http://127.0.0.1:1", BROWSER="false")
    assert result.returncode == 1 and "false could not open a browser" in result.stderr
