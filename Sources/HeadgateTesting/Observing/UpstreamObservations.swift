internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgatePrimitives
internal import Synchronization

/// Everything that a test can learn about a scripted upstream. It can be used from any thread.
package final class UpstreamObservations: Sendable {
    private let isRecording: Bool
    private let received = Locked<[ReceivedRequest]>([])
    private let written = Locked<[Int: Int]>([:])
    private let totalWritten = Atomic<Int>(0)
    private let requestCount = Atomic<Int>(0)
    private let unseenRequests = Mailbox<ReceivedRequest>()
    private let unseenEvents = Mailbox<UpstreamEvent>()

    /// Creates the observations.
    ///
    /// - Parameter isRecording: Whether to store requests and events; false stores only totals, for an upstream that
    ///   runs for a long time.
    init(isRecording: Bool) { self.isRecording = isRecording }

    // MARK: Reading

    /// All requests so far.
    package var requests: [ReceivedRequest] { received.withLock { $0 } }

    /// Returns the next request that no earlier call returned, and waits for it if necessary.
    package func nextRequest(timeout: Duration = .seconds(300)) async throws -> ReceivedRequest {
        guard let request = try await unseenRequests.next(timeout: timeout, "a request at the upstream") else {
            throw TestFailure.timedOut(waitingFor: "a request at an upstream that has stopped")
        }
        return request
    }

    /// Takes the first matching event, and waits for it if necessary. Events before it stay for other calls.
    package func nextEvent(
        timeout: Duration = .seconds(300), where suits: @escaping @Sendable (UpstreamEvent) -> Bool = { _ in true }
    ) async throws -> UpstreamEvent {
        guard let event = try await unseenEvents.next(timeout: timeout, "an event of the upstream", where: suits) else {
            throw TestFailure.timedOut(waitingFor: "an event of an upstream that has stopped")
        }
        return event
    }

    package func nextEvent(_ kind: UpstreamEvent.Kind, timeout: Duration = .seconds(300)) async throws -> UpstreamEvent
    {
        try await nextEvent(timeout: timeout) { $0.kind == kind }
    }

    /// Returns the next event of a peer that leaves.
    package func nextPeerClosed(timeout: Duration = .seconds(300)) async throws -> UpstreamEvent {
        try await nextEvent(timeout: timeout) { $0.isPeerClosed }
    }

    /// Returns the number of bytes written for one request, including its head, its framing and queued bytes.
    package func bytesWritten(request: Int) -> Int { written.withLock { $0[request, default: 0] } }

    package var bytesWritten: Int { totalWritten.load(ordering: .relaxed) }

    // MARK: Writing

    func nextRequestIndex() -> Int { requestCount.add(1, ordering: .relaxed).oldValue }

    func note(_ request: ReceivedRequest) {
        guard isRecording else { return }
        received.withLock { $0.append(request) }
        unseenRequests.post(request)
        note(.requestReceived(request.index))
    }

    func note(_ kind: UpstreamEvent.Kind) {
        guard isRecording else { return }
        unseenEvents.post(UpstreamEvent(kind: kind, at: headgate_monotonic_nanoseconds()))
    }

    func noteWritten(_ bytes: Int, request: Int) {
        totalWritten.add(bytes, ordering: .relaxed)
        if isRecording { written.withLock { $0[request, default: 0] += bytes } }
    }

    /// Ends the observations and all waits.
    func close() {
        unseenRequests.close()
        unseenEvents.close()
    }
}

/// A request as the scripted upstream received it.
package struct ReceivedRequest: Sendable {
    /// The number of the request in order of arrival, from 0, which identifies it in events.
    package let index: Int
    /// The number of the connection, which requests on the same connection share. In process every request has its own.
    package let connection: Int
    package let method: String
    /// The path with its query.
    package let path: String
    /// The headers: `Host` first, the others in their order.
    package let headers: HeaderLines
    package let body: [UInt8]
    /// The name, or the place in the script, of the matching exchange; nil if none matched.
    package internal(set) var exchange: String?

    package var text: String { String(decoding: body, as: UTF8.self) }
}
