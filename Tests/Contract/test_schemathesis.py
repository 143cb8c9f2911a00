"""Generated requests, valid and invalid, against the running gateway: every check, every operation."""

import json
import os
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from answers import MODELS
from conftest import DOCUMENT

FOLDER = Path(__file__).parent
HTTP_METHODS = {"get", "put", "post", "delete", "patch"}
KEPT = "^/(responses|conversations|streams|models|admin)"
ASKED = "^/(chat|completions|embeddings|moderations|images|audio|rerank|messages)"
# Each part runs in its own process. Operations of a part find objects that other operations of the same part created.
PARTS = [
    ("--include-path-regex", KEPT),
    ("--include-path-regex", ASKED),
    ("--exclude-path-regex", f"{KEPT}|{ASKED}"),
]
# No generated input names the code, the program or the stored request that these operations need. test_open_phone,
# test_program_groups and test_inspection cover them.
UNREACHED = {"redeemPairing", "unloadUpstream", "inspectRequest"}
# More seconds than any part takes.
TIMEOUT_SECONDS = 900


def test_the_gateway_obeys_the_document(gateway, store, tmp_path):
    document = yaml.safe_load(DOCUMENT.read_text())
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", FOLDER / "schemathesis.toml"),
        *("run", f"http://{gateway.address}/openapi.json", "--header", f"Authorization: Bearer {gateway.key}"),
        # One worker, because Python 3.11 counts the depth of its parser for all threads together, and ends in a
        # SystemError. One seed, so that every run sends the same requests and failures are reproducible.
        *("--checks", "all", "--workers", "1", "--seed", "20261121", "--no-color"),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(FOLDER),
        "CONTRACT_MODELS": json.dumps(models(document)),
        "CONTRACT_STORE": str(store),
        "CONTRACT_GATEWAY": gateway.base_url,
        "CONTRACT_KEY": gateway.key,
    }
    keep_stream(gateway, document)

    def run(number: int) -> tuple[subprocess.CompletedProcess, set]:
        """Runs one part; returns its result, and the operations that succeeded."""
        folder = tmp_path / str(number)
        folder.mkdir()
        successes = folder / "successes"
        successes.touch()
        result = subprocess.run(
            [str(word) for word in (*command, *PARTS[number])], cwd=folder, capture_output=True, text=True,
            env={**environment, "CONTRACT_SUCCESSES": str(successes)}, timeout=TIMEOUT_SECONDS)
        return result, set(successes.read_text().split())

    with ThreadPoolExecutor(len(PARTS)) as threads:
        parts = list(threads.map(run, range(len(PARTS))))
    for result, _ in parts:
        assert result.returncode == 0, result.stdout[-20000:] + result.stderr[-5000:]
    answered = set().union(*(successes for _, successes in parts))
    assert answered | UNREACHED == {operation["operationId"] for operation in operations(document)}


def keep_stream(gateway, document):
    """Creates a stream with the id of the document's example, whose client has read it and disconnected."""
    request = urllib.request.Request(
        f"{gateway.base_url}/chat/completions",
        json.dumps({"model": "kept-chat", "stream": True, "messages": [{"role": "user", "content": "Hi."}]}).encode(),
        {
            "Authorization": f"Bearer {gateway.key}",
            "Content-Type": "application/json",
            "X-Request-ID": document["components"]["parameters"]["StreamID"]["example"],
        },
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.read().startswith(b"id: 1\n")


def operations(document):
    for methods in document["paths"].values():
        yield from (methods[method] for method in HTTP_METHODS & methods.keys())


def models(document) -> dict:
    """Returns a model for each relay that has one: the model of the relay's example."""
    found = {}
    for operation in operations(document):
        if body := operation.get("requestBody"):
            [content] = body["content"].values()
            if model := content["example"].get("model"):
                assert model in MODELS
                found[operation["x-headgate-relay"]] = model
    return found
