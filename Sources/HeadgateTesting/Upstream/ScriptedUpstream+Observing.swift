/// Observations for tests.
extension ScriptedUpstream {
    /// All requests so far.
    package var requests: [ReceivedRequest] { observations.requests }

    /// See ``UpstreamObservations/nextRequest(timeout:)``.
    package func nextRequest(timeout: Duration = .seconds(300)) async throws -> ReceivedRequest {
        try await observations.nextRequest(timeout: timeout)
    }

    /// See ``UpstreamObservations/nextEvent(timeout:where:)``.
    package func nextEvent(
        timeout: Duration = .seconds(300), where suits: @escaping @Sendable (UpstreamEvent) -> Bool = { _ in true }
    ) async throws -> UpstreamEvent {
        try await observations.nextEvent(timeout: timeout, where: suits)
    }

    /// The next event of exactly this kind.
    package func nextEvent(_ kind: UpstreamEvent.Kind, timeout: Duration = .seconds(300)) async throws -> UpstreamEvent
    {
        try await observations.nextEvent(kind, timeout: timeout)
    }

    /// The next departure of a peer.
    package func nextPeerClosed(timeout: Duration = .seconds(300)) async throws -> UpstreamEvent {
        try await observations.nextPeerClosed(timeout: timeout)
    }

    /// Bytes of all responses, queued ones included.
    package var bytesWritten: Int { observations.bytesWritten }

    /// Bytes of one response, queued ones included.
    package func bytesWritten(request: Int) -> Int { observations.bytesWritten(request: request) }
}
