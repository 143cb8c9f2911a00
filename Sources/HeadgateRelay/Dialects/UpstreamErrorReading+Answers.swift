internal import HeadgateDialects
internal import JSONBytes

/// Errors inside responses that are relayed: only the upstream's secrets are removed from them.
extension UpstreamErrorReading {
    /// Maximum bytes of a relayed error. Longer errors are of no use, and reading them would block the loop.
    private static let longestWithin = 64 << 10

    /// Returns the edits that redact an error.
    ///
    /// - Parameter range: the range of the error, in a document that is known to be JSON.
    func edits(of range: Range<Int>, in document: UnsafeRawBufferPointer) -> [JSONEdit] {
        guard range.count <= UpstreamErrorReading.longestWithin else { return [unexplained(in: range)] }
        var cursor = JSONCursor(UnsafeRawBufferPointer(rebasing: document[range]))
        var edits: [JSONEdit] = []
        do {
            try redact(&cursor, at: range.lowerBound, into: &edits)
            return edits
        } catch {
            return [unexplained(in: range)]
        }
    }

    private func unexplained(in range: Range<Int>) -> JSONEdit {
        let message = JSONEscaping.literal(unexplained(200).message)
        return JSONEdit(range, Array(#"{"code":"upstream_error","message":"#.utf8) + message + Array("}".utf8))
    }

    /// Redacts one value, with everything in it.
    private func redact(
        _ cursor: inout JSONCursor, at start: Int, into edits: inout [JSONEdit]
    ) throws(JSONError) {
        switch try cursor.kind() {
        case .string: redact(try cursor.string(), of: cursor, at: start, into: &edits)
        case .array:
            try cursor.beginArray()
            while try cursor.nextElement() { try redact(&cursor, at: start, into: &edits) }
        case .object:
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                redact(key, of: cursor, at: start, into: &edits)
                try redact(&cursor, at: start, into: &edits)
            }
        default: try cursor.skipValue()
        }
    }

    private func redact(_ string: JSONString, of cursor: JSONCursor, at start: Int, into edits: inout [JSONEdit]) {
        let text = cursor.decoded(string)
        let redacted = redacted(text)
        guard redacted.utf8.count != text.utf8.count || !redacted.utf8.elementsEqual(text.utf8) else { return }
        let literal = string.literal
        edits.append(
            JSONEdit(literal.lowerBound + start..<literal.upperBound + start, JSONEscaping.literal(redacted)))
    }
}

extension TypedEvent {
    /// Returns whether the stop reason reports that the response has failed.
    func failsByReason(in document: UnsafeRawBufferPointer) -> Bool {
        guard let stopReason else { return false }
        return ErrorReport.isFailure(reason: String(decoding: document[stopReason.contents], as: UTF8.self))
    }

    /// Returns the edits of a response's document: the public model name, redacted errors, and the usual reason for
    /// the end instead of one that is not relayed.
    ///
    /// - Parameter modelLiteral: nil to leave the name.
    func edits(
        model modelLiteral: [UInt8]?, _ reading: UpstreamErrorReading, in document: UnsafeRawBufferPointer
    ) -> [JSONEdit] {
        var edits = errors.flatMap { reading.edits(of: $0, in: document) }
        if let modelLiteral, let model { edits.append(JSONEdit(model, modelLiteral)) }
        if let stopReason, let edit = FinishReason.edit(stopReason, in: document, reading, usual: "end_turn") {
            edits.append(edit)
        }
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}
