internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// One attempt to get a relayed request's response from a target.
class RelayAttempt: UpstreamAttempt {
    final let model: String
    final private(set) var isStream: Bool
    /// Whether the client itself asked for usage in its stream.
    final private(set) var asksUsage = false
    /// Whether another attempt may follow this one.
    private final let isHeld: Bool
    /// The form in which the client gets vectors.
    private final let vectors: EmbeddingEncoding?
    /// The choices that the request asks for (`n`).
    final private(set) var choices = 1
    final let target: ModelTarget
    final let handler: RelayHandler
    private var allowance: BodyAllowance?
    /// Nanoseconds that a whole response may take to begin if no other attempt may follow.
    private final let patience: UInt64
    private var contentDeadline: ResponseDeadline?
    /// The members of the request that are not in the one that was sent.
    @exclusivity(unchecked) final var dropped: [String] = []
    @exclusivity(unchecked) final var sent = SentAttempt()

    /// - Parameters:
    ///   - upstream: of the target, with the key for this attempt.
    ///   - isHeld: whether another attempt may follow, so that nothing may be sent downstream before the first content.
    ///   - total: of the request with all its attempts; nil if it is not configured.
    ///   - activity: what the attempt is one of several for; nil where there is only one.
    ///   - completion: called once, perhaps before this returns.
    /// - Returns: what gives the attempt up; nil when it is over already.
    static func start(
        _ request: RelayRequest, at target: ModelTarget, _ upstream: Upstream, _ handler: RelayHandler,
        isHeld: Bool = false, total: Duration? = nil, activity: AttemptActivity? = nil,
        completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        guard handler.relays(to: upstream) else {
            return begin(
                handler.makeAttempt(request, at: target, upstream, isHeld: isHeld, total, completion), request,
                activity)
        }
        return begin(
            RelayAttempt(request, at: target, upstream, handler, isHeld: isHeld, total, completion: completion),
            request,
            activity)
    }

    @inline(__always)
    private static func begin(
        _ attempt: RelayAttempt, _ request: RelayRequest, _ activity: AttemptActivity?
    ) -> any Cancellable {
        attempt.begin(activity)
        if let upload = request.upload {
            attempt.send(upload, request.head.fields)
        } else {
            attempt.prepare(request.envelope, request.head.fields)
        }
        return attempt
    }

    init(
        _ request: RelayRequest, at target: ModelTarget, _ upstream: Upstream, _ handler: RelayHandler,
        isHeld: Bool, _ total: Duration?, completion: @escaping RequestHandler.Completion
    ) {
        model = request.envelope.model
        isStream = request.envelope.isStream
        vectors = request.envelope.vectors
        allowance = request.allowance
        self.target = target
        self.handler = handler
        self.isHeld = isHeld
        patience = total?.wholeNanoseconds ?? RelayAttempt.usualPatience
        super.init(at: upstream, request.metadata, completion: completion)
    }

    /// 10 minutes: reasoning models are known to take that long before a whole response.
    private static let usualPatience: UInt64 = 600_000_000_000

    private func begin(_ activity: AttemptActivity?) {
        let record = metadata.record
        record.facts.model = model
        record.facts.upstream = upstream.name
        record.facts.isStream = isStream
        record.beginAttempt(at: upstream.activity, activity)
    }

    /// - Parameter client: the fields of the client's request.
    func prepare(_ envelope: RequestEnvelope, _ client: HeadFields) {
        guard envelope.size > LongDocument.octets else {
            // The usual case, without a copy.
            if target.takesRequestsAsTheyAre {
                return send(envelope, envelope.upstreamBody(model: target.model), client, as: handler.operation.id)
            }
            if handler.estimates(for: target, model) { return estimateTokens(of: envelope.bytes) }
            do throws(GatewayError) {
                let prepared = try envelope.prepared(for: target, of: handler.operation)
                let (body, dropped) = prepared.upstreamBody(for: target, of: handler.operation)
                self.dropped += dropped
                send(prepared, body, client, as: handler.operation.id)
            } catch {
                fail(error)
            }
            return
        }
        if handler.estimates(for: target, model) { return estimateTokens(of: envelope.bytes) }
        let (target, operation) = (target, handler.operation)
        aside(metadata) { () throws(GatewayError) in
            let prepared = try envelope.prepared(for: target, of: operation)
            return (prepared, prepared.upstreamBody(for: target, of: operation))
        } then: { [self] result in
            switch result {
            case .success(let (envelope, (body, dropped))):
                self.dropped += dropped
                send(envelope, body, client, as: operation.id)
            case .failure(let error): fail(error)
            }
        }
    }

    /// - Parameters:
    ///   - envelope: after the parameter rules of the upstream.
    ///   - operationID: of what the upstream is asked for.
    @inline(__always)
    final func send(
        _ envelope: RequestEnvelope, _ body: [UInt8], _ client: HeadFields, as operationID: String
    ) {
        isStream = envelope.isStream
        choices = envelope.choices
        asksUsage = envelope.asksUsage
        if isStream, let limit = upstream.firstContent {
            contentDeadline = ResponseDeadline(after: limit, metadata) { [self] in
                expire(.noFirstContent(upstream.name))
            }
        }
        let head = handler.head(for: self, of: client)
        if target.mendsRefusals, handler.isMended { sent.request = (head, body) }
        send(UpstreamRequest(head, body: body, operationID: operationID))
    }

    /// Sends the request to the upstream, which may begin a whole response late if no other target is left.
    @inline(__always)
    final func send(_ request: consuming UpstreamRequest) {
        if !isStream, !isHeld { request.patience = patience }
        send(request, expecting: isStream ? handler.expectedOfStreams : handler.expected)
    }

    // MARK: How the response is read

    /// The model's name in the response; nil to leave the one of the upstream.
    final var publicModel: String? { target.publicModel(model) }

    override var reading: WholeResponse.Reading {
        WholeResponse.Reading(
            dialect: handler.operation.dialect, publicModel: publicModel, errors: upstream.errors,
            format: handler.answerFormat, eventLimit: handler.eventLimit, vectors: vectors)
    }

    override func makeTransform() -> any StreamTransform {
        // What is sent as a form says what it wishes where the gateway does not read it.
        if case .anything = handler.operation.response { metadata.record.becomeStream() }
        return handler.transform(for: self)
    }

    override var bodies: BodyBudget? { handler.bodies }

    final override func passedFields(of head: ResponseHead) -> HTTPFields {
        let fields = super.passedFields(of: head)
        guard !dropped.isEmpty, handler.hasResponseFields else { return fields }
        return fields + [.xHeadgateDropped: DroppedMembers.text(dropped)]
    }

    override func requestIsTaken(isRefused: Bool) {
        if isRefused, sent.request != nil { return }
        allowance = nil
        let lasting = sent.letGo()
        if !isRefused, !lasting.isEmpty { remember(lasting) }
    }

    override func goesOn(after head: ResponseHead, _ report: [UInt8]) -> Bool { mend(head, report) }

    override func failed() {
        contentDeadline?.cancel()
        contentDeadline = nil
        allowance = nil
        sent.request = nil
    }

    override func prepare(_ relay: StreamRelay) {
        if isHeld { relay.hold(metadata) }
        if let contentDeadline {
            relay.expectContent(by: contentDeadline)
            let name = upstream.name
            contentDeadline.follow { [weak relay] in relay?.expire(.noFirstContent(name)) }
        }
    }

    override func note(_ whole: WholeResponse) throws(GatewayError) {
        if whole.hasFailed { try noteFailure(whole) }
        if let noteID = handler.storedNote(for: self) { whole.idLiteral?.withUnsafeBytes(noteID) }
        let record = metadata.record
        record.facts.promptTokens = whole.promptTokens
        record.facts.completionTokens = whole.completionTokens
        // What is not counted is charged by its length.
        if whole.completionTokens == nil, record.lease?.countsTokens == true, !record.facts.hasNoCompletion {
            record.facts.writtenBytes = UsageEstimate.writtenBytes(in: whole.bytes)
        }
        record.facts.finishReason = whole.finishReason
        if handler.readsCache { note(whole.cacheTokens) }
    }

    /// Of a response of the Responses API that says itself that it has failed.
    private func noteFailure(_ whole: WholeResponse) throws(GatewayError) {
        let error = whole.bytes.withUnsafeBytes { upstream.errors.readFailure($0) }
        if isHeld { throw error }
        metadata.record.note(error)
    }

    private func note(_ cache: CacheTokens) {
        if cache != CacheTokens() { metadata.record.facts.notes.cache = cache }
    }
}
