/// One of the ways to an answer for a model: an upstream, and a model there.
package struct TargetConfiguration: Sendable, Hashable {
    /// The name of the upstream.
    package var upstream: String
    /// The upstream's name for the model; nil forwards the public name.
    package var model: String?
    /// Its weight, if requests are distributed: from 1 to 1000.
    package var weight: Int
    /// The upstream's, with what the model changes of them.
    package var timeouts: UpstreamTimeouts
    /// The upstream's, with what the model changes of them.
    package var parameters: ParameterRules
    /// Circuit breaker of the target, else of the upstream; nil if neither is configured.
    package var breaker: BreakerConfiguration?
    /// The requests that the target gets; nil for all.
    package var condition: TargetCondition?

    package init(
        upstream: String, model: String? = nil, weight: Int = 1, timeouts: UpstreamTimeouts = .init(),
        parameters: ParameterRules = .init(), breaker: BreakerConfiguration? = nil
    ) {
        self.upstream = upstream
        self.model = model
        self.weight = weight
        self.timeouts = timeouts
        self.parameters = parameters
        self.breaker = breaker
    }
}

/// The requests that a target gets: those that meet all members.
package struct TargetCondition: Sendable, Hashable {
    /// Estimated tokens of the prompt that a request must exceed; nil for any number.
    package var tokensAbove: Int?
    /// Whether the request must have images, or must have none; nil for either.
    package var images: Bool?
    /// Whether the request must have tools, or must have none; nil for either.
    package var tools: Bool?
    /// Names of the client keys; empty for any caller.
    package var keys: [String] = []
    /// Names of the groups of client keys; empty for any caller.
    package var groups: [String] = []
    /// Headers that the request must have, each with exactly this value.
    package var headers: [Header] = []

    package struct Header: Sendable, Hashable {
        /// Lower case.
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init() {}
}

/// Choice of the target to try first.
package enum TargetChoice: String, Sendable, CaseIterable {
    /// In the order of the file: the others are for when the first ones fail.
    case first
    /// At random, in proportion to the weights.
    case weighted
    /// The one with the fewest requests in flight.
    case leastBusy = "least_busy"
    /// The one whose content has lately come soonest.
    case fastest
}

/// How long to wait for an upstream; each from 1 ms to 24 h.
package struct UpstreamTimeouts: Sendable, Hashable {
    /// From the start of a connection attempt until the connection can be used, TLS included.
    package var connect: Duration
    /// From the request's last byte until the first byte of the answer.
    package var firstByte: Duration
    /// The longest pause between two pieces of progress of an answer.
    package var silence: Duration
    /// Deadline for the first content of a stream; nil without a separate limit.
    package var firstContent: Duration?

    package init(
        connect: Duration = .seconds(5), firstByte: Duration = .seconds(120), silence: Duration = .seconds(120),
        firstContent: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.silence = silence
        self.firstContent = firstContent
    }
}
