internal import HTTPTypes
internal import HeadgateHTTP

/// Lets through who presents a valid client key, before a byte of the body is read.
struct AuthenticationMiddleware: ServerMiddleware {
    let keys: ClientKeys
    /// Nanoseconds since 1970.
    let now: @Sendable () -> Int64

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let key = try authenticate(request.headerFields)
        metadata.record.facts.keyName = key.name
        return try await CallerIdentity.$current.withValue(key) { try await next(request, body, metadata) }
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
        let apiKey = fields[.xAPIKey].map { $0[...] }
        guard let authorization = fields[.authorization] else { return apiKey }
        let scheme = authorization.prefix { $0 != " " }
        guard scheme.lowercased() == "bearer" else { return apiKey }
        let bearer = authorization[scheme.endIndex...].drop { $0 == " " }
        if let apiKey, apiKey != bearer { throw .twoCredentials }
        return bearer
    }
}

/// Who is calling, for the handlers of a request. A route without authentication serves nobody's models.
enum CallerIdentity {
    @TaskLocal static var current = ClientKey.unknown
}
