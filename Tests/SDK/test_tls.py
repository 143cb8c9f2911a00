"""Upstreams over TLS: all implementations work, and an upstream without a valid certificate never receives a key."""

import contextlib
import socket
import ssl
import threading

import pytest

from certificates import Authority, authority, localhost
from connections import whole_text
from exchanges import TEXT as SCRIPTED_TEXT
from gateways import KEYS, UPSTREAM_KEY, gateways, module_gateways
from tls_servers import Nginx, OpenSSLServer, python_server
from upstreams import TEXT, Recorder, Upstream


def upstream_line(name: str, port: int, more: str = "") -> str:
    return f'  {name}: {{kind: openai, base_url: "https://localhost:{port}/v1", api_key: "${{UPSTREAM_KEY}}"{more}}}\n'


def configuration(upstreams: str, models: str = "  \"*\": {upstream: secure}\n") -> str:
    return f"listen: 127.0.0.1:0\nupstreams:\n{upstreams}models:\n{models}{KEYS}"


@pytest.fixture(params=["ca", "SSL_CERT_FILE"])
def start_trusting(request, gateways, authority):
    """Starts a gateway that trusts the authority, in either of the two ways."""
    def start(port: int):
        if request.param == "ca":
            return gateways.start(configuration(upstream_line("secure", port, f', ca: "{authority.file}"')))
        return gateways.start(configuration(upstream_line("secure", port)), SSL_CERT_FILE=str(authority.file))

    return start


def test_python_server_is_streamed_from(start_trusting, localhost):
    with contextlib.closing(python_server(localhost)) as server, start_trusting(server.port).connect() as client:
        assert whole_text(client.chat(stream=True)) == TEXT
        assert whole_text(client.chat(stream=False)) == TEXT
        for _, headers, _ in server.requests:
            assert headers["Authorization"] == f"Bearer {UPSTREAM_KEY}"
            assert headers["Host"] == f"localhost:{server.port}"


def test_openssl_server_is_streamed_from(start_trusting, localhost, tmp_path):
    with contextlib.closing(OpenSSLServer(tmp_path, localhost)) as server:
        answering = threading.Thread(target=server.answer)
        answering.start()
        with start_trusting(server.port).connect() as client:
            assert whole_text(client.chat(stream=True)) == TEXT
        answering.join()
        assert f"authorization: bearer {UPSTREAM_KEY}".encode() in server.decrypted.lower()


def test_nginx_is_streamed_from(start_trusting, localhost, tmp_path, gateways, upstream, upstream_key):
    nginx = Nginx(tmp_path, localhost, upstream)
    try:
        gateway = start_trusting(nginx.port)
        # The scripted upstream expects its own key.
        gateway.write(gateway.path.read_text().replace('"${UPSTREAM_KEY}"', f'"{upstream_key}"'))
        assert gateway.reload().returncode == 0
        with gateway.connect() as client:
            for _ in range(2):
                assert whole_text(client.chat("scripted-chat", stream=True)) == SCRIPTED_TEXT
            assert whole_text(client.chat("scripted-chat")) == SCRIPTED_TEXT
    finally:
        assert nginx.stop() == 0


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=str)
def test_safe_tls_versions_are_accepted(gateways, authority, localhost, version):
    with contextlib.closing(python_server(localhost, version, version)) as server:
        gateway = gateways.start(configuration(upstream_line("secure", server.port, f', ca: "{authority.file}"')))
        with gateway.connect() as client:
            assert whole_text(client.chat(stream=True)) == TEXT


# --- Upstreams that must not be trusted -----------------------------------------------------------------------------

BAD = {
    "expired": "the certificate has expired",
    "wrong-name": "the certificate is for another name",
    "self-signed": "the certificate is self-signed and not among the trusted ones",
    "unknown-issuer": "the certificate's issuer is not trusted",
    "old-version": "",
    "old-version-s-server": "",
    "plain-http": "",
}


@pytest.fixture(scope="module")
def distrusting(module_gateways, authority, localhost, tmp_path_factory):
    """Starts a gateway with an upstream for each fault, and a recorder in front of each upstream."""
    folder = tmp_path_factory.mktemp("bad")
    expired = authority.issue("expired", days=-1)
    foreign = Authority(folder / "foreign", "Somebody else").issue("localhost")
    with contextlib.ExitStack() as stack:
        servers = {
            "expired": python_server(expired),
            "wrong-name": python_server(authority.issue("other", "DNS:other.example,DNS:*.localhost")),
            "self-signed": python_server(authority.self_sign("localhost-alone")),
            "unknown-issuer": python_server(foreign),
            "old-version": old_python_server(localhost),
            "old-version-s-server": OpenSSLServer(folder, localhost, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"),
            "plain-http": Upstream(),
        }
        recorders = {}
        for name, server in servers.items():
            stack.callback(server.close)
            recorders[name] = stack.enter_context(contextlib.closing(Recorder(server.port)))
        assert servers.keys() == BAD.keys()
        trust = f', ca: "{authority.file}"'
        text = configuration(
            "".join(upstream_line(name, recorder.port, trust) for name, recorder in recorders.items()),
            "".join(f"  {name}: {{upstream: {name}}}\n" for name in servers))
        yield module_gateways.start(text), servers, recorders


def old_python_server(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(certificate.chain, certificate.key)
    with pytest.warns(DeprecationWarning):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    return Upstream(context)


@pytest.mark.parametrize("name", BAD)
def test_untrusted_upstream_is_named_and_gets_no_key(distrusting, name):
    gateway, servers, recorders = distrusting
    with gateway.connect() as client:
        for stream in (False, True):
            answer = client.chat(name, stream=stream)
            assert (answer.status, answer.code) == (502, "upstream_tls")
            assert BAD[name] in answer.message
    line = gateway.wait_for_log(rf'.*"model":"{name}".*"error":"upstream_tls".*')[0]
    assert '"detail":"' in line and BAD[name] in line
    # The handshake began, and the gateway sent none of its data afterwards.
    sent = recorders[name].sent
    assert sent[:2] == b"\x16\x03", sent[:100]
    for secret in (UPSTREAM_KEY.encode(), b"/v1/chat/completions", b"Say hello"):
        assert secret not in sent
        assert secret not in getattr(servers[name], "decrypted", b"")
    assert not getattr(servers[name], "requests", [])


def test_old_version_is_refused_by_name(distrusting):
    gateway, *_ = distrusting
    with gateway.connect() as client:
        assert "version" in client.chat("old-version").message


def test_upstream_is_trusted_only_by_its_authority(gateways, authority, tmp_path):
    """Uses the same server and certificate twice; only the file of authorities differs."""
    certificate = authority.self_sign("alone")
    trusted = tmp_path / "trusted.pem"
    trusted.write_text(authority.file.read_text())
    with contextlib.closing(python_server(certificate)) as server:
        gateway = gateways.start(configuration(upstream_line("secure", server.port, f', ca: "{trusted}"')))
        with gateway.connect() as client:
            assert client.chat().code == "upstream_tls"
            trusted.write_text(certificate.chain.read_text())
            assert gateway.reload().returncode == 0
            assert whole_text(client.chat(stream=True)) == TEXT


def test_handshake_that_never_answers_ends_at_the_connect_deadline(gateways):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        gateway = gateways.start(configuration(upstream_line("secure", port, ", timeouts: {connect: 300ms}")))
        with gateway.connect() as client:
            answer = client.chat()
        assert (answer.status, answer.code) == (502, "upstream_connect")


def test_response_without_close_notify_is_incomplete(gateways, authority, localhost):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(localhost.chain, localhost.key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def answer_once():
            client, _ = listener.accept()
            secure = context.wrap_socket(client, server_side=True)
            secure.recv(65536)
            # The connection's end is the response's end, and anyone on the path can cause it.
            secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" +
                           b'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n')
            socket.close(secure.detach())

        answering = threading.Thread(target=answer_once)
        answering.start()
        port = listener.getsockname()[1]
        gateway = gateways.start(configuration(upstream_line("secure", port, f', ca: "{authority.file}"')))
        with gateway.connect() as client:
            answer = client.chat(stream=True)
        answering.join()
    assert b"upstream_incomplete" in answer.body and b"[DONE]" not in answer.body
