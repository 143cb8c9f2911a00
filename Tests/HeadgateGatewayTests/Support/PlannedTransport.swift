import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import Synchronization

/// A transport that answers every request with the same plan, and remembers the requests.
final class PlannedTransport: RelayTransport {
    struct Request: Sendable {
        let head: HTTPRequest
        let body: String
        let operationID: String
        let authority: String
    }

    struct Plan: Sendable {
        var status = 200
        var headerFields: HTTPFields = [:]
        var chunks: [String] = []
        /// How the body ends after its chunks; nil for never.
        var end: Result<Void, TransportError>? = .success(())
        /// Thrown instead of a head.
        var failure: TransportError?
        /// The client leaves as soon as the body has been asked for.
        var clientLeaves = false

        static func json(_ text: String, status: Int = 200, headerFields: HTTPFields = [:]) -> Plan {
            Plan(status: status, headerFields: headerFields, chunks: [text])
        }

        static func failing(_ kind: TransportError.Kind, _ detail: String = "") -> Plan {
            Plan(failure: TransportError(kind, detail))
        }
    }

    let plan: Plan
    private let sent = Locked<[Request]>([])
    private let wasCancelled = Atomic<Bool>(false)
    /// What a client's leaving brings about; set by whoever plays the connection, before it asks.
    nonisolated(unsafe) var clientLeaves: (() -> Void)?

    init(_ plan: Plan) { self.plan = plan }

    var requests: [Request] { sent.withLock { $0 } }
    var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let text = String(decoding: request.body ?? [], as: UTF8.self)
        sent.withLock {
            $0.append(
                Request(
                    head: request.wholeHead, body: text, operationID: request.operationID,
                    authority: baseURL.authority))
        }
        if let failure = plan.failure {
            completion(.failure(failure))
        } else {
            let response = HTTPResponse(status: HTTPResponse.Status(code: plan.status), headerFields: plan.headerFields)
            let body = PlannedBody(plan, clientLeaves: { [self] in clientLeaves?() }, cancelled: noteCancelled)
            completion(.success(UpstreamResponse(ResponseHead(response), .stream(body))))
        }
        return nil
    }

    private func noteCancelled() { wasCancelled.store(true, ordering: .relaxed) }
}

/// Hands out its chunks as soon as it is started.
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
