internal import HTTPTypes
internal import HeadgateHTTP

/// Single request to one upstream, which ends with a response or an error.
///
/// Loop-confined. Subclasses define how the response is read.
class UpstreamAttempt: PendingCall {
    final let upstream: Upstream
    final let metadata: ServerRequestMetadata
    private var machine = StateMachine()
    private var completion: RequestHandler.Completion?
    /// Header fields of the upstream's response that the client also gets.
    private var passedFields = HTTPFields.none
    /// Reason for the cancellation, if the client did not cause it.
    private var cancellationReason: (any Error)?

    /// - Parameter completion: called once, possibly before ``send(_:expecting:)`` returns. A failure is a
    ///   ``GatewayError``, or a ``TransportError`` if the attempt was cancelled.
    init(
        at upstream: Upstream, _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        self.upstream = upstream
        self.metadata = metadata
        self.completion = completion
    }

    // MARK: For subclasses

    /// Rules for reading a document.
    var reading: WholeResponse.Reading { preconditionFailure("no document was asked for") }
    /// Translator that rewrites the document for the client; nil if the client gets the upstream's document.
    var translator: ResponseTranslator? { nil }
    /// Creates the transform of the events.
    func makeTransform() -> any StreamTransform { preconditionFailure("no events were asked for") }
    /// Records a document before it is sent downstream.
    ///
    /// - Throws: the error that the document reports, if the attempt ends with that error.
    func note(_: WholeResponse) throws(GatewayError) {}
    /// Memory budget for a document; nil if it is not counted while it arrives.
    var bodies: BodyBudget? { nil }
    /// Records that the upstream has begun to respond: the request is no longer needed, unless it is repaired.
    func requestIsTaken(isRefused _: Bool) {}
    /// Continues the attempt after a refusal, with another request or another response, if it can.
    ///
    /// - Parameter report: the body of the response.
    /// - Returns: whether the attempt continues.
    func goesOn(after _: ResponseHead, _ report: [UInt8]) -> Bool { false }
    /// Prepares the relay before it reads the events of the response.
    func prepare(_: StreamRelay) {}
    /// Records that the response is a stream, before its head is sent downstream.
    func noteStream() {}
    /// Records that the attempt ends without a response.
    func failed() {}
    /// Returns the header fields of the response in addition to those that every response has.
    ///
    /// - Parameter head: the head of the upstream's response.
    func passedFields(of head: ResponseHead) -> HTTPFields { RelayFields.passed(head.fields, of: upstream) }
    /// Returns the additional header fields, updated now that the document is known.
    func passedFields(_ fields: HTTPFields, with _: WholeResponse) -> HTTPFields { fields }
    /// Returns the client's version of an error that the upstream has reported.
    func reported(_ error: GatewayError) -> GatewayError { error }

    // MARK: Sending

    final func send(_ request: UpstreamRequest, expecting expectation: StateMachine.Expectation) {
        machine.send(expecting: expectation)
        wait {
            upstream.send(request, for: metadata) { [self] result in
                stepEnded()
                receive(result)
            }
        }
    }

    private func receive(_ result: Result<UpstreamResponse, TransportError>) {
        switch result {
        case .success(let response): receive(response)
        case .failure(let error): fail(GatewayError.transport(error, upstream: upstream.name))
        }
    }

    private func receive(_ response: UpstreamResponse) {
        let status = response.head.status
        requestIsTaken(isRefused: status >= 300)
        metadata.record.facts.upstreamStatus = response.receivedStatus
        passedFields = passedFields(of: response.head)
        let type = machine.decidesByType ? UpstreamAttempt.contentType(of: response.head) : .other
        follow(machine.receiveHead(status: status, hasBody: response.body != nil, type: type), response)
    }

    private static func contentType(of head: ResponseHead) -> StateMachine.ContentType {
        let type = head.fields.value(of: .contentType) ?? ""
        if SpeechType.passed(type) != nil { return .media }
        if TextType.passed(type) != nil { return .text }
        return type.lowercased().hasPrefix("text/event-stream") ? .events : .other
    }

    private func follow(_ action: StateMachine.Action, _ response: UpstreamResponse) {
        switch action {
        case .collect(.document, let limit): collectDocument(response.body, upTo: limit)
        case .collect(let purpose, let limit): collectReport(purpose, response, upTo: limit)
        case .open: open(response)
        case .passMedia: passMedia(response)
        case .failWithoutBody: complete(.failure(GatewayError.incompleteStream(.emptyStream)))
        case .nothing, .read, .report, .respond, .fail: break
        }
    }

    final func fail(_ error: any Error) {
        if machine.fail() == .fail { complete(.failure(cancellationReason ?? error)) }
    }

    /// Ends the attempt with this error, unless it has already ended.
    final func cancel(because error: any Error) {
        cancellationReason = error
        cancel()
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        let waiting = completion
        completion = nil
        if case .failure = result { failed() }
        waiting?(result)
    }

    // MARK: Reading the response

    /// Collects the body in which the upstream reports an error.
    private func collectReport(_ purpose: StateMachine.Purpose, _ response: UpstreamResponse, upTo limit: Int) {
        let head = response.head
        wait {
            (response.body ?? .bytes([])).collect(upTo: limit) { [self] result in
                stepEnded()
                let text = (try? result.get()) ?? []
                if purpose == .error, !isCancelled, goesOn(after: head, text) { return }
                report(purpose, head, text)
            }
        }
    }

    final func report(_ purpose: StateMachine.Purpose, _ head: ResponseHead, _ text: [UInt8]) {
        guard machine.collected(text.count) == .report(purpose) else { return }
        let reported = purpose == .error ? error(head, text) : errorInPlaceOfMedia(text)
        complete(.failure(cancellationReason ?? reported))
    }

    private func error(_ head: ResponseHead, _ text: [UInt8]) -> GatewayError {
        var error = upstream.errors.error(status: head.status, headerFields: head.fields.httpFields, body: text)
        error.headerFields += passedFields
        return reported(error)
    }

    private func errorInPlaceOfMedia(_ text: [UInt8]) -> GatewayError {
        text.withUnsafeBytes { upstream.errors.read($0) }
            ?? .upstream(
                502, "upstream_content_type", "The upstream was asked for speech and answered with something else.",
                cause: .contentType)
    }

    private func open(_ response: UpstreamResponse) {
        guard let body = response.body else { return }
        let relay = StreamRelay(
            source: body.source, transform: makeTransform(), dialect: metadata.dialect ?? .openAI,
            record: metadata.record)
        prepare(relay)
        if response.isEarly { relay.beginEarly() }
        wait {
            relay.open { [self] result in
                stepEnded()
                switch result {
                case .success:
                    noteStream()
                    respond(upstream.heads.stream, .stream(relay))
                case .failure(let error): fail(error)
                }
            }
        }
    }

    private func passMedia(_ response: UpstreamResponse) {
        guard let body = response.body,
            let given = response.head.fields.value(of: .contentType),
            let type = SpeechType.passed(given) ?? TextType.passed(given)
        else { return }
        let fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        complete(
            .success(
                ServerResponse(
                    HTTPResponse(status: .ok, headerFields: fields + upstream.heads.own + passedFields),
                    .stream(MediaRelay(source: body.source, record: metadata.record)))))
    }

    private func collectDocument(_ body: HTTPBody?, upTo limit: Int) {
        let body = body ?? .bytes([])
        wait {
            body.collect(upTo: limit, within: bodies?.allowance()) { [self] result in
                stepEnded()
                collected(result)
            }
        }
    }

    private func collected(_ result: Result<[UInt8], any Error>) {
        switch result {
        case .success(let bytes): read(bytes)
        case .failure(is HTTPSyntaxError): fail(GatewayError.oversizeResponse)
        case .failure(is BodyMemory.Exhausted): fail(GatewayError.bodyMemory)
        case .failure(let error):
            fail(GatewayError.transport(TransportError(anyOf: error), upstream: upstream.name))
        }
    }

    private func read(_ bytes: [UInt8]) {
        guard case .read(let onSideThread) = machine.collected(bytes.count) else { return }
        metadata.record.noteFirstContent()
        let (reading, translator) = (reading, translator)
        guard onSideThread else {
            do throws(GatewayError) { respond(with: try reading.read(bytes, translator)) } catch { fail(error) }
            return
        }
        aside(metadata) { () throws(GatewayError) in
            try reading.read(bytes, translator)
        } then: { [self] result in
            switch result {
            case .success(let whole): respond(with: whole)
            case .failure(let error): fail(error)
            }
        }
    }

    private func respond(with whole: WholeResponse) {
        do throws(GatewayError) { try note(whole) } catch { return fail(error) }
        if !whole.dropped.isEmpty { passedFields = passedFields(passedFields, with: whole) }
        respond(upstream.heads.document, .bytes(whole.bytes))
    }

    private func respond(_ head: ServerResponseHead, _ body: HTTPBody) {
        guard machine.succeed() == .respond else { return }
        complete(.success(ServerResponse(RelayFields.head(head, passing: passedFields), body)))
    }

    /// Ends the attempt with this response, unless it has already ended.
    final func succeed(_ response: ServerResponse) {
        if machine.succeed() == .respond { complete(.success(response)) }
    }
}
