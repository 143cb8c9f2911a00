package import HTTPTypes
internal import HeadgateHTTP

/// The heads of the responses that are relayed from one upstream, encoded once.
struct ResponseHeads: Sendable {
    let document: ServerResponseHead
    let stream: ServerResponseHead
    /// What is in them besides what every response has.
    let own: HTTPFields

    /// Without a field of the gateway's own.
    static let plain = ResponseHeads(document: RelayFields.responseHead, stream: EventStream.head, own: [:])

    private init(document: ServerResponseHead, stream: ServerResponseHead, own: HTTPFields) {
        self.document = document
        self.stream = stream
        self.own = own
    }

    /// With the upstream's name.
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
    /// How many requests were sent, where it is more than one.
    package static let xHeadgateAttempts = own("attempts")
    package static let xHeadgateDegraded = own("degraded")
    /// Whether the answer is the gateway's own estimate.
    package static let xHeadgateEstimated = own("estimated")
    /// The members of the request that the upstream's format does not have.
    static let xHeadgateDropped = own("dropped")
    /// Whether the response was kept from another request.
    package static let xHeadgateCache = own("cache")
    package static let xHeadgateFault = own("fault")
    package static let xHeadgateCostUSD = own("cost-usd")
    /// The part of a budget that is used, from 80 % on.
    package static let xHeadgateBudgetUsed = own("budget-used")
}
