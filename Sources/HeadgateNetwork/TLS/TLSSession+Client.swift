internal import COpenSSL

extension TLSSession {
    /// Returns the key of a client's sessions; nil for a server.
    static func peer(of role: Role) -> TLSSessionCache.Peer? {
        guard case .client(let hostName, let port) = role else { return nil }
        // Names in certificates and in SNI have no dot at their end (RFC 6066 section 3).
        var name = hostName.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return TLSSessionCache.Peer(hostName: name, port: port)
    }

    /// Accepts only a certificate for this name or address from now on.
    func requireCertificate(for hostName: String) throws(TLSError) {
        // An empty name would mean any name to OpenSSL.
        guard HostName.isWellFormed(hostName) else {
            throw TLSError(.configuration, "no certificate can be for the host \"\(hostName)\"")
        }
        let isSet: Bool
        if IPAddress(hostName) != nil {
            isSet = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), hostName) == 1
        } else {
            SSL_set_hostflags(connection, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            isSet = SSL_set1_host(connection, hostName) == 1 && headgate_tls_set_server_name(connection, hostName)
        }
        guard isSet else { throw .noMemory }
    }

    /// Stores an issued session.
    ///
    /// - Returns: whether the reference was taken over.
    func keep(_ issued: OpaquePointer) -> Bool {
        guard let peer else { return false }
        context.sessions.insert(TLSSessionCache.Session(issued), for: peer)
        return true
    }

    /// Returns the session that an OpenSSL connection belongs to. Valid only in callbacks, which run within its
    /// methods.
    static func of(_ connection: OpaquePointer) -> TLSSession? {
        SSL_get_ex_data(connection, ownIndex).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Index of the application's pointer in OpenSSL's objects.
    static let ownIndex: Int32 = 0
}
