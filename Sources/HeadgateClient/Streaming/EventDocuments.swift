internal import JSONBytes
internal import ServerSentEvents

/// Extracts the JSON documents from the bytes of an event stream.
///
/// A document can span several data lines of an event, and several events. Data that only begins a document is held and
/// joined with the next event's, within limits.
struct EventDocuments {
    /// Content of an event's data.
    enum Item {
        case document([UInt8])
        /// The stream's end marker, `[DONE]`.
        case done
    }

    /// Maximum number of events that one document can span.
    static let longestSpread = 8

    private var parser = ServerSentEventParser()
    private var held: [UInt8] = []
    private var heldEvents = 0

    /// Passes on the items that the next bytes complete, including those before a fault, with the id of the last event.
    ///
    /// - Throws: ``HeadgateClientError/decoding(_:)``, or ``ServerSentEventError``.
    mutating func read(_ chunk: [UInt8], _ receive: (Item, _ eventID: [UInt8]) -> Void) throws {
        var events: [(data: [UInt8], id: [UInt8])] = []
        var failure: (any Error)?
        do {
            try chunk.withUnsafeBytes { bytes in
                try parser.parse(bytes) { events.append((EventDocuments.data(of: $0), Array($0.lastEventID))) }
            }
        } catch {
            failure = error
        }
        for event in events { try take(event.data, event.id, receive) }
        if let failure { throw failure }
    }

    /// Passes on the items that the end of the stream completes. An event without its blank line counts.
    mutating func finish(_ receive: (Item, _ eventID: [UInt8]) -> Void) throws {
        var last: [UInt8]?
        try parser.finish { last = EventDocuments.data(of: $0) }
        if let last { try take(last, parser.lastEventID, receive) }
    }

    /// Discards an incomplete event, because a resumed stream sends it again.
    mutating func restart() { self = EventDocuments() }

    /// Whether a document is incomplete.
    var isInsideDocument: Bool { heldEvents > 0 }

    /// Returns the data of an event without line feeds. They are invalid in JSON strings, and have no meaning
    /// elsewhere.
    private static func data(of event: ServerSentEventView) -> [UInt8] {
        event.dataLineCount > 1 ? event.data.filter { $0 != 0x0A } : Array(event.data)
    }

    private mutating func take(
        _ event: [UInt8], _ id: [UInt8], _ receive: (Item, _ eventID: [UInt8]) -> Void
    ) throws {
        guard !event.isEmpty else { return }
        if event.starts(with: "[DONE]".utf8) {
            if isInsideDocument { throw truncated() }
            receive(.done, id)
        } else if let document = try join(event) {
            receive(.document(document), id)
        }
    }

    /// Returns the document that this event completes; nil if it is still incomplete.
    private mutating func join(_ event: [UInt8]) throws -> [UInt8]? {
        held += event
        heldEvents += 1
        if let fault = DecodingFailure.fault(in: held) {
            let limits = parser.limits
            guard fault.kind == .endOfInput, heldEvents < EventDocuments.longestSpread, held.count <= limits.eventBytes
            else { throw HeadgateClientError.decoding(DecodingFailure(fault, in: held)) }
            return nil
        }
        defer {
            held = []
            heldEvents = 0
        }
        return held
    }

    private func truncated() -> HeadgateClientError {
        .decoding(DecodingFailure(offset: held.count, reason: "the JSON ends too early", in: held))
    }
}
