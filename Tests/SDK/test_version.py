"""`headgate version --check`: one request to one address, sent only on demand."""

import http.server
import json
import threading

import pytest

from gateways import command

OWN = "0.1.0"


class Releases:
    """A releases page that records its requests."""

    def __init__(self, status: int, document):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append((self.path, dict(self.headers)))
                body = document if isinstance(document, bytes) else json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/repos/o/headgate/releases/latest"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.mark.parametrize(("document", "line"), [
    ({"tag_name": "v0.10.0", "html_url": "https://r.example/0.10.0"}, "Headgate 0.10.0 is released. This is 0.1.0."),
    ({"version": "0.1.1", "url": "https://r.example/0.1.1"}, "Headgate 0.1.1 is released. This is 0.1.0."),
    ({"tag_name": "v0.1.0"}, "Headgate 0.1.0 is the newest version."),
    ({"version": "0.0.9"}, "Headgate 0.1.0 is the newest version."),
])  # fmt: skip
def test_newer_version_is_reported(tmp_path, document, line):
    with Releases(200, document) as releases:
        result = command(tmp_path, "version", "--check", HEADGATE_RELEASES=releases.url)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == line
    page = document.get("html_url") or document.get("url")
    assert (f"Release: {page}" in lines) == (page is not None)
    [(path, headers)] = releases.requests
    # The request contains only the command's version.
    assert path == "/repos/o/headgate/releases/latest"
    assert {name.lower() for name in headers} <= {"host", "accept", "user-agent", "connection", "accept-encoding"}
    assert headers["user-agent" if "user-agent" in headers else "User-Agent"] == f"headgate/{OWN}"


@pytest.mark.parametrize(("status", "document", "words"), [
    (404, {}, "answered with status 404"), (200, b"<html>", "something else than a release"),
    (200, {"version": "\x1b[31mnew"}, "no version such as 1.2.3"), (302, {}, "answered with status 302"),
])  # fmt: skip
def test_invalid_release_is_reported(tmp_path, status, document, words):
    with Releases(status, document) as releases:
        result = command(tmp_path, "version", "--check", "--url", releases.url)
    assert result.returncode == 1 and words in result.stderr and "\x1b" not in result.stderr
    assert result.stdout == "" and len(releases.requests) == 1


def test_without_a_network_the_failure_is_clear(tmp_path):
    result = command(tmp_path, "version", "--check", "--url", "http://127.0.0.1:1/latest")
    assert result.returncode == 1 and "Cannot reach 127.0.0.1" in result.stderr
    assert "The version was not checked." in result.stderr


def test_address_must_be_named(tmp_path):
    result = command(tmp_path, "version", "--check")
    assert result.returncode == 1 and "--url or HEADGATE_RELEASES" in result.stderr


def test_without_check_nothing_is_requested(tmp_path):
    with Releases(200, {"version": "9.0.0"}) as releases:
        result = command(tmp_path, "version", HEADGATE_RELEASES=releases.url)
    assert (result.returncode, result.stdout, releases.requests) == (0, f"{OWN}\n", [])
