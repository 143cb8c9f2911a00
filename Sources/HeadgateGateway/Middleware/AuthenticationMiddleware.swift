internal import HTTPTypes
internal import HeadgateHTTP

/// Lets through who presents a valid client key, before a byte of the body is read.
struct AuthenticationMiddleware: ServerGate {
    let keys: ClientKeys
    /// Nanoseconds since 1970.
    let now: @Sendable () -> Int64

    func admit(_ request: HTTPRequest, metadata: ServerRequestMetadata, operationID: String) throws {
        let key = try authenticate(request.headerFields)
        metadata.caller = key
        metadata.record.facts.keyName = key.name
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
        let bytes = authorization.utf8
        let scheme = bytes.prefix { $0 != 0x20 }
        guard scheme.count == 6, zip(scheme, "bearer".utf8).allSatisfy({ $0 | 0x20 == $1 }) else { return apiKey }
        let bearer = Substring(bytes[scheme.endIndex...].drop { $0 == 0x20 })
        if let apiKey, apiKey != bearer { throw .twoCredentials }
        return bearer
    }
}
