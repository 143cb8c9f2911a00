public import HTTPTypes
internal import HeadgateFaults
public import HeadgateHTTP

/// Makes answers go wrong on purpose, for an app's own tests: what does it do when a stream stops in the middle, when
/// it is told to come back later, when the first word takes ten seconds?
///
/// ```swift
/// middlewares: [FaultInjectionMiddleware(.cutAfterEvents(3), percent: 20, seed: 7)]
/// ```
///
/// Middleware before it in the list sees the fault, as the app does; middleware behind it what the server sent.
public struct FaultInjectionMiddleware: ClientMiddleware {
    private let fault: Fault
    private let sequence: FaultSequence
    private let silenceTimeout: Duration?

    /// - Parameters:
    ///   - faults: what goes wrong with one answer. Of several of one kind, and of the three ends of a stream, the last
    ///     counts; with an error in place of the answer only ``InjectedFault/delayHead(_:)`` makes sense.
    ///   - percent: how many answers go wrong, from 0 to 100.
    ///   - seed: makes these the same ones in each run, in the order in which requests come; nil for others each time.
    ///   - silenceTimeout: that of the transport, which does not know of a stall that was injected: after it a stall,
    ///     and a content that is later, is a timeout. Nil: the reader waits until it is cancelled.
    public init(
        _ faults: InjectedFault..., percent: Int = 100, seed: Int? = nil, silenceTimeout: Duration? = nil
    ) {
        var fault = Fault()
        for part in faults { part.apply(to: &fault) }
        self.fault = fault
        self.silenceTimeout = silenceTimeout
        sequence = FaultSequence(percent: min(max(0, percent), 100), seed: seed)
    }

    /// Sends the request on, unless the fault stands for its answer, and damages what comes.
    ///
    /// - Throws: `TransportError` where the fault is a connection that ends, and what the rest of the chain throws.
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

    /// What stands for the answer; nil where the server gives it.
    private func error(_ operationID: String) -> (HTTPResponse, HTTPBody?)? {
        guard let status = fault.isErrorIn200 ? 200 : fault.status else { return nil }
        var head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"])
        if let seconds = fault.retryAfter { head.headerFields[.retryAfter] = "\(seconds)" }
        let error = Fault.error(isAnthropic: operationID == "createMessage", by: "the app's FaultInjectionMiddleware")
        return (head, .bytes(error))
    }
}
