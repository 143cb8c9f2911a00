/// Decides by the first bytes whether an upstream's body is an event stream, regardless of its content type.
package struct StreamOpening {
    package enum Kind {
        /// More bytes are needed; these have been stored.
        case undecided
        /// An event stream. `early` holds all bytes so far if some were stored from earlier chunks; else it is empty.
        case stream(early: [UInt8])
        /// One JSON document, which is being collected in ``document``.
        case document
        /// A document that is larger than any error.
        case oversizeDocument
        /// Neither an event stream nor JSON, such as the page of a captive portal.
        case foreign
    }

    private enum State { case undecided, stream, document, foreign }

    private var state = State.undecided
    private var kept: [UInt8] = []
    private static let maximumDocument = 64 * 1024

    /// Document so far, without the white space before it.
    var document: [UInt8]? {
        if case .document = state { kept } else { nil }
    }

    mutating func inspect(_ chunk: UnsafeRawBufferPointer) -> Kind {
        switch state {
        case .stream: return .stream(early: [])
        case .foreign: return .foreign
        case .document:
            guard chunk.count <= StreamOpening.maximumDocument - kept.count else { return .oversizeDocument }
            kept.append(contentsOf: chunk)
            return .document
        case .undecided:
            let isFirst = kept.isEmpty
            if isFirst, StreamOpening.isField(chunk) {
                state = .stream
                return .stream(early: [])
            }
            kept.append(contentsOf: chunk)
            return decide(isFirst: isFirst)
        }
    }

    private mutating func decide(isFirst: Bool) -> Kind {
        var start = kept.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < kept.count, [0x20, 0x09, 0x0A, 0x0D].contains(kept[start]) { start += 1 }
        // Leading white space can be as long as a line.
        guard start < kept.count else { return kept.count > 64 * 1024 ? foreign() : .undecided }
        let rest = kept[start...]
        if rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "[") {
            state = .document
            kept.removeFirst(start)
            return kept.count > StreamOpening.maximumDocument ? .oversizeDocument : .document
        }
        if rest.withUnsafeBytes(StreamOpening.isField) {
            state = .stream
            defer { kept = [] }
            return .stream(early: isFirst ? [] : kept)
        }
        let mayBecomeField = StreamOpening.fields.contains { $0.starts(with: rest) }
        return mayBecomeField || [0xEF, 0xBB, 0xBF].starts(with: rest) ? .undecided : foreign()
    }

    /// Beginnings of lines of an event stream, the usual one first.
    private static let fields = ["data", ":", "event", "id", "retry"].map { Array($0.utf8) }

    private static func isField(_ line: UnsafeRawBufferPointer) -> Bool {
        for field in fields where line.starts(with: field) { return true }
        return false
    }

    private mutating func foreign() -> Kind {
        state = .foreign
        kept = []
        return .foreign
    }
}
