"""docs/routes.md: every curl line runs with the output it shows, and every route has a curl line."""

import json
import re
import secrets
import subprocess
import urllib.request

import pytest
import yaml

from conftest import DOCUMENT, REPOSITORY

ROUTES = REPOSITORY / "docs" / "routes.md"
PAIRS = re.findall(r"```sh\n(curl .*?)```\n\n```(json|text)\n(.*?)```", ROUTES.read_text(), re.DOTALL)


@pytest.mark.parametrize(("command", "kind", "shown"), PAIRS)
def test_curl_line_answers_as_shown(gateway, tmp_path, command, kind, shown):
    surroundings = {"PATH": "/usr/bin:/bin", "HEADGATE": f"http://{gateway.address}", "HEADGATE_KEY": gateway.key}
    if "/admin/requests/1 " in command:
        command = command.replace("/1 ", f"/{newest(gateway)} ")
    command = command.replace("Xb2zJ0kq8mP4sT6vW1yA3g", pairing(gateway)) if "/pairings/X" in command else command
    run = ["bash", "-c", command]
    output = subprocess.run(run, cwd=tmp_path, env=surroundings, capture_output=True, text=True, timeout=20).stdout
    if kind == "json":
        # The values come from the upstream; only the members and their order are promised.
        assert outline(json.loads(output)) == outline(json.loads(shown))
    elif "data: " in shown:
        found, promised = (text.strip().split("\n\n") for text in (output, shown))
        assert event_outline(found[0]) == event_outline(promised[0])
        assert found[-1] == promised[-1]
    else:
        assert output.strip() == shown.strip()


def ask(gateway, path: str, body: dict | None = None) -> dict:
    fields = {"Authorization": f"Bearer {gateway.key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{gateway.address}{path}", data, fields)
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)


def newest(gateway) -> int:
    """Returns the number of a new request with stored content, because other tests can have displaced earlier ones."""
    ask(gateway, "/v1/chat/completions", {"model": "smollm2", "messages": []})
    return ask(gateway, "/status/data")["recent"][0]["inspection"]


def pairing(gateway) -> str:
    """Returns a valid pairing code."""
    settings = {"name": f"phone-{secrets.token_hex(4)}", "budget": {"usd": 1, "every": "day"}}
    return ask(gateway, "/v1/admin/pairings", settings)["code"]


def test_every_operation_has_a_curl_line():
    document = yaml.safe_load(DOCUMENT.read_text())
    commands = [command for command, _, _ in PAIRS]
    for path, methods in document["paths"].items():
        prefix = "" if "servers" in methods else "/v1"
        pattern = re.compile(r"\$HEADGATE" + re.sub(r"\\{\w+\\}", r"[\\w.-]+", re.escape(prefix + path)) + r"(?=[\s])")
        for method in {"get", "post", "delete"} & methods.keys():
            found = [command for command in commands if pattern.search(command) and verb(command) == method]
            assert found, f"{method} {path} has no curl line"


def test_every_curl_line_shows_its_output():
    assert len(PAIRS) == len(re.findall(r"^curl ", ROUTES.read_text(), re.MULTILINE))


def verb(command) -> str:
    if match := re.search(r"-X (\w+)", command):
        return match[1].lower()
    return "post" if re.search(r" -[dF] ", command) else "get"


def outline(document):
    return list(document) if isinstance(document, dict) else type(document)


def event_outline(event):
    name, _, data = event.rpartition("data: ")
    return name, outline(json.loads(data))
