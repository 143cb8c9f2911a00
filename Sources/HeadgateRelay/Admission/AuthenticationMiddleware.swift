package import HeadgateHTTP

/// Admits requests with a valid client key, and those from callers whom the listener admits without one, before a byte
/// of the body is read.
package struct AuthenticationMiddleware: ServerGate {
    let keys: ClientKeys
    var wrongKeys = WrongKeys()
    /// Returns nanoseconds since 1970.
    let now: @Sendable () -> Int64

    package init(keys: ClientKeys, wrongKeys: WrongKeys = WrongKeys(), now: @escaping @Sendable () -> Int64) {
        self.keys = keys
        self.wrongKeys = wrongKeys
        self.now = now
    }

    package func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        let key = try caller(of: request, metadata)
        metadata.record.key = key
        metadata.record.facts.keyName = key.name
    }

    private func caller(
        of request: RequestHead, _ metadata: ServerRequestMetadata
    ) throws(GatewayError) -> ClientKey {
        let connection = metadata.connection
        switch connection.admission {
        case .byKey:
            // A remote connection can be older than a configuration without keys.
            guard !keys.isKeyless || connection.local.isLocal else { throw .invalidKey }
            if let known = request.credential, !keys.isKeyless,
                let key = try key(KeyDigest(known.words), at: now() / 1_000_000_000)
            {
                return key
            }
            return try authenticate(request.fields, from: connection.remoteAddress) {
                metadata.rememberHead($0.words)
            }
        case .admitted(let name, let isOwner):
            return ClientKey(unasked: name, isAdmin: isOwner || keys.isKeyless)
        case .refused(let reason):
            throw .invalidRequest(403, reason, code: "peer_not_allowed", cause: .notAllowed)
        }
    }

    /// - Parameters:
    ///   - address: the address of the client; empty on a Unix socket.
    ///   - accepted: receives the digest of the first credential, if that is accepted.
    func authenticate(
        _ fields: HeadFields, from address: String, accepted: (KeyDigest) -> Void = { _ in }
    ) throws(GatewayError) -> ClientKey {
        if keys.isKeyless { return .keyless }
        let now = now() / 1_000_000_000
        let bearer = fields.withValue(of: .authorization, AuthenticationMiddleware.bearer) ?? nil
        if let bearer, let key = try key(bearer, at: now) {
            accepted(bearer)
            return key
        }
        // An app that was pointed at the gateway might still send its provider's key in addition to the gateway's.
        let apiKey = fields.withValue(of: .xAPIKey, AuthenticationMiddleware.digest) ?? nil
        if let apiKey, apiKey != bearer, let key = try key(apiKey, at: now) {
            if bearer == nil { accepted(apiKey) }
            return key
        }
        guard bearer != nil || apiKey != nil else { throw .missingKey }
        throw wrongKeys.refusal(from: address, at: now)
    }

    @inline(__always)
    private func key(_ digest: KeyDigest, at now: Int64) throws(GatewayError) -> ClientKey? {
        guard let key = try keys.key(digest: digest, at: now), !key.isExpired(at: now) else { return nil }
        return key
    }

    /// Returns the digest of a credential; nil if it is empty. A client without a key might send an empty credential,
    /// which is never valid, even if its digest is configured.
    private static func digest(_ credential: UnsafeRawBufferPointer) -> KeyDigest? {
        credential.isEmpty ? nil : KeyDigest(of: credential)
    }

    private static func bearer(_ authorization: UnsafeRawBufferPointer) -> KeyDigest? {
        bearerStart(in: authorization).flatMap { digest(UnsafeRawBufferPointer(rebasing: authorization[$0...])) }
    }

    /// Returns the offset of the token in `Bearer TOKEN`, with the scheme in any case; nil for another scheme.
    private static func bearerStart(in authorization: UnsafeRawBufferPointer) -> Int? {
        let scheme: StaticString = "bearer"
        guard authorization.count >= 6, authorization.count == 6 || authorization[6] == 0x20 else { return nil }
        for index in 0..<6 where authorization[index] | 0x20 != scheme.utf8Start[index] { return nil }
        var start = 6
        while start < authorization.count, authorization[start] == 0x20 { start += 1 }
        return start
    }
}
