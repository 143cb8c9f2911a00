"""The upstream's key never leaves the gateway, whatever the upstream does with it."""

import http.client
import json

import pytest
from exchanges import MESSAGES, MODELS

REQUESTS = [("GET", path, None) for path in ("/v1/models", "/v1/models/chat", "/livez", "/readyz", "/healthz", "/none")]
REQUESTS += [
    ("POST", "/v1/chat/completions", {"model": model, "messages": MESSAGES, "stream": stream})
    for model in (*MODELS, "no-such-model")
    for stream in (False, True)
]


def exchange(gateway, method, path, document) -> bytes:
    """Returns the status line, headers and body as received, in one text."""
    host, port = gateway.address.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=10)
    try:
        headers = {"Authorization": f"Bearer {gateway.key}", "Content-Type": "application/json"}
        body = None if document is None else json.dumps(document)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        head = f"{response.status} {response.reason}\n{response.headers}".encode()
        try:
            return head + response.read()
        except http.client.IncompleteRead as cut:
            return head + cut.partial
        except ConnectionError:
            return head
    finally:
        connection.close()


def described(request) -> str:
    _, path, document = request
    return path if document is None else f"{document['model']}-{'stream' if document['stream'] else 'whole'}"


@pytest.mark.parametrize(("method", "path", "document"), REQUESTS, ids=map(described, REQUESTS))
def test_upstream_key_is_in_no_response(gateway, method, path, document):
    answer = exchange(gateway, method, path, document)
    assert gateway.upstream_key.encode() not in answer
    assert gateway.key.encode() not in answer


def test_no_output_of_the_gateway_contains_a_key(gateway, client):
    answer = client.chat.completions.with_raw_response.create(model="chat", messages=MESSAGES)
    # The access line is the last line that is logged for a request.
    gateway.child.wait_for_log(f'^\\{{.*"request_id":"{answer.headers["x-request-id"]}".*\\}}\n')
    written = gateway.child.output()
    assert gateway.upstream_key not in written
    assert gateway.key not in written
