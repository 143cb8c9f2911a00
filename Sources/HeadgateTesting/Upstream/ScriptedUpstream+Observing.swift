/// The observations for tests.
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

    /// Returns the next event of exactly this kind.
    package func nextEvent(_ kind: UpstreamEvent.Kind, timeout: Duration = .seconds(300)) async throws -> UpstreamEvent
    {
        try await observations.nextEvent(kind, timeout: timeout)
    }

    /// Returns the next event of a peer that leaves.
    package func nextPeerClosed(timeout: Duration = .seconds(300)) async throws -> UpstreamEvent {
        try await observations.nextPeerClosed(timeout: timeout)
    }

    /// The number of bytes of all responses, including queued ones.
    package var bytesWritten: Int { observations.bytesWritten }

    /// Returns the number of bytes of one response, including queued ones.
    package func bytesWritten(request: Int) -> Int { observations.bytesWritten(request: request) }
}
