#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ClientMiddleware where ServerURL == URL {
    /// Calls the variant with a `URL`, which is the only one that the type has. The URL of a Unix socket is
    /// `http://localhost`. If the middleware passes on an unchanged URL, the request goes to the original server.
    ///
    /// - Throws: The errors of that variant.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let given = URL(baseURL)
        // The body is passed on within its task.
        nonisolated(unsafe) let passed = body
        return try await withoutActuallyEscaping(next) { next in
            nonisolated(unsafe) let answer = try await intercept(
                request, body: passed, baseURL: given, operationID: operationID
            ) { @concurrent request, body, url in
                try await next(request, body, url == given ? baseURL : BaseURL(url))
            }
            return answer
        }
    }
}
