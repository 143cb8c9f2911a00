"""openapi.yaml as a document: valid, complete, and within the subset that the generator supports."""

import json
import urllib.request

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from conftest import DOCUMENT
from test_schemathesis import operations

KEYWORDS = {
    "$ref", "type", "enum", "const", "properties", "required", "items", "additionalProperties", "oneOf", "minimum",
    "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "pattern", "format",
    "description", "examples",
}  # fmt: skip
RELAYS = {
    "openai-chat", "openai-completions", "openai-embeddings", "openai-moderations", "openai-images", "openai-speech",
    "openai-image-edits", "openai-image-variations", "openai-transcriptions", "openai-translations", "rerank", "openai-responses", "openai-response-object",
    "openai-conversations", "openai-response-compaction", "openai-count-tokens", "anthropic-messages",
    "anthropic-count-tokens",
    "ollama",
}  # fmt: skip


@pytest.fixture(scope="module")
def document() -> dict:
    return yaml.safe_load(DOCUMENT.read_text())


def test_the_document_is_valid(document):
    OpenAPIV31SpecValidator(document).validate()


def test_schemas_are_within_the_generators_subset(document):
    for name, schema in document["components"]["schemas"].items():
        assert keywords(schema) <= KEYWORDS, name


def test_schemas_are_readable_by_other_generators(document):
    """Checks for arrays without items, and enumerations of anything but strings and numbers, which generators drop."""
    def check(schema, place):
        if isinstance(schema, list):
            for index, member in enumerate(schema):
                check(member, f"{place}/{index}")
        elif isinstance(schema, dict):
            types = schema.get("type", [])
            assert "array" not in ([types] if isinstance(types, str) else types) or "items" in schema, place
            assert schema.get("enum", [""]) != [False, None], place
            for key, member in schema.items():
                check(member, f"{place}/{key}")

    check(document["components"], "components")


def test_every_component_is_used(document):
    text = DOCUMENT.read_text()
    for section, components in document["components"].items():
        if section != "securitySchemes":
            for name in components:
                assert f'"#/components/{section}/{name}"' in text, f"{section}/{name} is used nowhere"


# These schemas have the members that the upstream lists, in addition to the gateway's own.
LISTED = {"Model", "AnthropicModel", "ModelPricing"}


def test_relayed_operations_are_open_and_all_others_closed(document):
    schemas = document["components"]["schemas"]
    relays = [operation for operation in operations(document) if "x-headgate-relay" in operation]
    assert {operation["x-headgate-relay"] for operation in relays} == RELAYS
    for name, schema in schemas.items():
        if schema.get("type") == "object" and name not in LISTED:
            assert "additionalProperties" in schema, name
    for operation in relays:
        assert operation["externalDocs"]["url"].startswith("https://")
        if body := operation.get("requestBody"):
            [content] = body["content"].values()
            schema = content["schema"]["$ref"].rsplit("/", 1)[1]
            assert schemas[schema]["additionalProperties"] is True


def test_every_operation_has_a_summary_an_error_of_its_dialect_and_an_example_of_its_body(document):
    identifiers = [operation["operationId"] for operation in operations(document)]
    assert len(set(identifiers)) == len(identifiers)
    for operation in operations(document):
        assert operation["summary"].endswith(".")
        default = operation["responses"]["default"]["$ref"]
        if "anthropic" in operation["tags"]:
            assert default.endswith("/AnthropicOtherError")
        if "ollama" in operation["tags"]:
            assert default.endswith("/OllamaError")
        for body in operation.get("requestBody", {}).get("content", {}).values():
            assert body["example"]


def test_streams_name_the_schema_of_their_events(document):
    streams = [
        content["text/event-stream"]
        for operation in operations(document)
        if "text/event-stream" in (content := operation["responses"].get("200", {}).get("content", {}))
    ]
    assert len(streams) == 10
    for stream in streams:
        assert stream["x-event-schema"]["$ref"].rsplit("/", 1)[1] in document["components"]["schemas"]


def test_the_gateway_serves_this_document(gateway, document):
    root = f"http://{gateway.address}"
    with urllib.request.urlopen(f"{root}/openapi.yaml", timeout=10) as answer:
        assert answer.read() == DOCUMENT.read_bytes()
    with urllib.request.urlopen(f"{root}/openapi.json", timeout=10) as answer:
        assert json.load(answer) == document


def keywords(schema) -> set:
    found = set(schema)
    nested = [*schema.get("properties", {}).values(), *schema.get("oneOf", [])]
    for child in [schema.get("items"), schema.get("additionalProperties"), *nested]:
        if isinstance(child, dict):
            found |= keywords(child)
    return found
