// ServerSentEvents: reads and writes the event-stream format of the WHATWG HTML standard (section 9.2) as bytes. The
// module does not depend on JSON, HTTP, time, a provider's dialect or another module.

/// An incremental parser of one stream, which produces the same events for any fragmentation.
///
/// An event whose only data line is complete in its chunk is passed on without a copy. Other events use storage that is
/// reused for later events, up to 64 KiB. A line that arrives in many chunks is stored once, regardless of its length.
package struct ServerSentEventParser {
    /// The number of bytes above which storage is released after the event that needed it.
    static let keptCapacity = 64 << 10

    package let limits: ServerSentEventLimits
    /// The number of comment lines so far.
    package internal(set) var commentCount = 0
    /// The last accepted `retry` value in milliseconds; `Int.max` if it was larger.
    package internal(set) var retryMilliseconds: Int?

    /// The start of a line whose end has not arrived yet.
    var carriedLine: [UInt8] = []
    /// The data lines of the undispatched event so far, joined with LF, beginning at ``dataStart``.
    var data: [UInt8] = []
    /// The offset of the data: a stored first line stays in place, after the name of its field.
    var dataStart = 0
    var dataLineCount = 0
    var name: [UInt8] = []
    var idBuffer: [UInt8] = []
    var idHasChanged = false
    var committedID: [UInt8] = []
    /// Whether a CR ended the last line, so that an LF directly after it belongs to that line end.
    private var swallowsLineFeed = false
    /// The number of bytes of a byte order mark at the beginning of the stream so far; nil after that is decided.
    private var byteOrderMarkBytes: Int? = 0
    private var failure: ServerSentEventError?

    package init(limits: ServerSentEventLimits = ServerSentEventLimits()) {
        self.limits = limits
    }

    /// The last event id at the last blank line.
    package var lastEventID: [UInt8] { committedID }

    /// Whether there are bytes that no blank line has ended: a data line, or a line without its end.
    package var hasPendingEvent: Bool { dataLineCount > 0 || !carriedLine.isEmpty }

    /// The number of bytes of the unfinished event that are known to be data.
    package var pendingDataBytes: Int {
        data.count - dataStart + carriedLine.withUnsafeBytes { dataValue(of: $0)?.count ?? 0 }
    }

    /// Parses the next bytes of the stream and calls `onEvent` for each event that they complete, in order.
    ///
    /// An event is dispatched at the first byte of its blank line's end: a CR does not wait for its LF. `onEvent` must
    /// not access the parser.
    ///
    /// - Throws: ``ServerSentEventError``, or the errors of `onEvent`. Every later call then throws.
    package mutating func parse(
        _ chunk: UnsafeRawBufferPointer,
        _ onEvent: (ServerSentEventView) throws -> Void
    ) throws {
        try parse(chunk, skipping: { _ in 0 }, onEvent)
    }

    /// Parses the next bytes of the stream, except for events that the caller handles itself.
    ///
    /// - Parameter known: Receives the rest of the chunk where an event begins. It returns the number of these bytes
    ///   that it has handled: whole events that have only data and end in LF, or none. It must not access the parser
    ///   either.
    package mutating func parse(
        _ chunk: UnsafeRawBufferPointer,
        skipping known: (_ rest: UnsafeRawBufferPointer) -> Int,
        _ onEvent: (ServerSentEventView) throws -> Void
    ) throws {
        if let failure { throw failure }
        guard let base = chunk.baseAddress, !chunk.isEmpty else { return }
        let start = byteOrderMarkBytes == nil ? 0 : skipByteOrderMark(chunk)
        do {
            try parseLines(base, from: start, to: chunk.count, skipping: known, onEvent)
        } catch {
            failure = error as? ServerSentEventError ?? .stopped
            throw error
        }
    }

    /// Ends the stream. The standard drops an event without its blank line. If it has any data, including a last line
    /// without its end, `onPending` receives it, and the caller decides.
    ///
    /// - Throws: The errors of ``parse(_:_:)``.
    package mutating func finish(_ onPending: (ServerSentEventView) throws -> Void) throws {
        if let failure { throw failure }
        failure = .stopped
        if !carriedLine.isEmpty { try parseCarriedLine() }
        try dispatch(nil, onPending)
    }

    private mutating func parseLines(
        _ base: UnsafeRawPointer,
        from start: Int,
        to end: Int,
        skipping known: (UnsafeRawBufferPointer) -> Int,
        _ onEvent: (ServerSentEventView) throws -> Void
    ) throws {
        var position =
            isBetweenEvents ? start + known(UnsafeRawBufferPointer(start: base + start, count: end - start)) : start
        // One search for CR serves all lines up to it. A stream without any, the common kind, needs one search per
        // chunk.
        var nextReturn = -1
        // The event's only data line so far, which is still in the chunk.
        var borrowed: UnsafeRawBufferPointer?
        while position < end {
            var lineEnd = position
            var skipped = 0
            if base.load(fromByteOffset: position, as: UInt8.self) == Octet.lineFeed {
                if swallowsLineFeed {
                    swallowsLineFeed = false
                    position += 1
                    continue
                }
            } else {
                swallowsLineFeed = false
                if nextReturn < position {
                    nextReturn = firstOffset(of: Octet.carriageReturn, in: base, from: position, to: end)
                }
                lineEnd = firstOffset(of: Octet.lineFeed, in: base, from: position, to: nextReturn)
            }
            let line = UnsafeRawBufferPointer(start: base + position, count: lineEnd - position)
            guard line.count <= limits.lineBytes &- carriedLine.count else {
                throw ServerSentEventError.lineTooLong(limit: limits.lineBytes)
            }
            guard lineEnd < end else {
                carriedLine.append(contentsOf: line)
                break
            }
            if !carriedLine.isEmpty {
                keep(&borrowed)
                carriedLine.append(contentsOf: line)
                try parseCarriedLine()
            } else if line.isEmpty {
                let whole = borrowed
                borrowed = nil
                try dispatch(whole, onEvent)
                skipped = known(UnsafeRawBufferPointer(start: base + lineEnd + 1, count: end - lineEnd - 1))
            } else if let value = dataValue(of: line) {
                if dataLineCount == 0 {
                    try checkEventSize(adding: value.count)
                    borrowed = value
                    dataLineCount = 1
                } else {
                    keep(&borrowed)
                    try appendDataLine(value)
                }
            } else {
                keep(&borrowed)
                try parseField(line)
            }
            swallowsLineFeed =
                skipped == 0 && base.load(fromByteOffset: lineEnd, as: UInt8.self) == Octet.carriageReturn
            position = lineEnd + 1 + skipped
        }
        keep(&borrowed)
    }

    /// Whether the next byte begins a new event, and no rule about the bytes before it applies to it.
    private var isBetweenEvents: Bool {
        !hasPendingEvent && name.isEmpty && !idHasChanged && !swallowsLineFeed && byteOrderMarkBytes == nil
    }

    /// Copies a data line from the chunk, before the chunk becomes invalid or another data line is added.
    private mutating func keep(_ borrowed: inout UnsafeRawBufferPointer?) {
        guard let value = borrowed else { return }
        data.append(contentsOf: value)
        borrowed = nil
    }

    private mutating func parseCarriedLine() throws(ServerSentEventError) {
        // A line of megabytes is not copied. A short one is, because two alternating buffers would both grow.
        if dataLineCount == 0, carriedLine.count > ServerSentEventParser.keptCapacity,
            let value = carriedLine.withUnsafeBytes({ dataValue(of: $0)?.count })
        {
            try checkEventSize(adding: value)
            swap(&data, &carriedLine)
            dataStart = data.count - value
            dataLineCount = 1
            return
        }
        var line: [UInt8] = []
        swap(&line, &carriedLine)
        let result = line.withUnsafeBytes { bytes in
            Result { () throws(ServerSentEventError) in try parseField(bytes) }
        }
        try result.get()
        line.empty()
        swap(&line, &carriedLine)
    }

    /// Ends the event at a blank line: passes it on if it has data, and starts the next one.
    private mutating func dispatch(
        _ borrowed: UnsafeRawBufferPointer?,
        _ onEvent: (ServerSentEventView) throws -> Void
    ) throws {
        if idHasChanged {
            committedID = idBuffer
            idHasChanged = false
        }
        if dataLineCount > 0 {
            try data.withUnsafeBytes { kept in
                try name.withUnsafeBytes { name in
                    try committedID.withUnsafeBytes { id in
                        try onEvent(
                            ServerSentEventView(
                                name: name,
                                data: borrowed ?? UnsafeRawBufferPointer(rebasing: kept[dataStart...]),
                                lastEventID: id, dataLineCount: dataLineCount))
                    }
                }
            }
            dataLineCount = 0
            dataStart = 0
            data.empty()
        }
        name.empty()
    }

    /// Consumes the byte order mark, whose bytes can arrive in separate chunks. Returns the beginning of the lines.
    private mutating func skipByteOrderMark(_ chunk: UnsafeRawBufferPointer) -> Int {
        var matched = byteOrderMarkBytes ?? 0
        let begun = matched
        for byte in chunk {
            guard byte == Self.byteOrderMark(matched) else {
                // It is not a byte order mark, so its bytes so far begin the first line.
                for index in 0..<matched { carriedLine.append(Self.byteOrderMark(index)) }
                byteOrderMarkBytes = nil
                return matched - begun
            }
            matched += 1
            if matched == 3 {
                byteOrderMarkBytes = nil
                return matched - begun
            }
        }
        byteOrderMarkBytes = matched
        return matched - begun
    }

    private static func byteOrderMark(_ index: Int) -> UInt8 {
        index == 0 ? 0xEF : index == 1 ? 0xBB : 0xBF
    }
}

extension [UInt8] {
    /// Empties the array, and releases its storage if it is larger than each stream should keep.
    @inline(__always)
    mutating func empty() {
        guard !isEmpty else { return }
        if capacity > ServerSentEventParser.keptCapacity {
            self = []
        } else {
            removeAll(keepingCapacity: true)
        }
    }
}

/// The reason why a parser failed. It cannot continue, because it does not know to which event the bytes after the
/// fault belong.
package enum ServerSentEventError: Error, Equatable, Sendable {
    /// A line is longer than `limit` bytes.
    case lineTooLong(limit: Int)
    /// The data of one event is longer than `limit` bytes.
    case eventTooLarge(limit: Int)
    /// Parsing ended before: the caller's closure threw an error, or `finish` has been called.
    case stopped
}

/// The limits of the memory for one stream, in bytes.
package struct ServerSentEventLimits: Sendable {
    /// The longest line, including its field name but not its line end.
    package var lineBytes: Int
    /// The maximum data of one event, with its lines joined with LF.
    package var eventBytes: Int

    /// The default limit, which is large because a generated image arrives as one line of base64.
    package static let standardBytes = 16 << 20

    package init(lineBytes: Int = standardBytes, eventBytes: Int = standardBytes) {
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
    }
}
