internal import HTTPTypes
internal import HeadgateHTTP

/// Notes what is known at the start and, when the request's outcome is complete, writes one line about it and remembers it.
struct AccessLogMiddleware: ServerGate {
    private let write: @Sendable (inout Outcome) -> Void

    /// - Parameter isPolled: whether the operation is asked again and again by machines, so that a line for each good answer would
    ///   bury the others. What goes wrong is written all the same.
    init(log: AccessLog, status: StatusBoard, isPolled: Bool = false) {
        write = { outcome in
            if !isPolled || outcome.status >= 400 || outcome.end != .finished { log.write(&outcome) }
            status.note(outcome)
        }
    }

    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        let record = metadata.record
        record.facts.method = request.method.rawValue
        record.facts.operation = operationID
        record.facts.remoteAddress = metadata.connection.remoteAddress
        record.observe(write)
    }
}
