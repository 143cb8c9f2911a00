internal import HTTPTypes
internal import HeadgateConfiguration
package import HeadgateHTTP

/// The active check of one upstream: a request of the gateway's own, whose response decides whether the upstream is
/// healthy.
package struct UpstreamCheck: Sendable {
    /// Nothing within it is no answer.
    package static let patience = Duration.seconds(5)

    /// Between two checks.
    package let every: Duration
    private let upstream: Upstream
    private let head: OutgoingHead
    private let reach: UpstreamReach

    /// Nil for an upstream without a check, and for programs that the gateway runs: a request would start them.
    package init?(_ definition: UpstreamDefinition, state: TargetStates) {
        let configuration = definition.configuration
        guard let check = configuration.healthCheck, configuration.command == nil, configuration.kind != .onDevice
        else { return nil }
        every = check.every
        let patience = UpstreamCheck.patience
        upstream = Upstream(
            definition, timeouts: UpstreamTimeouts(connect: patience, firstByte: patience, silence: patience),
            relaysRateLimits: false)
        head = upstream.head(
            .get, path: upstream.path(check.path), fields: ModelListQuestion.fields(for: configuration.kind))
        reach = state.reach(of: configuration.name)
    }

    /// Asks once. On a loop.
    ///
    /// - Parameter completion: called once, perhaps before this returns: with whether it was a success.
    /// - Returns: what cancels the question; nil when it is over already.
    package func ask(_ completion: @escaping (Bool) -> Void) -> (any Cancellable)? {
        upstream.send(UpstreamRequest(head, body: nil, operationID: "checkHealth")) { [reach] result in
            guard case .success(let response) = result else { return completion(false) }
            // Whatever it says.
            reach.noteConnected()
            if case .stream(let source)? = response.body { source.discardRest() }
            completion((200..<300).contains(response.head.status))
        }
    }

    package func note(isHealthy: Bool) { reach.noteCheck(isHealthy: isHealthy) }
}
