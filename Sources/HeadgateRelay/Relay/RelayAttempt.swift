internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Single attempt to get the response to a relayed request from a target.
final class RelayAttempt: UpstreamAttempt {
    let model: String
    private(set) var isStream: Bool
    /// Whether the client itself requested usage in its stream.
    private(set) var asksUsage = false
    /// Whether another attempt can follow this one.
    private let isHeld: Bool
    /// Encoding of the vectors that the client receives.
    private let vectors: EmbeddingEncoding?
    /// Whether the upstream stores the conversation under the id of its response, as it does for Anthropic's threads.
    let keepsThread: Bool
    /// Value of ``choices`` in 32 bits, which makes attempts smaller.
    private var choiceCount: Int32 = 1
    let target: ModelTarget
    let handler: RelayHandler
    private var allowance: BodyAllowance?
    /// Time in which a whole response must begin if no other attempt can follow, in nanoseconds.
    private let patience: UInt64
    private var contentDeadline: ResponseDeadline?
    /// Estimate of the usage; nil if nothing is estimated, or once a stream has begun.
    private var estimate: EstimatedUsage?
    /// Preparation and translation of the request; nil if it is sent in the client's own format.
    private let turned: TurnedRequest?
    /// Members of the client's request that the sent request lacks.
    @exclusivity(unchecked) var dropped: [String] = []
    @exclusivity(unchecked) var sent = SentAttempt()

    /// Number of choices requested (`n`).
    var choices: Int { Int(choiceCount) }

    /// Starts an attempt.
    ///
    /// - Parameters:
    ///   - upstream: the upstream of the target, with the key for this attempt.
    ///   - isHeld: whether another attempt can follow, so that nothing is sent downstream before the first content.
    ///   - total: the deadline of the request with all its attempts; nil if none is configured.
    ///   - activity: the account of this attempt if it is one of several; nil if it is the only one.
    ///   - completion: called once, possibly before this method returns.
    /// - Returns: a handle that cancels the attempt; nil if it is already over.
    static func start(
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
        keepsThread = request.envelope.state?.keepsThread ?? false
        allowance = request.allowance
        estimate = EstimatedUsage(request, handler)
        self.turned = turned
        self.target = target
        self.handler = handler
        self.isHeld = isHeld
        patience = total?.wholeNanoseconds ?? RelayAttempt.usualPatience
        super.init(at: upstream, request.metadata, completion: completion)
    }

    /// Default of ``patience``: 10 minutes, which reasoning models are known to take before a whole response.
    private static let usualPatience: UInt64 = 600_000_000_000

    private func begin(_ activity: AttemptActivity?) {
        let record = metadata.record
        record.facts.model = model
        record.facts.upstream = upstream.name
        record.facts.isStream = isStream
        record.begin(activity ?? upstream.activity)
    }

    /// Prepares the request for the target and sends it.
    ///
    /// - Parameter client: the header fields of the client's request.
    private func prepare(_ envelope: RequestEnvelope, _ client: HeadFields) {
        // The usual case avoids a copy.
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

    /// Ends the attempt with an estimate of the request's tokens.
    ///
    /// - Parameter body: the body of the request.
    func estimateTokens(of body: [UInt8]) {
        let operation = handler.operation
        work(on: body.count, metadata) { () throws(GatewayError) in
            try RequestPreparation.tokens(of: body, operation)
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
        let type = handler.operation.dialect == .responses ? #""object":"response.input_tokens","# : ""
        succeed(
            ServerResponse(
                RelayFields.head(upstream.heads.document, passing: fields),
                .bytes(Array(#"{\#(type)"input_tokens":\#(tokens)}"#.utf8))))
    }

    /// Sends the prepared request.
    ///
    /// - Parameters:
    ///   - envelope: the request after the parameter rules of the upstream.
    ///   - operationID: the identifier of the operation at the upstream.
    @inline(__always)
    func send(
        _ envelope: RequestEnvelope, _ body: [UInt8], _ client: HeadFields, as operationID: String
    ) {
        isStream = envelope.isStream
        choiceCount = Int32(clamping: envelope.choices)
        asksUsage = envelope.asksUsage
        if isStream, let limit = upstream.firstContent {
            contentDeadline = ResponseDeadline(after: limit, metadata) { [self] in
                cancel(because: GatewayError.noFirstContent(upstream.name))
            }
        }
        let head = handler.head(for: self, of: client)
        if target.mendsRefusals, handler.isMended { sent.request = (head, body) }
        send(UpstreamRequest(head, body: body, operationID: operationID))
    }

    /// Sends the request to the upstream. If no other attempt can follow, a whole response may begin late.
    @inline(__always)
    func send(_ request: consuming UpstreamRequest) {
        if !isStream, !isHeld { request.patience = patience }
        send(request, expecting: isStream ? handler.expectedOfStreams : handler.expected)
    }

    // MARK: Reading the response

    /// Model name in the response; nil to leave the upstream's name.
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
        // A form requests a stream in a member that the gateway does not read, so only the response shows it.
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
        guard turned?.translation != nil, let format = handler.operation.requestFormat else { return error }
        return ErrorTranslation.adapted(error, to: format)
    }

    override func requestIsTaken(isRefused: Bool) {
        if isRefused, sent.request != nil { return }
        allowance = nil
        let lasting = sent.release()
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
            contentDeadline.follow { [weak relay] in relay?.deadlinePassed(.noFirstContent(name)) }
        }
    }

    override func noteStream() {
        if let estimate = estimate.take() { metadata.record.count(estimate.account) }
    }

    override func note(_ whole: WholeResponse) throws(GatewayError) {
        if whole.hasFailed { try noteFailure(whole) }
        let notesID = keepsThread || handler.operation.shape.isStored
        // Few Messages responses have anything to note, so the closure is created only for those.
        if notesID || whole.creditToken != nil, let note = handler.storedNote(for: self) {
            if notesID { whole.idLiteral?.withUnsafeBytes(note) }
            whole.creditToken?.withUnsafeBytes(note)
        }
        let record = metadata.record
        record.facts.promptTokens = whole.promptTokens
        record.facts.completionTokens = whole.completionTokens
        // If the upstream does not count the completion, its length determines the charge.
        if whole.completionTokens == nil, record.lease?.countsTokens == true, !record.facts.hasNoCompletion {
            record.facts.writtenBytes = UsageEstimate.writtenBytes(in: whole.bytes)
        }
        record.facts.finishReason = whole.finishReason
        if handler.readsCache { note(whole.usageDetails) }
        estimate?.note(whole.bytes, in: &record.facts)
        turned?.keep(whole.bytes, at: handler.realtime)
    }

    /// Records the error of a response that reports its own failure, as the Responses API does.
    ///
    /// - Throws: that error, if another attempt can follow.
    private func noteFailure(_ whole: WholeResponse) throws(GatewayError) {
        let error = whole.bytes.withUnsafeBytes { upstream.errors.readFailure($0) }
        if isHeld { throw error }
        metadata.record.note(error)
    }

    private func note(_ usage: UsageDetails) {
        if !usage.isEmpty { metadata.record.facts.notes.usage = usage }
    }
}
