import COpenSSL
import HeadgateLibC
import HeadgateNetwork
import HeadgateTesting

/// A peer that uses OpenSSL directly and can do things that Headgate's sessions never do.
final class OtherPeer {
    enum Role {
        case client
        case server(TestCertificates.Files)
    }

    enum Version: Sendable {
        case v11
        case v12
        case v13

        var number: Int32 {
            switch self {
            case .v11: TLS1_1_VERSION
            case .v12: TLS1_2_VERSION
            case .v13: TLS1_3_VERSION
            }
        }
    }

    let isServer: Bool
    let socket: Int32
    /// Socket of the session under test.
    let otherSocket: Int32
    private let context: OpaquePointer?
    private let connection: OpaquePointer?

    /// - Parameters:
    ///   - newest: newest version that the peer speaks. The oldest is TLS 1.1.
    ///   - protocols: protocols that the peer offers by ALPN.
    init(_ role: Role, newest: Version, offering protocols: [String] = []) throws {
        (socket, otherSocket) = connectedSockets()
        switch role {
        case .client:
            isServer = false
            context = SSL_CTX_new(TLS_client_method())
        case .server(let files):
            isServer = true
            context = SSL_CTX_new(TLS_server_method())
            SSL_CTX_use_certificate_chain_file(context, files.certificate)
            SSL_CTX_use_PrivateKey_file(context, files.key, SSL_FILETYPE_PEM)
        }
        // Only this security level accepts TLS 1.1.
        SSL_CTX_set_security_level(context, 0)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newest.number), nil)
        if !protocols.isEmpty {
            let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            SSL_CTX_set_alpn_protos(context, list, UInt32(list.count))
        }
        connection = SSL_new(context)
        SSL_set_fd(connection, socket)
        if isServer { SSL_set_accept_state(connection) } else { SSL_set_connect_state(connection) }
    }

    deinit {
        SSL_free(connection)
        SSL_CTX_free(context)
        close(socket)
        close(otherSocket)
    }

    /// Performs one step of the handshake.
    ///
    /// - Returns: the next turn, and whether the peer accepts the handshake; nil while there is no result.
    func handshake() -> (turn: Turn, isContent: Bool?) {
        ERR_clear_error()
        let status = SSL_do_handshake(connection)
        if status == 1 { return (.done, true) }
        switch SSL_get_error(connection, status) {
        case SSL_ERROR_WANT_READ: return (.waits(.wantsRead), nil)
        case SSL_ERROR_WANT_WRITE: return (.waits(.wantsWrite), nil)
        default: return (.done, false)
        }
    }
}
