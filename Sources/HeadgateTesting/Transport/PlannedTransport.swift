package import HTTPTypes
internal import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgatePrimitives
internal import Synchronization

/// A transport without a network that responds to requests according to its plans, the last of which repeats. It
/// records the requests.
package final class PlannedTransport: RelayTransport {
    package struct Request: Sendable {
        package let head: HTTPRequest
        package let body: String
        package let operationID: String
        package let authority: String
    }

    package struct Plan: Sendable {
        package var status: Int
        package var headerFields: HTTPFields
        package var chunks: [String]
        /// How the body ends after its chunks; nil if it never ends.
        package var end: Result<Void, TransportError>?
        /// The error that replaces a head.
        package var failure: TransportError?
        /// Whether the client leaves as soon as the body has been requested.
        package var clientLeaves: Bool

        package init(
            status: Int = 200, headerFields: HTTPFields = [:], chunks: [String] = [],
            end: Result<Void, TransportError>? = .success(()), failure: TransportError? = nil,
            clientLeaves: Bool = false
        ) {
            self.status = status
            self.headerFields = headerFields
            self.chunks = chunks
            self.end = end
            self.failure = failure
            self.clientLeaves = clientLeaves
        }

        package static func json(_ text: String, status: Int = 200, headerFields: HTTPFields = [:]) -> Plan {
            Plan(status: status, headerFields: headerFields, chunks: [text])
        }

        package static func failing(_ kind: TransportError.Kind, _ detail: String = "") -> Plan {
            Plan(failure: TransportError(kind, detail))
        }
    }

    private let plans: [Plan]
    private let sent = Locked<[Request]>([])
    private let wasCancelled = Atomic<Bool>(false)
    /// Called when the client disconnects. The test's connection sets it before the request.
    package nonisolated(unsafe) var clientLeaves: (() -> Void)?

    package convenience init(_ plan: Plan) { self.init([plan]) }

    /// Creates a transport.
    ///
    /// - Parameter plans: The plans, each for one request; at least one.
    package init(_ plans: [Plan]) { self.plans = plans }

    /// The plan of the first request.
    package var plan: Plan { plans[0] }
    package var requests: [Request] { sent.withLock { $0 } }
    package var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    package func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        switch request.body {
        case .stream where failsToConnect: respond(to: request, with: [], at: baseURL, completion)
        case .stream(let streamed)?:
            return HTTPBody.stream(streamed.source).collect(upTo: .max) { [self] result in
                switch result {
                case .success(let bytes): respond(to: request, with: bytes, at: baseURL, completion)
                case .failure: completion(.failure(TransportError(.cancelled)))
                }
            }
        case .bytes(let bytes)?: respond(to: request, with: bytes, at: baseURL, completion)
        case nil: respond(to: request, with: [], at: baseURL, completion)
        }
        return nil
    }

    /// Whether the next request fails before any of its bytes are sent.
    private var failsToConnect: Bool {
        let kind = plans[min(sent.withLock(\.count), plans.count - 1)].failure?.kind
        return kind == .connect || kind == .unreachable
    }

    private func respond(
        to request: UpstreamRequest, with body: [UInt8], at baseURL: BaseURL, _ completion: UpstreamCompletion
    ) {
        let text = String(decoding: body, as: UTF8.self)
        let number = sent.withLock {
            $0.append(
                Request(
                    head: request.wholeHead, body: text, operationID: request.operationID,
                    authority: baseURL.authority))
            return $0.count - 1
        }
        let plan = plans[min(number, plans.count - 1)]
        if let failure = plan.failure {
            completion(.failure(failure))
        } else {
            let response = HTTPResponse(status: HTTPResponse.Status(code: plan.status), headerFields: plan.headerFields)
            let body = PlannedBody(plan, clientLeaves: { [self] in clientLeaves?() }, cancelled: noteCancelled)
            completion(.success(UpstreamResponse(received: ResponseHead(response), .stream(body))))
        }
    }

    private func noteCancelled() { wasCancelled.store(true, ordering: .relaxed) }
}

/// A body that delivers its chunks as soon as it is started.
private final class PlannedBody: BodySource {
    private let plan: PlannedTransport.Plan
    private let clientLeaves: () -> Void
    private let cancelled: () -> Void
    private var isOver = false
    var bytesAreProgress = true

    init(
        _ plan: PlannedTransport.Plan, clientLeaves: @escaping () -> Void, cancelled: @escaping () -> Void
    ) {
        self.plan = plan
        self.clientLeaves = clientLeaves
        self.cancelled = cancelled
    }

    func start(_ sink: any BodySink) {
        for chunk in plan.chunks where !isOver { Array(chunk.utf8).withUnsafeBytes { sink.receive($0) } }
        if plan.clientLeaves { clientLeaves() }
        guard !isOver, let end = plan.end else { return }
        isOver = true
        switch end {
        case .success: sink.finish(.complete)
        case .failure(let error): sink.fail(error)
        }
    }

    func pause() {}
    func resume() {}
    func note(_: BodyProgress) {}
    func discardRest() { isOver = true }

    func cancel() {
        guard !isOver else { return }
        isOver = true
        cancelled()
    }
}
