internal import HTTPTypes
internal import HeadgateConfiguration
package import HeadgateHTTP

/// The active health check of one upstream: a request by the gateway whose response decides whether the upstream is
/// healthy.
package struct UpstreamCheck: Sendable {
    /// Timeout of each phase of a check: connect, first byte and silence.
    package static let patience = Duration.seconds(5)

    /// Interval between two checks.
    package let every: Duration
    private let upstream: Upstream
    private let head: OutgoingHead
    private let reach: UpstreamReach

    /// Creates the check of an upstream; nil if none is configured, or if the gateway runs the upstream as a program,
    /// which a request would start.
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

    /// Sends one check. Runs on an event loop.
    ///
    /// - Parameter completion: called once, possibly before this method returns, with whether the check succeeded.
    /// - Returns: a handle that cancels the check; nil if it is already over.
    package func ask(_ completion: @escaping (Bool) -> Void) -> (any Cancellable)? {
        upstream.send(UpstreamRequest(head, body: nil, operationID: "checkHealth")) { [reach] result in
            guard case .success(let response) = result else { return completion(false) }
            // Any response shows that the upstream can be reached.
            reach.noteConnected()
            if case .stream(let source)? = response.body { source.discardRest() }
            completion((200..<300).contains(response.head.status))
        }
    }

    package func note(isHealthy: Bool) { reach.noteCheck(isHealthy: isHealthy) }
}
