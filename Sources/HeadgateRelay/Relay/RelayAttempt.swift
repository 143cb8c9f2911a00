internal import HTTPTypes
internal import HeadgateDialects
package import HeadgateHTTP
internal import HeadgatePrimitives

/// One attempt to get a relayed request's response from a target.
package final class RelayAttempt: UpstreamAttempt {
    let model: String
    package private(set) var isStream: Bool
    /// Whether the client itself asked for usage in its stream.
    private(set) var asksUsage = false
    /// Whether another attempt may follow this one.
    private let isHeld: Bool
    /// The form in which the client gets vectors.
    private let vectors: EmbeddingEncoding?
    /// In 32 bits, which keeps attempts small.
    private var choiceCount: Int32 = 1
    let target: ModelTarget
    let handler: RelayHandler
    private var allowance: BodyAllowance?
    /// Nanoseconds that a whole response may take to begin if no other attempt may follow.
    private let patience: UInt64
    private var contentDeadline: ResponseDeadline?
    /// Nil for a request that is sent in the client's own format.
    private let turned: TurnedRequest?
    /// The members of the request that are not in the one that was sent.
    @exclusivity(unchecked) var dropped: [String] = []
    @exclusivity(unchecked) package var sent = SentAttempt()

    /// The choices that the request asks for (`n`).
    var choices: Int { Int(choiceCount) }

    /// - Parameters:
    ///   - upstream: of the target, with the key for this attempt.
    ///   - isHeld: whether another attempt may follow, so that nothing may be sent downstream before the first content.
    ///   - total: of the request with all its attempts; nil if it is not configured.
    ///   - activity: what the attempt is one of several for; nil where there is only one.
    ///   - completion: called once, perhaps before this returns.
    /// - Returns: what gives the attempt up; nil when it is over already.
    package static func start(
        _ request: RelayRequest, at target: ModelTarget, _ upstream: Upstream, _ handler: RelayHandler,
        isHeld: Bool = false, total: Duration? = nil, activity: AttemptActivity? = nil,
        completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let turned =
            handler.relays(to: upstream) ? nil : TurnedRequest(request, at: target, upstream, handler)
        let attempt = RelayAttempt(
            request, turned, at: target, upstream, handler, isHeld: isHeld, total, completion: completion)
        attempt.begin(activity)
        if let upload = request.upload {
            attempt.send(upload, request.head.fields)
        } else {
            attempt.prepare(request.envelope, request.head.fields)
        }
        return attempt
    }

    private init(
        _ request: RelayRequest, _ turned: TurnedRequest?, at target: ModelTarget, _ upstream: Upstream,
        _ handler: RelayHandler, isHeld: Bool, _ total: Duration?, completion: @escaping RequestHandler.Completion
    ) {
        model = request.envelope.model
        isStream = request.envelope.isStream
        vectors = request.envelope.vectors
        allowance = request.allowance
        self.turned = turned
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
        record.begin(activity ?? upstream.activity)
    }

    /// - Parameter client: the fields of the client's request.
    private func prepare(_ envelope: RequestEnvelope, _ client: HeadFields) {
        // The usual case, without a copy.
        if turned == nil, target.takesRequestsAsTheyAre, envelope.size <= LongDocument.threshold {
            return send(envelope, envelope.upstreamBody(model: target.model), client, as: handler.operation.id)
        }
        let preparation = handler.estimates(for: target, model) ? .tokenEstimate : turned?.preparation ?? .own
        let (target, operation) = (target, handler.operation)
        work(on: envelope.size, metadata) { () throws(GatewayError) in
            try preparation.prepare(envelope, for: target, of: operation)
        } then: { [self] result in
            switch result {
            case .success(.request(let request)): send(request, client)
            case .success(.tokens(let tokens)): respond(withTokens: tokens)
            case .failure(let error): fail(error)
            }
        }
    }

    private func send(_ request: PreparedRequest, _ client: HeadFields) {
        dropped += request.dropped
        let outgoing = turned?.begin(request, metadata, handler) ?? handler.operation.id
        send(request.envelope, request.body, client, as: outgoing)
    }

    /// Ends the attempt with an estimate.
    ///
    /// - Parameter body: of the request.
    func estimateTokens(of body: [UInt8]) {
        work(on: body.count, metadata) { () throws(GatewayError) in
            try RequestPreparation.tokens(of: body)
        } then: { [self] result in
            switch result {
            case .success(let tokens): respond(withTokens: tokens)
            case .failure(let error): fail(error)
            }
        }
    }

    private func respond(withTokens tokens: Int) {
        metadata.record.facts.promptTokens = tokens
        let fields: HTTPFields = [.xHeadgateEstimated: "true"]
        succeed(
            ServerResponse(
                RelayFields.head(upstream.heads.document, passing: fields),
                .bytes(Array(#"{"input_tokens":\#(tokens)}"#.utf8))))
    }

    /// - Parameters:
    ///   - envelope: after the parameter rules of the upstream.
    ///   - operationID: of what the upstream is asked for.
    @inline(__always)
    package func send(
        _ envelope: RequestEnvelope, _ body: [UInt8], _ client: HeadFields, as operationID: String
    ) {
        isStream = envelope.isStream
        choiceCount = Int32(clamping: envelope.choices)
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
    package func send(_ request: consuming UpstreamRequest) {
        if !isStream, !isHeld { request.patience = patience }
        send(request, expecting: isStream ? handler.expectedOfStreams : handler.expected)
    }

    // MARK: How the response is read

    /// The model's name in the response; nil to leave the one of the upstream.
    var publicModel: String? { target.publicModel(model) }

    override var reading: WholeResponse.Reading {
        if let translation = turned?.translation {
            return WholeResponse.Reading(
                dialect: translation.outgoing.dialect, publicModel: nil, errors: upstream.errors,
                format: translator?.answerFormat, eventLimit: handler.eventLimit)
        }
        return WholeResponse.Reading(
            dialect: handler.operation.dialect, publicModel: publicModel, errors: upstream.errors,
            format: handler.answerFormat, eventLimit: handler.eventLimit, vectors: vectors)
    }

    override var translator: ResponseTranslator? { turned?.translator }

    override func makeTransform() -> any StreamTransform {
        if let stream = turned?.stream(of: self) { return stream }
        // What is sent as a form says what it wishes where the gateway does not read it.
        if case .anything = handler.operation.response { metadata.record.becomeStream() }
        return handler.transform(for: self)
    }

    override var bodies: BodyBudget? { handler.bodies }

    override func passedFields(of head: ResponseHead) -> HTTPFields {
        let fields = super.passedFields(of: head)
        guard !dropped.isEmpty, handler.hasResponseFields else { return fields }
        return fields + [.xHeadgateDropped: DroppedMembers.text(dropped)]
    }

    override func passedFields(_ fields: HTTPFields, with whole: WholeResponse) -> HTTPFields {
        guard turned?.translation != nil, handler.hasResponseFields else { return fields }
        var fields = fields
        fields[.xHeadgateDropped] = DroppedMembers.text(dropped + whole.dropped)
        return fields
    }

    override func reported(_ error: GatewayError) -> GatewayError {
        guard turned?.translation != nil, let format = handler.format else { return error }
        return ErrorTranslation.adapted(error, to: format)
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

    package override func prepare(_ relay: StreamRelay) {
        if isHeld { relay.hold(metadata) }
        if let contentDeadline {
            relay.expectContent(by: contentDeadline)
            let name = upstream.name
            contentDeadline.follow { [weak relay] in relay?.expire(.noFirstContent(name)) }
        }
    }

    package override func note(_ whole: WholeResponse) throws(GatewayError) {
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
        turned?.keep(whole.bytes, at: handler.realtime)
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
