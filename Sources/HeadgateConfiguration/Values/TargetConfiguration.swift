/// A target of a model: an upstream, and a model there.
package struct TargetConfiguration: Sendable, Hashable {
    /// Name of the upstream.
    package var upstream: String
    /// Name of the model at the upstream; nil forwards the public name.
    package var model: String?
    /// Weight for distributing requests, from 1 to 1000.
    package var weight: Int
    /// Timeouts of the upstream with the model's changes.
    package var timeouts: UpstreamTimeouts
    /// Parameter rules of the upstream with the model's changes.
    package var parameters: ParameterRules
    /// Circuit breaker of the target, or else of the upstream; nil if neither is configured.
    package var breaker: BreakerConfiguration?
    /// Condition for requests to the target; nil for all requests.
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

/// Condition for requests to a target. A request must meet all members.
package struct TargetCondition: Sendable, Hashable {
    /// Estimated tokens of the prompt that a request must exceed; nil for any number.
    package var tokensAbove: Int?
    /// Whether the request must have images, or must have none; nil for either.
    package var images: Bool?
    /// Whether the request must have tools, or must have none; nil for either.
    package var tools: Bool?
    /// Names of client keys; empty for any caller.
    package var keys: [String] = []
    /// Names of groups of client keys; empty for any caller.
    package var groups: [String] = []
    /// Headers that the request must have, each with exactly this value.
    package var headers: [Header] = []

    package struct Header: Sendable, Hashable {
        /// Name in lower case.
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
    /// The first in the order of the file. The others are tried when it fails.
    case first
    /// A random one, in proportion to the weights.
    case weighted
    /// The one with the fewest requests in flight.
    case leastBusy = "least_busy"
    /// The one with the shortest recent time to first content.
    case fastest
}

/// Timeouts for an upstream, each from 1 ms to 24 h.
package struct UpstreamTimeouts: Sendable, Hashable {
    /// Time from the start of a connection attempt until the connection can be used, including TLS.
    package var connect: Duration
    /// Time from the request's last byte until the first byte of the response.
    package var firstByte: Duration
    /// Longest pause between two pieces of a response's progress.
    package var silence: Duration
    /// Time to the first content of a stream; nil without a separate limit.
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
