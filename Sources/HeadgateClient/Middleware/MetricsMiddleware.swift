public import HTTPTypes
public import HeadgateHTTP
internal import HeadgatePrimitives

/// Counts requests and measures their times, by operation.
///
/// Keep a reference to the middleware to read ``counts``. A client and all its copies share the counts.
public final class MetricsMiddleware: ClientMiddleware {
    /// Counts of the requests of one operation.
    public struct Counts: Hashable, Sendable {
        /// Number of requests that were started.
        public var requests = 0
        /// Number of requests that have not ended.
        public var inFlight = 0
        /// Number of requests that the server rejected, or that failed.
        public var failures = 0
        /// Number of requests whose response the app abandoned before its end.
        public var left = 0
        /// Number of responses by status.
        public var statuses: [Int: Int] = [:]
        /// Number of bytes of bodies that were read.
        public var receivedBytes = 0
        /// Times from the request to the first bytes of the body, if there were any.
        public var timeToFirstByte = Times()
        /// Times from the request to its end.
        public var duration = Times()
    }

    /// Statistics of times.
    public struct Times: Hashable, Sendable {
        /// Number of samples.
        public var count = 0
        /// Sum of all samples.
        public var sum = Duration.zero
        /// Longest sample.
        public var longest = Duration.zero
        /// Mean of the samples; nil without a sample.
        public var mean: Duration? { count == 0 ? nil : sum / count }

        mutating func add(_ duration: Duration) {
            count += 1
            sum += duration
            longest = max(longest, duration)
        }
    }

    private let state = Locked<[String: Counts]>([:])

    /// Creates middleware without counts.
    public init() {}

    /// Counts so far by operation, such as `createChatCompletion`.
    public var counts: [String: Counts] { state.withLock { $0 } }

    /// Sends the request on, and counts it when it ends.
    ///
    /// - Throws: An error of the rest of the chain.
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
