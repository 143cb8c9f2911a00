internal import COpenSSL
internal import HeadgateLibC

extension TLSContext {
    /// Creates a context for a listener.
    ///
    /// - Parameters:
    ///   - certificate: a PEM file with the certificate, followed by those that lead to its authority.
    ///   - key: a PEM file with its private key, not encrypted.
    ///   - newest: the newest version to accept.
    package static func server(
        certificate: String, key: String, newest: TLSVersion = .v13
    ) throws(TLSError) -> TLSContext {
        let context = try TLSContext(TLS_server_method(), newest: newest)
        headgate_tls_keep_no_server_sessions(context.pointer)
        SSL_CTX_set_alpn_select_cb(context.pointer, chooseProtocol, nil)
        try context.present(certificate)
        try context.useKey(key, of: certificate)
        return context
    }

    private func present(_ certificate: String) throws(TLSError) {
        TLSErrorQueue.clear()
        guard SSL_CTX_use_certificate_chain_file(pointer, certificate) != 1 else { return }
        let reason = TLSFile.problem(with: certificate, otherwise: "it holds no certificate in PEM form")
        throw TLSError(.configuration, "the certificate in \(certificate) cannot be used: \(reason)")
    }

    private func useKey(_ key: String, of certificate: String) throws(TLSError) {
        TLSErrorQueue.clear()
        var isEncrypted = false
        let isLoaded = withUnsafeMutablePointer(to: &isEncrypted) { isEncrypted in
            // Without a callback, OpenSSL would prompt on the terminal and wait.
            SSL_CTX_set_default_passwd_cb(pointer, refusePassphrase)
            SSL_CTX_set_default_passwd_cb_userdata(pointer, isEncrypted)
            defer { SSL_CTX_set_default_passwd_cb_userdata(pointer, nil) }
            return SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM) == 1
        }
        if isEncrypted {
            let advice = "store it decrypted, readable by Headgate's user only"
            throw TLSError(
                .configuration,
                "the private key in \(key) is encrypted, and Headgate does not ask for a passphrase: \(advice)")
        }
        let reason = TLSErrorQueue.reason
        if isLoaded ? SSL_CTX_check_private_key(pointer) != 1 : reason == X509_R_KEY_VALUES_MISMATCH {
            throw TLSError(
                .configuration, "the private key in \(key) does not belong to the certificate in \(certificate)")
        }
        guard !isLoaded else { return }
        let text = TLSFile.problem(with: key, otherwise: "it holds no private key in PEM form")
        throw TLSError(.configuration, "the private key in \(key) cannot be used: \(text)")
    }
}

/// Provides no passphrase.
///
/// - Parameter context: a Bool that is set to true, since a passphrase was requested.
private func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    context?.assumingMemoryBound(to: Bool.self).pointee = true
    return -1
}

/// Selects `http/1.1` if the client offers it. A client that offers only other protocols would misread responses, and
/// gets an alert, as RFC 7301 section 3.2 requires. This is not called for a client without an offer.
private func chooseProtocol(
    _: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var index = 0
    while index < list.count {
        let end = index + 1 + Int(list[index])
        guard end <= list.count else { break }
        if list[index..<end].elementsEqual(TLSContext.applicationProtocol), let base = list.baseAddress {
            chosen?.pointee = base + index + 1
            chosenCount?.pointee = list[index]
            return SSL_TLSEXT_ERR_OK
        }
        index = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
