internal import Foundation
internal import HTTPTypes
internal import HeadgateClient
internal import HeadgateHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its response, between the session's queue, which fills it, and the task that reads it.
final class URLSessionExchange: Sendable {
    #if canImport(FoundationNetworking)
        /// More unread octets than this end the exchange.
        static let highWater = 16 << 20
    #else
        /// Above this many unread octets the server is made to wait.
        static let highWater = 256 << 10
    #endif

    private struct State: Sendable {
        var head: Result<HTTPResponse, any Error>?
        var unread: [UInt8] = []
        var end: Result<Void, any Error>?
        var isSuspended = false
        var isDiscarding = false
        /// Whoever waits for anything new.
        var reader: CheckedContinuation<Void, Never>?
    }

    private let task: URLSessionDataTask
    private let state = Protected(State())

    init(_ task: URLSessionDataTask) { self.task = task }

    // MARK: The reader

    /// Sends the request and waits for the head.
    func head() async throws -> HTTPResponse {
        task.resume()
        while true {
            if let head = state.withLock({ $0.head }) { return try head.get() }
            try await waitForNews { $0.head == nil }
        }
    }

    /// The next octets; nil after the last.
    func next() async throws -> [UInt8]? {
        while true {
            let (bytes, end, resumes) = state.withLock { state in
                let bytes = state.unread
                state.unread = []
                let resumes = state.isSuspended
                state.isSuspended = false
                return (bytes, state.end, resumes)
            }
            if resumes { task.resume() }
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

    /// Lets the rest come, unread, so that the connection can be kept.
    func discardRest() {
        let resumes = state.withLock { state in
            state.isDiscarding = true
            state.unread = []
            let resumes = state.isSuspended
            state.isSuspended = false
            return resumes
        }
        if resumes { task.resume() }
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

    // MARK: The session

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
            guard !state.isDiscarding else { return }
            state.unread += bytes
        }
        let isBehind = state.withLock { state in
            guard state.unread.count > URLSessionExchange.highWater, !state.isSuspended else { return false }
            state.isSuspended = true
            return true
        }
        if isBehind { holdBack() }
    }

    #if canImport(FoundationNetworking)
        /// Ends the exchange. FoundationNetworking cannot make a server wait: a task that is suspended in the middle of a body closes
        /// its connection, and sends its request once more when it is resumed (seen with Swift 6.3).
        private func holdBack() {
            let limit = URLSessionExchange.highWater >> 20
            let failure = TransportError(.truncatedBody, "the reader is more than \(limit) MiB behind")
            tell { $0.end = $0.end ?? .failure(failure) }
            task.cancel()
        }
    #else
        private func holdBack() { task.suspend() }
    #endif

    func complete(_ error: (any Error)?) {
        tell { state in
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
