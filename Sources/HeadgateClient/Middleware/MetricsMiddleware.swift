public import HTTPTypes
public import HeadgateHTTP
internal import HeadgatePrimitives

/// Counts requests and their times, by operation.
///
/// Keep the middleware to read ``counts``: a client and all its copies count together.
public final class MetricsMiddleware: ClientMiddleware {
    /// Counts of the requests of one operation.
    public struct Counts: Hashable, Sendable {
        /// Requests that were begun.
        public var requests = 0
        /// Requests that have not ended.
        public var inFlight = 0
        /// Requests that the server refused, or that broke off.
        public var failures = 0
        /// Requests whose response the app left before its end.
        public var left = 0
        /// Responses by their status.
        public var statuses: [Int: Int] = [:]
        /// Bytes of bodies that were read.
        public var receivedBytes = 0
        /// From the request to the first bytes of the body, of those that had any.
        public var timeToFirstByte = Times()
        /// From the request to its end.
        public var duration = Times()
    }

    /// A sum of times.
    public struct Times: Hashable, Sendable {
        /// How many there were.
        public var count = 0
        /// All of them together.
        public var sum = Duration.zero
        /// The longest.
        public var longest = Duration.zero
        /// The mean; nil without a sample.
        public var mean: Duration? { count == 0 ? nil : sum / count }

        mutating func add(_ duration: Duration) {
            count += 1
            sum += duration
            longest = max(longest, duration)
        }
    }

    private let state = Locked<[String: Counts]>([:])

    /// Middleware that has counted nothing.
    public init() {}

    /// The counts so far, by operation, such as `createChatCompletion`.
    public var counts: [String: Counts] { state.withLock { $0 } }

    /// Sends the request on, and counts it when it has ended.
    ///
    /// - Throws: errors of the rest of the chain.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let state = state
        state.withLock { $0[operationID, default: Counts()].begin() }
        return try await ExchangeObservation.run(
            request, body: body, baseURL: baseURL, operationID: operationID, next: next
        ) { record in
            state.withLock { $0[operationID, default: Counts()].end(record) }
        }
    }
}

extension MetricsMiddleware.Counts {
    mutating func begin() {
        requests += 1
        inFlight += 1
    }

    mutating func end(_ record: ExchangeRecord) {
        inFlight -= 1
        if record.isFailure { failures += 1 }
        if record.end == .left { left += 1 }
        if let status = record.status { statuses[status, default: 0] += 1 }
        receivedBytes += record.receivedBytes
        if let time = record.timeToFirstByte { timeToFirstByte.add(time) }
        duration.add(record.duration)
    }
}
