public import HTTPTypes
internal import HeadgateFaults
public import HeadgateHTTP

/// Injects faults into responses for an app's own tests. Examples are a stream that stops in the middle, a rate limit,
/// and a first token that takes ten seconds.
///
/// ```swift
/// middlewares: [FaultInjectionMiddleware(.cutAfterEvents(3), percent: 20, seed: 7)]
/// ```
///
/// Middleware before it in the list sees the fault, as the app does. Middleware after it sees the server's response.
public struct FaultInjectionMiddleware: ClientMiddleware {
    private let fault: Fault
    private let sequence: FaultSequence
    private let silenceTimeout: Duration?

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - faults: Faults of one response. If there are several of one kind, or several ends of a stream, the last one
    ///     applies. Only ``InjectedFault/delayHead(_:)`` combines with an error that replaces the response.
    ///   - percent: Percentage of responses with a fault, from 0 to 100.
    ///   - seed: Seed that selects the same responses in each run, by the order of requests; nil for a random
    ///     selection.
    ///   - silenceTimeout: The transport's timeout, which does not apply to injected delays. A longer stall or delay
    ///     throws a timeout. If it is nil, the reader waits until it is canceled.
    public init(
        _ faults: InjectedFault..., percent: Int = 100, seed: Int? = nil, silenceTimeout: Duration? = nil
    ) {
        var fault = Fault()
        for part in faults { part.apply(to: &fault) }
        self.fault = fault
        self.silenceTimeout = silenceTimeout
        sequence = FaultSequence(percent: min(max(0, percent), 100), seed: seed)
    }

    /// Sends the request, unless the fault replaces its response, and injects the faults into the response.
    ///
    /// - Throws: `TransportError` for a connection that the fault ends, or an error of the rest of the chain.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        guard sequence.next() else { return try await next(request, body, baseURL) }
        if let delay = fault.headDelay { try await Task.sleep(for: delay) }
        if fault.isResetBeforeHead { throw TransportError(.closedBeforeResponse, "fault injected") }
        if let error = error(operationID) { return error }
        var (response, body) = try await next(request, body, baseURL)
        if let type = fault.contentType { response.headerFields[.contentType] = type }
        return (response, body.map { .stream(FaultyBody($0, fault, silenceTimeout)) })
    }

    /// Returns the response that replaces the server's; nil if the request is sent.
    private func error(_ operationID: String) -> (HTTPResponse, HTTPBody?)? {
        guard let status = fault.isErrorIn200 ? 200 : fault.status else { return nil }
        var head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"])
        if let seconds = fault.retryAfter { head.headerFields[.retryAfter] = "\(seconds)" }
        let error = Fault.error(isAnthropic: operationID == "createMessage", by: "the app's FaultInjectionMiddleware")
        return (head, .bytes(error))
    }
}
