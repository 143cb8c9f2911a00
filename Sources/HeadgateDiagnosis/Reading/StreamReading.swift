internal import ServerSentEvents

/// A stream, parsed into its events.
package struct StreamReading: Sendable {
    struct Event: Sendable {
        /// The time when the event's last byte arrived.
        let at: UInt64
        /// The number of bytes of the event's data.
        let size: Int
        let hasText: Bool
    }

    let dialect: StreamDialect
    /// The events with JSON, including the end marker of Messages.
    private(set) var events: [Event] = []
    /// The position, from 1, of the first event that is not JSON, and the number of such events.
    private(set) var firstBad = 0
    private(set) var bad = 0
    private(set) var markers = 0
    /// The number of events after the first end marker, including further markers.
    private(set) var eventsAfterMarker = 0
    private(set) var comments = 0
    private(set) var errors: [String] = []
    private(set) var usageEvents = 0
    private(set) var finishReason: String?
    private(set) var integrity = TextIntegrity()
    /// The number of reads that ended inside a character. They are valid, but careless decoders handle them wrongly.
    private(set) var splitReads = 0
    /// Whether the last bytes were not ended by a blank line.
    private(set) var isUnfinished = false
    /// The reason why the bytes could not be parsed to their end.
    private(set) var fault: String?

    package init(_ stream: StreamObservation, _ dialect: StreamDialect) {
        self.dialect = dialect
        var parser = ServerSentEventParser()
        do {
            for piece in stream.pieces {
                if UTF8Scan.endsInsideCharacter(piece.bytes) { splitReads += 1 }
                try piece.bytes.withUnsafeBytes { bytes in
                    try parser.parse(bytes) { view in add(Array(view.data), at: piece.at) }
                }
            }
        } catch {
            fault = "\(error)"
        }
        isUnfinished = parser.hasPendingEvent
        comments = parser.commentCount
    }

    private mutating func add(_ data: [UInt8], at instant: UInt64) {
        if markers > 0 { eventsAfterMarker += 1 }
        if dialect == .chat, data.elementsEqual("[DONE]".utf8) {
            markers += 1
            return
        }
        integrity.add(event: data)
        // Text that is not UTF-8 has a separate check.
        let repaired = Array(String(decoding: data, as: UTF8.self).utf8)
        guard let members = EventMembers(repaired) else {
            bad += 1
            if firstBad == 0 { firstBad = events.count + bad }
            return
        }
        events.append(Event(at: instant, size: data.count, hasText: members.hasText))
        if let error = members.error { errors.append(error) }
        if members.hasUsage { usageEvents += 1 }
        finishReason = members.finishReason ?? finishReason
        if dialect == .messages, members.type == "message_stop" { markers += 1 }
    }
}
