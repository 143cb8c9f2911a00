internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// An attempt at an upstream that speaks another format than the client: the request is translated on its way out, and
/// the response on its way back.
class TranslatedAttempt: RelayAttempt {
    /// What the upstream is asked for.
    private var outgoing: RelayOperation { handler.operation.outgoing(to: upstream) }
    private(set) final var responseTranslator: ResponseTranslator?

    /// Whether the gateway does what `store` asks for.
    var keepsResponses: Bool { false }
    /// Adds what a subclass knows of the response.
    func complete(_: inout ResponseContext) {}

    final override func prepare(_ envelope: RequestEnvelope, _ client: HeadFields) {
        guard
            let translation = OutgoingTranslation(
                of: handler.operation, for: target, keepsResponses: keepsResponses)
        else {
            preconditionFailure("\(handler.operation.id) is never translated")
        }
        guard envelope.size > LongDocument.octets else {
            do throws(GatewayError) {
                send(try translation.translate(envelope), translation, client)
            } catch {
                fail(error)
            }
            return
        }
        aside(metadata) { () throws(GatewayError) in
            try translation.translate(envelope)
        } then: { [self] result in
            switch result {
            case .success(let request): send(request, translation, client)
            case .failure(let error): fail(error)
            }
        }
    }

    private func send(
        _ request: OutgoingTranslation.Request, _ translation: OutgoingTranslation, _ client: HeadFields
    ) {
        dropped = request.dropped
        var context = request.context
        // Ids of items may hold letters, digits and underscores only.
        context.id = String(metadata.record.requestID.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
        let now = handler.realtime()
        context.created = Int(now / 1_000_000_000)
        context.clock = ResponseClock(startedAt: now, now: handler.realtime) { Timestamp.append($0, to: &$1) }
        complete(&context)
        responseTranslator = translation.translator(context)
        send(request.envelope, request.body, client, as: outgoing.id)
    }

    // MARK: The response

    override var reading: WholeResponse.Reading {
        WholeResponse.Reading(
            dialect: outgoing.dialect, publicModel: nil, errors: upstream.errors, format: translator?.answerFormat,
            eventLimit: handler.eventLimit)
    }

    final override var translator: ResponseTranslator? { responseTranslator }

    override func makeTransform() -> any StreamTransform { makeStream(ended: nil) }

    /// - Parameter ended: told the whole response once it is complete, before the client is.
    final func makeStream(ended: (([UInt8]) -> Void)?) -> TranslatedStream {
        guard let translator else { preconditionFailure("a response before its request") }
        return TranslatedStream(translator, errors: upstream.errors, eventLimit: handler.eventLimit, ended: ended)
    }

    override func passedFields(_ fields: HTTPFields, with whole: WholeResponse) -> HTTPFields {
        guard handler.hasResponseFields else { return fields }
        var fields = fields
        fields[.xHeadgateDropped] = DroppedMembers.text(dropped + whole.dropped)
        return fields
    }

    override func reported(_ error: GatewayError) -> GatewayError {
        handler.format.map { ErrorTranslation.adapted(error, to: $0) } ?? error
    }
}
