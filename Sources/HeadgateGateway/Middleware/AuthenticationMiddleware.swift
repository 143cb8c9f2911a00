internal import HTTPTypes
internal import HeadgateHTTP

/// Lets through who presents a valid client key, or whom the listener admits without one, before a byte of the body is read.
struct AuthenticationMiddleware: ServerGate {
    let keys: ClientKeys
    /// Nanoseconds since 1970.
    let now: @Sendable () -> Int64

    func admit(_ request: HTTPRequest, metadata: ServerRequestMetadata, operationID: String) throws {
        let key = try caller(of: metadata.connection, request.headerFields)
        metadata.caller = key
        metadata.record.facts.keyName = key.name
    }

    private func caller(of connection: ConnectionEnds, _ fields: HTTPFields) throws(GatewayError) -> ClientKey {
        switch connection.admission {
        case .byKey:
            // A connection from elsewhere may be older than the configuration that asks nobody for a key.
            guard !keys.isKeyless || connection.isLocal else { throw .invalidKey }
            return try authenticate(fields)
        case .admitted(let name): return ClientKey(unasked: name)
        case .refused(let reason):
            throw .invalidRequest(403, reason, code: "peer_not_allowed")
        }
    }

    func authenticate(_ fields: HTTPFields) throws(GatewayError) -> ClientKey {
        if keys.isKeyless { return .keyless }
        guard let presented = try AuthenticationMiddleware.credential(in: fields),
            let key = keys.key(presented: presented),
            !key.isExpired(at: now() / 1_000_000_000)
        else { throw .invalidKey }
        return key
    }

    /// The one place that looks for a credential, in every carrier.
    static func credential(in fields: HTTPFields) throws(GatewayError) -> Substring? {
        let apiKey = fields.first(.xAPIKey).map { $0[...] }
        guard let authorization = fields.first(.authorization) else { return apiKey }
        guard let start = AuthenticationMiddleware.bearerStart(in: authorization) else { return apiKey }
        let bearer = Substring(authorization.utf8.dropFirst(start))
        if let apiKey, apiKey != bearer { throw .twoCredentials }
        return bearer
    }

    /// Where the token begins in `Bearer TOKEN`, whatever the case of the scheme; nil for another scheme.
    private static func bearerStart(in authorization: String) -> Int? {
        var authorization = authorization
        return authorization.withUTF8 { bytes in
            guard bytes.count >= 6, bytes.count == 6 || bytes[6] == 0x20 else { return nil }
            for (byte, letter) in zip(bytes, "bearer".utf8) where byte | 0x20 != letter { return nil }
            var start = 6
            while start < bytes.count, bytes[start] == 0x20 { start += 1 }
            return start
        }
    }
}
