internal import ServerSentEvents

/// A stream taken apart into its events.
package struct StreamReading: Sendable {
    struct Event: Sendable {
        /// When its last byte came.
        let at: UInt64
        /// Bytes of data.
        let size: Int
        let hasText: Bool
    }

    let dialect: StreamDialect
    /// Events with JSON, including the end marker of Messages.
    private(set) var events: [Event] = []
    /// Index from 1 of the first event that is not JSON, and the number of such events.
    private(set) var firstBad = 0
    private(set) var bad = 0
    private(set) var markers = 0
    /// Events after the first end marker, markers too.
    private(set) var eventsAfterMarker = 0
    private(set) var comments = 0
    private(set) var errors: [String] = []
    private(set) var usageEvents = 0
    private(set) var finishReason: String?
    private(set) var integrity = TextIntegrity()
    /// Reads that ended inside a character: legal, and what a careless decoder stumbles over.
    private(set) var splitReads = 0
    /// Bytes came that no blank line ended.
    private(set) var isUnfinished = false
    /// Why the bytes could not be taken apart to their end.
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
