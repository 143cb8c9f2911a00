"""Third-party generators read openapi.yaml and omit no relayed route."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from answers import TEXT
from conftest import DOCUMENT
from test_schemathesis import operations

# The generators call programs, such as ruff, that are next to the interpreter.
SURROUNDINGS = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def generate(*arguments) -> str:
    """Runs a generator, a Python module; returns its output."""
    result = subprocess.run(
        [sys.executable, "-m", *map(str, arguments)], env=SURROUNDINGS, text=True, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert result.returncode == 0, result.stdout
    return result.stdout


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Generates a package with openapi-python-client; returns the package and the generator's output."""
    folder = tmp_path_factory.mktemp("openapi-python-client")
    told = generate(
        "openapi_python_client", "generate", "--meta", "none", "--path", DOCUMENT,
        "--output-path", folder / "generated")
    sys.path.insert(0, str(folder))
    yield folder / "generated", told
    sys.path.remove(str(folder))


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def test_openapi_python_client_writes_every_operation(client):
    folder, told = client
    written = {path.stem for path in (folder / "api").glob("*/*.py")}
    document = yaml.safe_load(DOCUMENT.read_text())
    assert {snake(operation["operationId"]) for operation in operations(document)} <= written, told
    assert "Unable to" not in told and "removal of" not in told, told


def test_its_client_gets_a_completion(client, gateway):
    generated = importlib.import_module("generated")
    create = importlib.import_module("generated.api.openai.create_chat_completion")
    models = importlib.import_module("generated.models")
    with generated.AuthenticatedClient(base_url=gateway.base_url, token=gateway.key) as connection:
        request = models.ChatCompletionRequest(model="smollm2", messages=[{"role": "user", "content": "Say hello."}])
        answer = create.sync(client=connection, body=request)
    assert isinstance(answer, models.ChatCompletion), answer
    assert answer.choices[0].to_dict()["message"]["content"] == TEXT


def test_datamodel_code_generator_writes_every_schema(tmp_path):
    path = tmp_path / "models.py"
    told = generate(
        "datamodel_code_generator", "--input", DOCUMENT, "--input-file-type", "openapi", "--formatters", "builtin",
        "--output-model-type", "pydantic_v2.BaseModel", "--output", path)
    text = path.read_text()
    for name in yaml.safe_load(DOCUMENT.read_text())["components"]["schemas"]:
        assert re.search(rf"^(class {name}\b|{name}\b.* = )", text, re.M), f"{name} is missing; it said {told}"
    subprocess.run([sys.executable, path], check=True, timeout=60)
