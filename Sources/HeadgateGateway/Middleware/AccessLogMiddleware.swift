internal import HTTPTypes
internal import HeadgateHTTP

/// Notes what is known at the start and, when the request's outcome is complete, writes one line about it.
struct AccessLogMiddleware: ServerGate {
    let log: AccessLog

    func admit(_ request: HTTPRequest, metadata: ServerRequestMetadata, operationID: String) throws {
        let record = metadata.record
        record.facts.method = request.method.rawValue
        record.facts.operation = operationID
        record.facts.remoteAddress = metadata.connection.remoteAddress
        let log = log
        record.observe { log.write($0) }
    }
}
