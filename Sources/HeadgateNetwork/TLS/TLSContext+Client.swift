internal import COpenSSL

extension TLSContext {
    /// Creates a context for upstreams, which always verifies their certificates and resumes their sessions. Reading
    /// the system's authorities takes milliseconds, so upstreams with the same authorities share a context.
    ///
    /// - Parameters:
    ///   - authorities: a PEM file of certificates that are trusted in addition to the system's. Those are OpenSSL's
    ///     default file and folder, or the ones that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    ///   - newest: the newest version to offer.
    package static func client(authorities: String?, newest: TLSVersion = .v13) throws(TLSError) -> TLSContext {
        let context = try TLSContext(TLS_client_method(), newest: newest)
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        guard SSL_CTX_set_default_verify_paths(context.pointer) == 1 else {
            throw TLSError(.configuration, "the system's certificate authorities cannot be read")
        }
        if let authorities { try context.trust(authorities) }
        // This function returns 0 for success.
        guard SSL_CTX_set_alpn_protos(context.pointer, applicationProtocol, UInt32(applicationProtocol.count)) == 0
        else {
            throw .noMemory
        }
        headgate_tls_export_client_sessions(context.pointer, sessionIssued)
        return context
    }

    private func trust(_ file: String) throws(TLSError) {
        TLSErrorQueue.clear()
        guard SSL_CTX_load_verify_file(pointer, file) != 1 else { return }
        let reason = TLSFile.problem(with: file, otherwise: "it holds no certificate in PEM form")
        throw TLSError(.configuration, "the certificate authorities in \(file) cannot be used: \(reason)")
    }
}

/// Stores a session. Called within a handshake or a read, on the session's loop. Returns 1 to keep the reference.
private func sessionIssued(_ connection: OpaquePointer?, _ issued: OpaquePointer?) -> Int32 {
    guard let connection, let issued, let session = TLSSession.of(connection) else { return 0 }
    return session.keep(issued) ? 1 : 0
}
