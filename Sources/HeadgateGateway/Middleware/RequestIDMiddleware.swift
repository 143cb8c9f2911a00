internal import HTTPTypes
internal import HeadgateHTTP

/// Gives every request an id, the client's own if it is well-formed, and returns it as `x-request-id`.
struct RequestIDMiddleware: ServerMiddleware {
    let generator: RequestIDGenerator

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let id = RequestIDMiddleware.accepted(request.headerFields.first(.xRequestID)) ?? generator.next()
        metadata.record.facts.requestID = id
        var (response, responseBody) = try await next(request, body, metadata)
        response.headerFields.append(HTTPField(name: .xRequestID, value: id))
        return (response, responseBody)
    }

    /// Letters, digits, `.`, `_` and `-`, at most 128 of them.
    static func accepted(_ presented: String?) -> String? {
        guard let presented, (1...128).contains(presented.utf8.count) else { return nil }
        let isWellFormed = presented.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
        return isWellFormed ? presented : nil
    }
}
