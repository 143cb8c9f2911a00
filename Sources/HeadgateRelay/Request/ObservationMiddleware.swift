internal import HTTPTypes
package import HeadgateHTTP

/// Records the facts known at the start of a request, and registers the observers of its outcome.
package struct ObservationMiddleware: ServerGate {
    let observers: [OutcomeFunction]
    /// Whether the operation is polled, as health checks are.
    var isPolled = false

    package init(observers: [any OutcomeObserver], isPolled: Bool = false) {
        self.observers = observers.map(\.function)
        self.isPolled = isPolled
    }

    package func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        let record = metadata.record
        record.facts.method = request.method.rawValue
        record.facts.operation = operationID
        record.facts.isPolled = isPolled
        record.facts.remoteAddress = metadata.connection.remoteAddress
        record.observe(observers)
    }
}
