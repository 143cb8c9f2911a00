#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ClientMiddleware where ServerURL == URL {
    /// Calls the function with a `URL`, which is all that the type has. A socket of this machine is `http://localhost`
    /// in it; a URL that it hands on as it was leads where it led.
    ///
    /// - Throws: what that throws.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let given = URL(baseURL)
        // It goes along with its task.
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
