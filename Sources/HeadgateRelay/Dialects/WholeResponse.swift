internal import HeadgateDialects
internal import JSONBytes
internal import ServerSentEvents

/// Response that is one document: validated, read for the log, and with its public model name.
struct WholeResponse {
    private(set) var bytes: [UInt8]
    let promptTokens: Int?
    let completionTokens: Int?
    let finishReason: String?
    /// Parts of the usage with separate prices.
    let usageDetails: UsageDetails
    /// Whether the document is a response of the Responses API with the status `failed`.
    private(set) var hasFailed = false
    /// Id as a JSON literal; only of typed responses.
    private(set) var idLiteral: ArraySlice<UInt8>?
    /// Token of a refused message as a JSON literal.
    private(set) var creditToken: ArraySlice<UInt8>?
    /// Parts of the upstream's document that its translation lacks.
    private(set) var dropped: [String] = []

    /// Parameters for reading the response to one request.
    struct Reading: Sendable {
        let dialect: Dialect
        let publicModel: String?
        let errors: UpstreamErrorReading
        /// Format of the upstream's responses; nil if the events of a stream cannot be converted into a document.
        var format: AnswerFormat?
        /// Maximum bytes of one event.
        var eventLimit = ServerSentEventLimits.standardBytes
        /// Encoding in which the client receives vectors; nil to relay the upstream's encoding.
        var vectors: EmbeddingEncoding?

        private func read(_ bytes: [UInt8]) throws(GatewayError) -> WholeResponse {
            switch dialect {
            case .openAI, .ollama:
                guard let vectors else { return try WholeResponse(bytes, publicModel: publicModel, errors: errors) }
                var whole = try WholeResponse(bytes, publicModel: publicModel, errors: errors)
                try whole.convert(to: vectors)
                return whole
            case .responses, .anthropic:
                return try WholeResponse(typed: bytes, publicModel: publicModel, errors: errors)
            }
        }

        /// - Parameter translator: nil if the client gets the document of the upstream.
        func read(_ bytes: [UInt8], _ translator: ResponseTranslator?) throws(GatewayError) -> WholeResponse {
            do throws(GatewayError) {
                return try readDocument(bytes, translator)
            } catch {
                guard error.cause == .invalidJSON, let format, StreamedDocument.isStream(bytes) else { throw error }
                let document = try StreamedDocument.document(of: bytes, in: format, errors, eventLimit: eventLimit)
                return try readDocument(document, translator)
            }
        }

        private func readDocument(
            _ bytes: [UInt8], _ translator: ResponseTranslator?
        ) throws(GatewayError) -> WholeResponse {
            guard let translator else { return try read(bytes) }
            return try read(bytes).translated(by: translator, errors)
        }
    }

    /// - Parameter publicModel: the name that replaces the model's; nil to leave it.
    /// - Throws: ``GatewayError`` if the document is not a JSON object, or reports an error.
    init(_ received: [UInt8], publicModel: String?, errors: UpstreamErrorReading) throws(GatewayError) {
        var document = received
        var event: ChatEvent
        do throws(JSONError) {
            event = try WholeResponse.readRepairing(&document, ChatEvent.init)
        } catch {
            throw WholeResponse.notAnObject(received, error, errors)
        }
        if event.hasError { throw document.withUnsafeBytes { errors.readFailure($0) } }
        if event.choiceCount == 0, let error = document.withUnsafeBytes({ errors.read($0) }) { throw error }
        let reason = document.withUnsafeBytes { event.finishReason(in: $0) }
        finishReason = reason?.word
        if let reason, event.choiceCount > 1 || !reason.isPlain,
            let edited = try WholeResponse.withPlainReasons(document, errors)
        {
            document = edited
            do throws(JSONError) { event = try ChatEvent(document) } catch { throw WholeResponse.notJSON(error) }
        }
        promptTokens = event.promptTokens
        completionTokens = event.completionTokens
        usageDetails =
            event.promptTokens == nil ? UsageDetails() : document.withUnsafeBytes { event.usageDetails(in: $0) }
        bytes = WholeResponse.renamed(document, event.modelLiteral, to: publicModel)
    }

    /// Reads a document with a `type` or an `object`.
    ///
    /// - Throws: ``GatewayError`` if the document is not a JSON object, or is an error.
    init(typed received: [UInt8], publicModel: String?, errors: UpstreamErrorReading) throws(GatewayError) {
        var document = received
        let event: TypedEvent
        do throws(JSONError) {
            event = try WholeResponse.readRepairing(&document, TypedEvent.init)
        } catch {
            throw WholeResponse.notAnObject(received, error, errors)
        }
        // A failed response of the Responses API is relayed, because its `status` reports the failure.
        let isError = event.type.map { document[$0.contents].elementsEqual("error".utf8) } ?? false
        if isError || (event.hasError && event.id == nil) {
            throw document.withUnsafeBytes { errors.readFailure($0) }
        }
        if !event.hasError, let error = document.withUnsafeBytes({ errors.read($0) }) { throw error }
        if document.withUnsafeBytes({ event.failsByReason(in: $0) }) {
            throw document.withUnsafeBytes { errors.readFailure($0) }
        }
        promptTokens = event.usage.prompt(event.promptTokens, apart: event.countsCacheApart)
        usageDetails = promptTokens == nil ? UsageDetails() : event.usage
        completionTokens = event.completionTokens
        finishReason = (event.stopReason ?? event.status).map { FinishReason.word(document[$0.contents]) }
        hasFailed = event.status.map { document[$0.contents].elementsEqual("failed".utf8) } ?? false
        idLiteral = event.id.map { document[$0] }
        creditToken = event.creditToken.map { document[$0] }
        bytes = document.withUnsafeBytes { whole in
            let edits = event.edits(model: publicModel.map(JSONEscaping.literal), errors, in: whole)
            return edits.isEmpty ? document : JSONSplice.applying(edits, to: whole)
        }
    }

    private func translated(
        by translator: ResponseTranslator, _ errors: UpstreamErrorReading
    ) throws(GatewayError) -> WholeResponse {
        var response = self
        do throws(ResponseFault) {
            (response.bytes, response.dropped) = try translator.translate(bytes)
        } catch {
            throw translator.fault(error, in: bytes, errors)
        }
        // The upstream's id means nothing to clients of another format.
        response.idLiteral = nil
        response.creditToken = nil
        return response
    }

    /// Returns the document with edited finish reasons; nil if every one is relayed unchanged.
    ///
    /// - Throws: the error of a response whose finish reason reports a failure.
    private static func withPlainReasons(
        _ document: [UInt8], _ errors: UpstreamErrorReading
    ) throws(GatewayError) -> [UInt8]? {
        let result = document.withUnsafeBytes { bytes -> Result<[UInt8]?, GatewayError> in
            guard let reasons = try? ChatFinishReasons(bytes) else { return .success(nil) }
            if reasons.hasFailed { return .failure(errors.readFailure(bytes)) }
            let edits = reasons.edits(errors)
            return .success(edits.isEmpty ? nil : JSONSplice.applying(edits, to: bytes))
        }
        return try result.get()
    }

    /// Returns the error for a document that is not a JSON object. The document itself can report one, because Gemini
    /// puts its errors into an array.
    private static func notAnObject(
        _ received: [UInt8], _ error: JSONError, _ errors: UpstreamErrorReading
    ) -> GatewayError {
        received.withUnsafeBytes { errors.read($0) } ?? notJSON(error)
    }

    private mutating func convert(to vectors: EmbeddingEncoding) throws(GatewayError) {
        do throws(ResponseFault) {
            let limit = LongDocument.most
            if let converted = try vectors.converted(bytes, limit: limit) { bytes = converted }
        } catch {
            throw .oversizeResponse
        }
    }

    private static func notJSON(_ error: JSONError) -> GatewayError {
        .upstream(
            502, "upstream_invalid_json", "The upstream answered with something that is not valid JSON.",
            cause: .invalidJSON, detail: error.description)
    }

    private static func renamed(_ document: [UInt8], _ written: Range<Int>?, to publicModel: String?) -> [UInt8] {
        guard let publicModel, let written else { return document }
        let edit = JSONEdit(written, JSONEscaping.literal(publicModel))
        return document.withUnsafeBytes { JSONSplice.applying([edit], to: $0) }
    }

    /// Reads a document, and repairs text that is not UTF-8, as in a stream.
    private static func readRepairing<Event>(
        _ document: inout [UInt8], _ read: (UnsafeRawBufferPointer) throws(JSONError) -> Event
    ) throws(JSONError) -> Event {
        do throws(JSONError) {
            return try WholeResponse.read(document, read)
        } catch {
            guard error.kind == .invalidUTF8 else { throw error }
            document = document.withUnsafeBytes { UTF8Sequence.repaired($0) }
            return try WholeResponse.read(document, read)
        }
    }

    private static func read<Event>(
        _ document: [UInt8], _ read: (UnsafeRawBufferPointer) throws(JSONError) -> Event
    ) throws(JSONError) -> Event {
        try document.withUnsafeBufferPointer { (bytes) throws(JSONError) in try read(UnsafeRawBufferPointer(bytes)) }
    }
}
