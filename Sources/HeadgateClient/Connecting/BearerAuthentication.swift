internal import HTTPTypes
internal import HeadgateHTTP

/// Sends a gateway key, which is in no description.
struct BearerAuthentication: ClientRequestEditor, CustomStringConvertible, CustomReflectable {
    private let key: String

    init(_ key: String) { self.key = key }

    func edit(_ request: inout HTTPRequest) { request.headerFields[.authorization] = "Bearer \(key)" }

    var description: String { "BearerAuthentication" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives the key of a request, or nil for none: from a keychain, or from where the app has signed in.
public typealias APIKeyProvider = @Sendable () async throws -> String?

/// Sends the key that a closure gives, asked for each request.
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
