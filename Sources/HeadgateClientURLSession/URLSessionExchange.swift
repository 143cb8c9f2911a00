internal import Foundation
internal import HTTPTypes
internal import HeadgateClient
internal import HeadgateHTTP
internal import HeadgatePrimitives

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its response. The session's queue stores the response, and a task reads it.
final class URLSessionExchange: Sendable {
    #if canImport(FoundationNetworking)
        static let canHoldBack = false
        /// The maximum number of unread bytes; above it, the exchange ends.
        static let highWater = 16 << 20
    #else
        static let canHoldBack = true
        /// The number of unread bytes above which the server has to wait.
        static let highWater = 256 << 10
    #endif

    /// The limits, in bytes and in time, of the data that is read after the end marker to keep the connection.
    static let discardedBytes = 64 << 10
    static let discardTime = Duration.seconds(1)

    private struct State: Sendable {
        var head: Result<HTTPResponse, any Error>?
        var unread: [UInt8] = []
        var end: Result<Void, any Error>?
        var isSuspended = false
        /// The number of bytes that arrived after the reader had everything it needed; nil before that.
        var discarded: Int?
        /// The task that ends the wait for the rest.
        var deadline: Task<Void, Never>?
        /// The waiting reader.
        var reader: CheckedContinuation<Void, Never>?
    }

    private let task: any ExchangeTask
    private let holdsBack: Bool
    private let state = Locked(State())

    /// Creates the exchange of a task.
    ///
    /// - Parameter holdsBack: Whether the task can be suspended in the middle of a body. On Linux it cannot: it closes
    ///   its connection, and sends its request again when it is resumed (seen with Swift 6.3).
    init(_ task: any ExchangeTask, holdsBack: Bool = URLSessionExchange.canHoldBack) {
        self.task = task
        self.holdsBack = holdsBack
    }

    // MARK: Reader

    /// Sends the request and waits for the head.
    func head() async throws -> HTTPResponse {
        task.resume()
        while true {
            if let head = state.withLock({ $0.head }) { return try head.get() }
            try await waitForNews { $0.head == nil }
        }
    }

    /// Returns the next bytes; nil after the last ones.
    func next() async throws -> [UInt8]? {
        while true {
            let (bytes, end) = state.withLock { state in
                let bytes = state.unread
                state.unread = []
                resume(&state)
                return (bytes, state.end)
            }
            if !bytes.isEmpty { return bytes }
            if let end {
                try end.get()
                return nil
            }
            try await waitForNews { $0.unread.isEmpty && $0.end == nil }
        }
    }

    /// Closes the connection.
    func cancel() { task.cancel() }

    /// Discards a limited amount of further data, so that the connection can be kept if the body ends within the
    /// limits.
    func discardRest() {
        let task = task
        state.withLock { state in
            state.unread = []
            guard state.end == nil, state.discarded == nil else { return }
            state.discarded = 0
            resume(&state)
            state.deadline = Task {
                do {
                    try await Task.sleep(for: URLSessionExchange.discardTime)
                    task.cancel()
                } catch {
                    // The body ended before the deadline.
                }
            }
        }
    }

    private func waitForNews(_ isNeeded: @escaping @Sendable (State) -> Bool) async throws {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard isNeeded(state), !Task.isCancelled else { return false }
                    state.reader = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            cancel()
        }
    }

    // MARK: Session

    func receive(_ response: URLResponse) {
        let head: Result<HTTPResponse, any Error> =
            if let response = response as? HTTPURLResponse {
                .success(HTTPResponse(response))
            } else {
                .failure(TransportError(.protocolViolation, "the response is not HTTP"))
            }
        tell { $0.head = head }
    }

    func receive(_ data: Data) {
        let bytes = Array(data)
        tell { state in
            if let discarded = state.discarded {
                state.discarded = discarded + bytes.count
                if discarded + bytes.count > URLSessionExchange.discardedBytes { task.cancel() }
                return
            }
            state.unread += bytes
            if state.unread.count > URLSessionExchange.highWater { holdBack(&state) }
        }
    }

    // A task is suspended and resumed under the lock, so that it agrees with the state. Otherwise, a reader that runs
    // between the decision and the call would leave the task suspended forever.

    private func holdBack(_ state: inout State) {
        guard !state.isSuspended, state.end == nil else { return }
        if holdsBack {
            state.isSuspended = true
            task.suspend()
        } else {
            let limit = URLSessionExchange.highWater >> 20
            state.end = .failure(TransportError(.truncatedBody, "the reader is more than \(limit) MiB behind"))
            task.cancel()
        }
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        task.resume()
    }

    func complete(_ error: (any Error)?) {
        tell { state in
            state.deadline?.cancel()
            if let error {
                let failure = TransportError(error, afterHead: state.head != nil)
                state.end = state.end ?? .failure(failure)
                state.head = state.head ?? .failure(failure)
            } else {
                state.end = state.end ?? .success(())
                state.head = state.head ?? .failure(TransportError(.closedBeforeResponse))
            }
        }
    }

    private func tell(_ change: @Sendable (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            let reader = state.reader
            state.reader = nil
            return reader
        }
        reader?.resume()
    }
}
