internal import HTTPTypes
internal import HeadgateHTTP

/// Notes what is known at the start and, when the request's outcome is complete, writes one line about it.
struct AccessLogMiddleware: ServerMiddleware {
    let log: AccessLog

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let record = metadata.record
        record.facts.method = request.method.rawValue
        record.facts.operation = operationID
        record.facts.remoteAddress = metadata.connection.remoteAddress
        let log = log
        record.observe { log.write($0) }
        return try await next(request, body, metadata)
    }
}
