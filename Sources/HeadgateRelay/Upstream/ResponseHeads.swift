package import HTTPTypes
internal import HeadgateHTTP

/// Heads of the responses relayed from one upstream, encoded once.
struct ResponseHeads: Sendable {
    let document: ServerResponseHead
    let stream: ServerResponseHead
    /// Headers in these heads beyond those of every response.
    let own: HTTPFields

    /// Heads without any `x-headgate` header.
    static let plain = ResponseHeads(document: RelayFields.responseHead, stream: EventStream.head, own: [:])

    private init(document: ServerResponseHead, stream: ServerResponseHead, own: HTTPFields) {
        self.document = document
        self.stream = stream
        self.own = own
    }

    /// Creates heads that name the upstream.
    init(upstream: String) {
        let own: HTTPFields = [.xHeadgateUpstream: upstream]
        self.init(
            document: RelayFields.head(RelayFields.responseHead, passing: own),
            stream: RelayFields.head(EventStream.head, passing: own), own: own)
    }
}

extension HTTPField.Name {
    private static func own(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name("x-headgate-\(name)") else { preconditionFailure("not a field name") }
        return name
    }

    static let xHeadgateUpstream = own("upstream")
    /// Number of requests sent upstream, if more than one.
    package static let xHeadgateAttempts = own("attempts")
    package static let xHeadgateDegraded = own("degraded")
    /// Whether the token counts are the gateway's own estimate.
    package static let xHeadgateEstimated = own("estimated")
    /// Members of the request that were not sent to the upstream.
    static let xHeadgateDropped = own("dropped")
    /// Result of the cache lookup.
    package static let xHeadgateCache = own("cache")
    package static let xHeadgateFault = own("fault")
    /// Lowers the priority of a request.
    static let xHeadgatePriority = own("priority")
    package static let xHeadgateCostUSD = own("cost-usd")
    /// Used share of a budget, sent from 80% on.
    package static let xHeadgateBudgetUsed = own("budget-used")
}
