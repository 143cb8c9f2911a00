public import HTTPTypes
public import HeadgateHTTP

/// Retries requests after transient failures: those that ``RetryHint`` names, and those without a response.
///
/// The delay is the one that the server requests, and otherwise doubles with each attempt. A response that has begun is
/// never requested again: a truncated stream fails (see ``CompletionStream/resuming(times:)``). Middleware after it in
/// the list sees every attempt. A client of several servers turns to the next server after the last attempt at the
/// first, unless ``init(attempts:firstDelay:longestDelay:longestServerDelay:retriesConnections:)`` disables retries of
/// connections.
public struct RetryMiddleware: ClientMiddleware {
    private let attempts: Int
    private let firstDelay: Duration
    private let longestDelay: Duration
    private let longestServerDelay: Duration
    private let retriesConnections: Bool
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - attempts: Maximum number of attempts, including the first.
    ///   - firstDelay: Delay before the second attempt if the server requests none. It is shortened by up to a quarter
    ///     at random.
    ///   - longestDelay: Upper bound of the doubled delays.
    ///   - longestServerDelay: Longest delay of the server that is respected. A longer one ends the retries.
    ///   - retriesConnections: Whether to retry after a connection that fails, or ends before a response. A response
    ///     timeout is never retried, because the server might still be working on the request, and a model's work costs
    ///     money.
    public init(
        attempts: Int = 3, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(8),
        longestServerDelay: Duration = .seconds(60), retriesConnections: Bool = true
    ) {
        self.init(
            attempts: attempts, firstDelay: firstDelay, longestDelay: longestDelay,
            longestServerDelay: longestServerDelay, retriesConnections: retriesConnections
        ) { try await Task.sleep(for: $0) }
    }

    init(
        attempts: Int, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(8),
        longestServerDelay: Duration = .seconds(60), retriesConnections: Bool = true,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.attempts = max(1, attempts)
        self.firstDelay = max(.zero, firstDelay)
        self.longestDelay = longestDelay
        self.longestServerDelay = longestServerDelay
        self.retriesConnections = retriesConnections
        self.sleep = sleep
    }

    /// Sends the request, and retries it if that can help.
    ///
    /// - Throws: The error of the last attempt.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID _: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let content: [UInt8]?
        switch body {
        case .bytes(let bytes)?: content = bytes
        case nil: content = nil
        // A streamed body can be sent only once.
        case .stream?: return try await next(request, body, baseURL)
        }
        var attempt = 1
        while true {
            do {
                let (response, body) = try await next(request, content.map(HTTPBody.bytes), baseURL)
                guard attempt < attempts, let delay = delay(after: response, attempt) else { return (response, body) }
                BodyReader(body).discardRest()
                try await sleep(delay)
            } catch let error as TransportError where attempt < attempts && isWorthATry(after: error) {
                try await sleep(backoff(attempt))
            }
            attempt += 1
        }
    }

    /// - Returns: Nil if the response is not retried.
    private func delay(after response: HTTPResponse, _ attempt: Int) -> Duration? {
        let hint = RetryHint(response)
        guard response.status.kind != .successful, hint.isRetryable else { return nil }
        guard let delay = hint.delay else { return backoff(attempt) }
        return delay <= longestServerDelay ? delay : nil
    }

    private func isWorthATry(after error: TransportError) -> Bool {
        switch error.kind {
        case .connect, .unreachable, .connectTimeout, .closedBeforeResponse: retriesConnections
        case .notReady: true
        default: false
        }
    }

    private func backoff(_ attempt: Int) -> Duration {
        let doubled = firstDelay * (1 << min(attempt - 1, 16))
        return min(doubled, longestDelay) * Double.random(in: 0.75...1)
    }
}
