"""Bad requests on every route with a body get a 4xx in the route's format that names the place. Nothing goes
upstream."""

import http.client
import json
import socket

import pytest

from told import ROUTES, Reply

DEPTH = 100_000
MIB = 1 << 20
READS_STREAM = [
    "/v1/chat/completions", "/v1/completions", "/v1/images/generations", "/v1/responses", "/v1/messages",
]  # fmt: skip
READS_MESSAGES = ["/v1/chat/completions", "/v1/messages", "/v1/messages/count_tokens"]
READS_CHOICES = ["/v1/chat/completions", "/v1/completions"]
# Values of a wrong type for each member.
WRONG = {
    "model": ["5", "null", "[]", "{}", "true", '""', json.dumps("m" * 513)],
    "messages": ['"hello"', "null", "5", "{}"],
    "stream": ['"yes"', "1", "[]", "{}"],
    "n": ["0", "129", "-1", "1.5", '"2"', "[]", "1e99"],
    "stream_options": ["5", '"x"', "[]", "true"],
}


@pytest.fixture(autouse=True)
def nothing_reaches_the_upstream(front):
    front.upstream.answers(Reply(b"it came through", status=200))
    yield
    assert front.upstream.requests == []


@pytest.fixture(scope="module")
def connection(front):
    connection = front.connection()
    yield connection
    connection.close()


@pytest.fixture
def refusal(front, connection):
    """Sends a body and returns the error's message and `param`, which Anthropic's format lacks."""

    def refusal(path, body, status=400, **fields):
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {front.key}"}
        headers = {name: value for name, value in {**headers, **fields}.items() if value is not None}
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return checked(path, answer, answer.read(), status)

    return refusal


def checked(path, answer, data, status):
    assert answer.status == status, data
    assert answer.headers.get_content_type() == "application/json"
    assert answer.headers["x-request-id"]
    document = json.loads(data)
    error = document["error"]
    if path.startswith("/v1/messages"):
        assert document.keys() == {"type", "error", "request_id"} and error.keys() == {"type", "message"}
    else:
        assert document.keys() == {"error"} and error.keys() == {"message", "type", "param", "code"}
    assert error["type"] in ("invalid_request_error", "request_too_large")
    assert 10 < len(error["message"]) < 400
    return error["message"], error.get("param")


def written(path, *without, **members) -> str:
    """Returns a minimal body without the members `without`, and with `members`, whose values are JSON already."""
    known = {name: json.dumps(value) for name, value in ROUTES[path].items() if name not in without}
    return "{" + ",".join(f'"{name}":{text}' for name, text in {**known, **members}.items()) + "}"


def assert_names(path, refused, member):
    message, parameter = refused
    assert f"'{member}'" in message
    assert parameter == member or path.startswith("/v1/messages")


@pytest.mark.parametrize("path", ROUTES)
def test_malformed_json_names_the_byte(refusal, path):
    good = written(path)
    head = good[:-1]
    # Invalid texts, and the position of each fault. The umlauts distinguish bytes from characters.
    cases = [
        (head + ',"ü":"ü","x":}', -1), (head + ',"ü":tru}', None), (head + ',"ü":01}', None),
        (head + ',"ü":"\t"}', -3),
        (head + ",}", -1), (head + ',"ü":"\\q"}', None), (head + ',"ü":1e}', None), (good + "{}", -2), (head, None),
        (head + ',"ü', None), (head + ',"ü":NaN}', None), (head + ",'x':1}", -6), (head + ',"ü":"\\ud8"}', None),
        ("", None), ("   ", None), ("[]", 0), ('"x"', 0), ("null", 0), ("{,}", 1),
    ]  # fmt: skip
    for text, place in cases:
        body = text.encode()
        message, _ = refusal(path, body)
        assert "byte" in message, (text, message)
        offset = int(message.split("byte", 1)[1].strip(" )").split()[0].rstrip(").,:"))
        assert offset <= len(body), (text, message)
        if place is not None:
            assert offset == (place if place >= 0 else len(body) + place), (text, message)


@pytest.mark.parametrize("path", ROUTES)
def test_bytes_that_are_not_utf8_are_refused(refusal, path):
    for bad in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3"):
        body = written(path)[:-1].encode() + b',"x":"' + bad + b'"}'
        message, _ = refusal(path, body)
        assert "byte" in message, bad


@pytest.mark.parametrize(
    ("path", "member"),
    [
        *((path, "model") for path in ROUTES),
        *((path, "messages") for path in READS_MESSAGES),
        *((path, "stream") for path in READS_STREAM),
        *((path, member) for path in READS_CHOICES for member in ("n", "stream_options")),
    ],
)
def test_wrong_types_name_the_member(refusal, path, member):
    for text in WRONG[member]:
        assert_names(path, refusal(path, written(path, **{member: text})), member)


@pytest.mark.parametrize(
    ("path", "member"), [*((path, "model") for path in ROUTES), *((path, "messages") for path in READS_MESSAGES)]
)
def test_missing_members_are_named(refusal, path, member):
    assert_names(path, refusal(path, written(path, member)), member)


@pytest.mark.parametrize(
    ("path", "member", "text"),
    [
        *((path, "model", '"other"') for path in ROUTES),
        *((path, "messages", "[]") for path in READS_MESSAGES),
        *((path, "stream", "false") for path in READS_STREAM),
        *((path, "n", "1") for path in READS_CHOICES),
        *((path, "stream_options", "{}") for path in READS_CHOICES),
    ],
)
def test_duplicate_members_are_named(refusal, path, member, text):
    good = written(path, **({} if member in ROUTES[path] else {member: text}))
    # The second name is another spelling with the same meaning.
    for name in (member, f"\\u{ord(member[0]):04x}{member[1:]}"):
        body = f'{good[:-1]},"{name}":{text}}}'
        refused = refusal(path, body)
        assert_names(path, refused, member)
        assert "twice" in refused[0]


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_hundred_thousand_levels_are_too_deep(refusal, path, opening):
    message, _ = refusal(path, written(path, deep=opening * DEPTH))
    assert "deep" in message and "byte" in message
    closing = {"[": "]", '{"a":': "}"}[opening]
    refusal(path, written(path, deep=opening * DEPTH + "1" + closing * DEPTH))


@pytest.mark.parametrize("path", ROUTES)
def test_other_content_types_are_refused(refusal, path):
    good = written(path)
    for kind in ("text/plain", "application/jsonp", "multipart/form-data"):
        message, _ = refusal(path, good, 415, **{"Content-Type": kind})
        assert "application/json" in message
    # A program's request needs no content type, but a page's request, which sends its origin, does.
    for kind in (None, "application/x-www-form-urlencoded"):
        message, _ = refusal(path, good, 415, **{"Content-Type": kind, "Referer": "https://example.com/"})
        assert "application/json" in message
    message, _ = refusal(path, good, 415, **{"Content-Encoding": "br"})
    assert "gzip, deflate or zstd" in message
    message, _ = refusal(path, good, **{"Content-Encoding": "zstd"})
    assert "Content-Encoding" in message


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("is_chunked", [False, True], ids=["with its length", "in chunks"])
def test_a_body_of_33_mib_is_too_large(front, path, is_chunked):
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {front.address}\r\nAuthorization: Bearer {front.key}\r\n"
        "Content-Type: application/json\r\n"
    )
    head += "Transfer-Encoding: chunked\r\n\r\n" if is_chunked else f"Content-Length: {33 * MIB}\r\n\r\n"
    begin = written(path)[:-1].encode() + b',"padding":"'
    piece = begin + b"x" * (MIB - len(begin))
    host, port = front.address.split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(head.encode())
        try:
            for _ in range(33):
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if is_chunked else piece)
                piece = b"x" * MIB
            if is_chunked:
                connection.sendall(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            # The gateway has responded, and does not read the rest.
            pass
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        message, _ = checked(path, answer, answer.read(), 413)
    assert str(32 * MIB) in message or "32 MiB" in message


def test_an_unexpected_body_is_not_forwarded(front, connection):
    """Cancels a stored response, which takes no body."""
    headers = {"Authorization": f"Bearer {front.key}", "Content-Type": "application/json"}
    # The gateway learns the response's owner when the response is created.
    front.upstream.answers(Reply.document({"id": "resp_1", "object": "response", "status": "in_progress"}))
    connection.request("POST", "/v1/responses", written("/v1/responses"), headers)
    assert connection.getresponse().read()
    front.upstream.requests.clear()
    front.upstream.answers(Reply())
    connection.request("POST", "/v1/responses/resp_1/cancel", written("/v1/responses"), headers)
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"{}")
    (request,) = front.upstream.requests
    assert request.path == "/v1/responses/resp_1/cancel" and request.body == b""
    front.upstream.requests.clear()
