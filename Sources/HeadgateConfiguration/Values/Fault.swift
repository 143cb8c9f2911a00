/// What goes wrong on purpose with one exchange.
package struct Fault: Sendable, Hashable {
    /// Who gets the damaged response.
    package enum Receiver: String, Sendable, CaseIterable {
        /// The gateway, as if from the upstream: what it makes of that is what the client sees.
        case gateway
        /// The client, as if from the gateway.
        case client
    }

    /// How a stream ends before its time.
    package enum End: Sendable, Hashable {
        /// The connection is closed.
        case cut
        /// The connection is reset; after no event, before the head.
        case reset
        /// Nothing more comes.
        case stall
    }

    package var receiver = Receiver.gateway
    /// From 400 to 599, in place of a response.
    package var status: Int?
    /// Seconds, with ``status``.
    package var retryAfter: Int?
    package var headDelay: Duration?
    /// Between the head and the first octet of the body.
    package var contentDelay: Duration?
    package var end: End?
    /// With ``end``.
    package var eventsBeforeEnd = 0
    /// Octets a second of the body.
    package var rate: Int?
    /// Octets of the body in one piece.
    package var pieceSize: Int?
    /// Which event is no JSON, counted from 1.
    package var malformedEvent: Int?
    /// Whether an error comes with the status 200, in place of a response.
    package var isErrorIn200 = false
    package var contentType: String?

    package init() {}

    /// Whether no response of the upstream is needed for it.
    package var replacesResponse: Bool { status != nil || isErrorIn200 || isResetBeforeHead }

    package var isResetBeforeHead: Bool { end == .reset && eventsBeforeEnd == 0 }
}

/// Which exchanges get a fault.
package struct FaultRule: Sendable, Hashable {
    /// A public name or a pattern; nil for all.
    package var model: String?
    /// The name of a client key; nil for all.
    package var key: String?
    /// The name of an upstream; nil for all.
    package var upstream: String?
    /// From 1 to 100.
    package var percent: Int
    /// The same seed gives the same sequence of decisions; nil for another one each time.
    package var seed: Int?
    package var fault: Fault

    package init(
        model: String? = nil, key: String? = nil, upstream: String? = nil, percent: Int = 100, seed: Int? = nil,
        fault: Fault
    ) {
        self.model = model
        self.key = key
        self.upstream = upstream
        self.percent = percent
        self.seed = seed
        self.fault = fault
    }
}

package struct FaultInjectionConfiguration: Sendable, Equatable {
    /// Without it no fault is injected, by no rule and no request.
    package var isEnabled: Bool
    /// The first that applies decides.
    package var rules: [FaultRule]

    package init(isEnabled: Bool = false, rules: [FaultRule] = []) {
        self.isEnabled = isEnabled
        self.rules = rules
    }
}
