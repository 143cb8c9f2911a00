internal import COpenSSL

/// Certificates, trust and rules that many connections share, on any loop. Making one reads files: at start and at
/// reload only.
package final class TLSContext: Sendable {
    /// Configured before anybody else sees it. What changes in it later (reference counts, ticket keys) is locked by
    /// OpenSSL.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// For clients.
    let sessions = TLSSessionCache()

    init(_ method: OpaquePointer?, newest: TLSVersion) throws(TLSError) {
        headgate_start_openssl()
        TLSErrorQueue.clear()
        guard let pointer = SSL_CTX_new(method) else { throw .noMemory }
        self.pointer = pointer
        guard headgate_tls_configure(pointer), headgate_tls_set_newest_version(pointer, newest.number) else {
            throw TLSError(.configuration, "this OpenSSL offers no TLS 1.2 or newer: its configuration forbids it")
        }
    }

    deinit { SSL_CTX_free(pointer) }

    /// `http/1.1` in the form of ALPN (RFC 7301): its length, then its name.
    static let applicationProtocol: [UInt8] = [8] + Array("http/1.1".utf8)
}
