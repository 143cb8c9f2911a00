/// One of the ways to an answer for a model: an upstream, and a model there.
package struct TargetConfiguration: Sendable, Hashable {
    /// The name of the upstream.
    package var upstream: String
    /// What the upstream calls the model; nil passes the public name on.
    package var model: String?
    /// Its share of the requests, where they are shared out: from 1 to 1000.
    package var weight: Int
    /// The upstream's, with what the model changes of them.
    package var timeouts: UpstreamTimeouts
    /// The upstream's, with what the model changes of them.
    package var parameters: ParameterRules
    /// The target's own, else the upstream's; nil where neither is written.
    package var breaker: BreakerConfiguration?

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
