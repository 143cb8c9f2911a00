internal import HeadgateRelay

/// Numbering of a stream's events, with ids from 1; pure.
///
/// The gateway itself writes its input: lines end with LF, events with an empty line.
struct EventNumbering: Sendable {
    private(set) var last = 0
    /// The beginning of an event whose end has not arrived.
    private var rest: [UInt8] = []

    /// Returns the events that this chunk completes, each with its id.
    mutating func take(_ chunk: UnsafeRawBufferPointer) -> [[UInt8]] {
        var events: [[UInt8]] = []
        var start = 0
        for end in chunk.indices where chunk[end] == EventNumbering.lf {
            let before = end > 0 ? chunk[end - 1] : rest.last
            // The empty line before an event does not end one.
            guard before == EventNumbering.lf, end > start || !rest.isEmpty else { continue }
            events.append(numbered(chunk[start...end]))
            start = end + 1
        }
        rest.append(contentsOf: chunk[start...])
        return events
    }

    /// Takes the newest numbers back, because their events were not stored.
    mutating func takeBack(_ count: Int) { last -= count }

    /// Bytes of the event whose end has not arrived.
    var pending: Int { rest.count }

    /// Returns the incomplete last event, with its id; nil if there is none.
    mutating func takeRest() -> [UInt8]? { rest.isEmpty ? nil : numbered([][...]) }

    /// Replaces an incomplete event with a whole event of the gateway.
    ///
    /// - Returns: that event, with its id.
    mutating func end(with event: [UInt8]) -> [UInt8] {
        rest = []
        return numbered(event[...])
    }

    private mutating func numbered(_ end: some Collection<UInt8>) -> [UInt8] {
        last += 1
        let line = Array("id: \(last)\n".utf8)
        var event: [UInt8] = []
        event.reserveCapacity(line.count + rest.count + end.count)
        event += line
        event += rest
        event += end
        rest = []
        return event
    }

    private static let lf = UInt8(ascii: "\n")
}
