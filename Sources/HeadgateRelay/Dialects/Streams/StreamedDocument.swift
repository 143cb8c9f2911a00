internal import HeadgateDialects

/// Whole response that an upstream sends as the events of a stream, although no stream was requested.
enum StreamedDocument {
    /// Maximum number of events in one response, because even a small event takes time to read.
    static let mostEvents = 1 << 18

    /// Whether the first bytes are those of a stream: some upstreams send events as `application/json`.
    static func isStream(_ bytes: [UInt8]) -> Bool {
        var opening = StreamOpening()
        let start = Array(bytes.drop { $0 <= 0x20 }.prefix(16))
        return start.withUnsafeBytes { if case .stream = opening.inspect($0) { true } else { false } }
    }

    /// Returns the document that the events make up, in the same format.
    ///
    /// - Parameters:
    ///   - eventLimit: maximum bytes of one event.
    ///   - mostEvents: maximum events of the response.
    /// - Throws: the error with which the same events would end a stream.
    static func document(
        of bytes: [UInt8], in format: AnswerFormat, _ errors: UpstreamErrorReading, eventLimit: Int,
        mostEvents: Int = StreamedDocument.mostEvents
    ) throws(GatewayError) -> [UInt8] {
        let events =
            switch format {
            case .chat, .completion:
                try cleaned(
                    bytes,
                    by: ChatStreamTransform(
                        options: ChatStreamTransform.Options(keepsUsage: true, eventLimit: eventLimit, errors: errors)))
            case .messages: try cleaned(bytes, by: typed(.messages, errors, eventLimit))
            case .responses: try cleaned(bytes, by: typed(.responses, errors, eventLimit))
            }
        guard events.count <= mostEvents else { throw .oversizeResponse }
        guard let document = AnswerForms.document(of: events.bytes, in: format, isStrict: false) else {
            throw .eventsInPlaceOfDocument
        }
        return document
    }

    /// Returns the stream as it would be relayed.
    private static func cleaned(
        _ bytes: [UInt8], by transform: some StreamTransform
    ) throws(GatewayError) -> (bytes: [UInt8], count: Int) {
        var events: [UInt8] = []
        var verdict = bytes.withUnsafeBytes { transform.receive($0, into: &events) }
        if case .more = verdict { verdict = transform.end(nil, into: &events) }
        switch verdict {
        case .finished: break
        case .failed(let error), .reported(let error): throw error
        case .more: throw .incompleteStream()
        }
        guard transform.hasEvents else { throw .incompleteStream(.emptyStream) }
        return (events, transform.counts.events)
    }

    private static func typed(
        _ shape: TypedStreamShape, _ errors: UpstreamErrorReading, _ eventLimit: Int
    ) -> TypedStreamTransform {
        TypedStreamTransform(
            options: TypedStreamTransform.Options(
                terminal: shape.terminal, silent: shape.silent, failing: shape.failing, eventLimit: eventLimit,
                errors: errors))
    }
}

extension AnswerFormat {
    init(_ format: WireFormat) {
        self =
            switch format {
            case .chat: .chat
            case .messages: .messages
            case .responses: .responses
            }
    }
}
