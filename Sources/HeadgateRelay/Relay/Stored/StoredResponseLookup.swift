internal import HTTPTypes
internal import HeadgateHTTP

/// Call for one request about a stored response.
///
/// It queries upstreams in turn until one knows the response. The error of an upstream that fails is sent only if no
/// other upstream knows the response.
///
/// Loop-confined.
final class StoredResponseLookup: PendingCall {
    /// Request that is sent to every upstream.
    struct Question {
        let operationID: String
        let method: HTTPRequest.Method
        let id: String
        /// Path after the upstream's prefix.
        let path: String
        let isStream: Bool
        let client: HeadFields
        /// Maximum bytes of one event of a stream.
        let eventLimit: Int
    }

    private let question: Question
    private let metadata: ServerRequestMetadata
    private var upstreams: ArraySlice<Upstream>
    private var failure: (error: any Error, upstream: String)?
    private var completion: RequestHandler.Completion?

    init(
        _ question: Question, of upstreams: [Upstream], _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        self.question = question
        self.metadata = metadata
        self.upstreams = upstreams[...]
        self.completion = completion
    }

    func start() {
        metadata.work = self
        askNext()
    }

    private func askNext() {
        guard let upstream = upstreams.popFirst() else { return fail() }
        let record = metadata.record
        record.facts.upstream = upstream.name
        record.begin(upstream.activity)
        wait {
            let attempt = StoredResponseAttempt(question, at: upstream, metadata) { [self] result in
                stepEnded()
                receive(result, of: upstream)
            }
            attempt.start()
            return attempt
        }
    }

    private func receive(_ result: Result<ServerResponse, any Error>, of upstream: Upstream) {
        guard case .failure(let error) = result, !isCancelled, let error = error as? GatewayError,
            leavesOthersToAsk(error)
        else { return complete(result) }
        let record = metadata.record
        if record.facts.upstreamStatus == nil { upstream.activity.noteUnreachable() }
        if error.cause != .upstreamStatus(404) { failure = failure ?? (error, upstream.name) }
        record.leave()
        askNext()
    }

    /// Returns whether to query the next upstream, because this one does not know the id, failed, refuses access or has
    /// no such route.
    private func leavesOthersToAsk(_ error: GatewayError) -> Bool {
        if case .upstreamStatus(400..<500) = error.cause {
            return [401, 403, 404, 405].contains { error.cause == .upstreamStatus($0) }
        }
        return error.origin == .upstream
    }

    private func fail() {
        guard let failure else { return complete(.failure(StoredResponseHandler.unknown)) }
        metadata.record.facts.upstream = failure.upstream
        complete(.failure(failure.error))
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        metadata.work = nil
        completion(result)
    }
}

/// Query of one upstream about a stored response.
private final class StoredResponseAttempt: UpstreamAttempt {
    private let question: StoredResponseLookup.Question

    init(
        _ question: StoredResponseLookup.Question, at upstream: Upstream, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        self.question = question
        super.init(at: upstream, metadata, completion: completion)
    }

    func start() {
        let fields: HTTPFields = [
            .accept: question.isStream ? "text/event-stream" : "application/json", .acceptEncoding: "identity",
            .userAgent: "headgate",
        ]
        let head = upstream.head(
            question.method, path: upstream.path(question.path), fields: fields, client: question.client)
        // An upstream that cannot replay streams responds with the plain document.
        send(
            UpstreamRequest(
                head, body: question.method == .post ? [] : nil, operationID: question.operationID),
            expecting: question.isStream ? .eventsOrDocument : .document)
    }

    override var reading: WholeResponse.Reading {
        WholeResponse.Reading(dialect: .responses, publicModel: nil, errors: upstream.errors)
    }

    override func makeTransform() -> any StreamTransform {
        metadata.record.becomeStream()
        let shape = TypedStreamShape.responses
        return TypedStreamTransform(
            options: TypedStreamTransform.Options(
                id: question.id, terminal: shape.terminal, silent: shape.silent, endsWithDone: shape.endsWithDone,
                eventLimit: question.eventLimit, errors: upstream.errors))
    }
}
