internal import HTTPTypes
internal import HeadgateHTTP

/// Sends a gateway key. The key does not appear in any description.
struct BearerAuthentication: ClientRequestEditor, CustomStringConvertible, CustomReflectable {
    private let key: String

    init(_ key: String) { self.key = key }

    func edit(_ request: inout HTTPRequest) { request.headerFields[.authorization] = "Bearer \(key)" }

    var description: String { "BearerAuthentication" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Returns the key for a request, for example from a keychain or after a sign-in; nil for none.
public typealias APIKeyProvider = @Sendable () async throws -> String?

/// Sends the key that a closure returns for each request.
struct ProvidedAuthentication: ClientMiddleware {
    private let provider: APIKeyProvider

    init(_ provider: @escaping APIKeyProvider) { self.provider = provider }

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        if let key = try await provider() { BearerAuthentication(key).edit(&request) }
        return try await next(request, body, baseURL)
    }
}
