internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Observes one request to its end, and reports it once.
struct ExchangeObservation: Sendable {
    private let record: Locked<ExchangeRecord>
    private let start = ContinuousClock.now
    private let report: @Sendable (ExchangeRecord) -> Void

    /// Sends a request on, and reports it when its response has been read or abandoned.
    static func run(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend,
        report: @escaping @Sendable (ExchangeRecord) -> Void
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let path = (request.path ?? "/").prefix { $0 != "?" }
        let observation = ExchangeObservation(
            record: Locked(
                ExchangeRecord(
                    operationID: operationID, request: "\(request.method.rawValue) \(path)",
                    server: baseURL.authority)),
            report: report)
        do {
            let (response, body) = try await next(request, body, baseURL)
            return (response, observation.watch(response, body))
        } catch {
            observation.end(ExchangeObservation.end(after: error))
            throw error
        }
    }

    private func watch(_ response: HTTPResponse, _ body: HTTPBody?) -> HTTPBody? {
        let elapsed = start.duration(to: .now)
        let (status, requestID) = (response.status.code, RequestID.read(response))
        record.withLock { record in
            record.status = status
            record.requestID = requestID
            record.timeToHead = elapsed
        }
        guard let body else {
            end(.complete)
            return nil
        }
        return .stream(ObservedBody(body, onChunk: { take($0.count) }, onEnd: { end(of: $0) }))
    }

    private func take(_ count: Int) {
        let elapsed = start.duration(to: .now)
        record.withLock { record in
            record.receivedBytes += count
            record.timeToFirstByte = record.timeToFirstByte ?? elapsed
        }
    }

    private func end(of body: ObservedBody.End) {
        switch body {
        case .complete, .enough: end(.complete)
        case .left: end(.left)
        case .failed(let error): end(ExchangeObservation.end(after: error))
        }
    }

    private func end(_ end: ExchangeRecord.End) {
        let elapsed = start.duration(to: .now)
        report(
            record.withLock { record in
                record.end = end
                record.duration = elapsed
                return record
            })
    }

    /// Returns the end for an error. An exchange that the app canceled, before the head or in the body, was left. Only
    /// the type of any other error is recorded, because its description can contain anything.
    private static func end(after error: any Error) -> ExchangeRecord.End {
        switch error {
        case is CancellationError: .left
        case let error as TransportError: error.kind == .cancelled ? .left : .failed("\(error.kind)")
        default: .failed("\(type(of: error))")
        }
    }
}
