import CHeadgate
import COpenSSL
import HeadgateEventLoop
import HeadgateLibC
import HeadgateNetwork
import HeadgateTesting

/// A server that uses OpenSSL directly and speaks at most TLS 1.1, for which Headgate's contexts cannot be configured.
final class OldTLSPeer: Sendable {
    let port: UInt16
    /// Separate group, so that it does not depend on other objects of the test.
    private let group = EventLoopGroup(count: 1)
    private let server: LoopBound<Server>

    init(_ files: TestCertificates.Files) throws {
        let descriptor = headgate_tcp_listen("127.0.0.1", 0, 16)
        guard descriptor >= 0 else { throw TestFailure.listen(systemErrorText(-descriptor)) }
        var bound: UInt16 = 0
        var text = [CChar](repeating: 0, count: 64)
        headgate_socket_address(descriptor, false, &text, text.count, &bound)
        port = bound
        let loop = group.loops[0]
        server = LoopBound(Server(loop: loop, files), on: loop)
        loop.execute { [server] in server.value.open(descriptor) }
    }

    deinit {
        server.loop.execute { [server] in server.value.close() }
        group.stop()
    }

    private final class Server {
        private let loop: EventLoop
        private let context: OpaquePointer?
        private var acceptor: AcceptEvent?
        private var handshakes: [Handshake] = []

        init(loop: EventLoop, _ files: TestCertificates.Files) {
            self.loop = loop
            context = SSL_CTX_new(TLS_server_method())
            SSL_CTX_use_certificate_chain_file(context, files.certificate)
            SSL_CTX_use_PrivateKey_file(context, files.key, SSL_FILETYPE_PEM)
            // Only this security level accepts TLS 1.1.
            SSL_CTX_set_security_level(context, 0)
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
        }

        deinit { SSL_CTX_free(context) }

        func open(_ descriptor: Int32) {
            acceptor = AcceptEvent(loop: loop, descriptor: descriptor) { [unowned self] in
                handshakes.append(Handshake(loop: loop, descriptor: $0, context: context))
            } failed: { _ in
            }
        }

        func close() {
            acceptor?.close()
            for handshake in handshakes { handshake.close() }
            handshakes = []
        }
    }

    private final class Handshake {
        private let descriptor: Int32
        private let connection: OpaquePointer?
        private var event: SocketEvent?

        init(loop: EventLoop, descriptor: Int32, context: OpaquePointer?) {
            self.descriptor = descriptor
            connection = SSL_new(context)
            SSL_set_fd(connection, descriptor)
            SSL_set_accept_state(connection)
            event = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned self] in step() }
            event?.add()
        }

        deinit { SSL_free(connection) }

        private func step() {
            ERR_clear_error()
            let status = SSL_do_handshake(connection)
            if status != 1, SSL_get_error(connection, status) != SSL_ERROR_WANT_READ { close() }
        }

        func close() {
            guard let event else { return }
            event.remove()
            self.event = nil
            HeadgateLibC.close(descriptor)
        }
    }
}
