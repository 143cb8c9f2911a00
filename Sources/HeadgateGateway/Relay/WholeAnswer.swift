internal import JSONBytes

/// An answer that is one document: checked, read for the log, and under its public model name.
struct WholeAnswer {
    let bytes: [UInt8]
    let promptTokens: Int?
    let completionTokens: Int?
    let finishReason: String?

    /// - Parameter publicModel: written over the model's name; nil to leave it.
    /// - Throws: ``GatewayError`` when it is not a JSON object, or holds an error.
    init(_ received: [UInt8], publicModel: String?, errors: UpstreamErrorReading) throws(GatewayError) {
        var document = received
        let event: ChatEvent
        do throws(JSONError) {
            event = try WholeAnswer.read(&document)
        } catch {
            throw .upstream(
                502, "upstream_invalid_json", "The upstream answered with something that is not valid JSON.",
                detail: error.description)
        }
        if event.hasError {
            throw document.withUnsafeBytes { errors.read($0, status: 200) } ?? errors.unexplained(200)
        }
        promptTokens = event.promptTokens
        completionTokens = event.completionTokens
        finishReason = document.withUnsafeBytes { event.finishReasonText(in: $0) }
        guard let publicModel, let written = event.modelLiteral else {
            bytes = document
            return
        }
        var literal: [UInt8] = []
        JSONEscaping.append(publicModel, to: &literal)
        bytes = document.withUnsafeBytes { JSONSplice.applying([JSONEdit(written, literal)], to: $0) }
    }

    /// Repairs text that is not UTF-8, as in a stream.
    private static func read(_ document: inout [UInt8]) throws(JSONError) -> ChatEvent {
        do throws(JSONError) {
            return try ChatEvent(document)
        } catch {
            guard error.kind == .invalidUTF8 else { throw error }
            document = Array(String(decoding: document, as: UTF8.self).utf8)
            return try ChatEvent(document)
        }
    }
}
