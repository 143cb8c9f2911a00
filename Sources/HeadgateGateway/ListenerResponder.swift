package import HeadgateHTTP
internal import HeadgateRelay

/// Responder for all listeners of a gateway. Each listener serves all of its routes or a selection of them.
package final class ListenerResponder: RequestResponder {
    private let whole: Gateway
    private let others: [RouteSelection: Gateway]

    package init(_ whole: Gateway, others: [RouteSelection: Gateway]) {
        self.whole = whole
        self.others = others
    }

    private func gateway(for metadata: ServerRequestMetadata) -> Gateway {
        guard let selection = RouteSelection(rawValue: metadata.connection.local.tag), selection != .all else {
            return whole
        }
        return others[selection] ?? whole
    }

    package func makeContext(clock: @escaping () -> UInt64) -> any RequestContext { whole.makeContext(clock: clock) }

    package func respond(
        to request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata,
        completion: @escaping (ServerResponse) -> Void
    ) {
        gateway(for: metadata).respond(to: request, body: body, metadata: metadata, completion: completion)
    }

    package func refuse(_ violation: HTTPSyntaxError, metadata: ServerRequestMetadata) -> ServerResponse {
        gateway(for: metadata).refuse(violation, metadata: metadata)
    }

    package func shutdownResponse(to request: RequestHead, metadata: ServerRequestMetadata) -> ServerResponse {
        gateway(for: metadata).shutdownResponse(to: request, metadata: metadata)
    }

    package func heartbeat(for head: ServerResponseHead) -> [UInt8]? { whole.heartbeat(for: head) }

    package func finalEvents(for head: ServerResponseHead, metadata: ServerRequestMetadata) -> [UInt8]? {
        gateway(for: metadata).finalEvents(for: head, metadata: metadata)
    }
}
