/// Damages an event stream, for tests of its readers. It removes the first brace of one event's JSON, or ends the
/// stream after a number of events. Bytes go in and come out, in any fragmentation.
///
/// An event is a block of lines with a `data` field; comments do not count. A body that begins with a brace or a
/// bracket is one JSON document instead of a stream. It counts as one event that never ends.
package struct EventDamage: Sendable {
    /// The position of the event that loses its first brace, counted from 1.
    private let malformedEvent: Int?
    /// The number of events after which the stream ends.
    private let lastEvent: Int?
    /// The number of complete events.
    private var count = 0
    private var isDocument: Bool?
    /// The number of bytes of the line so far, up to the length of `data`.
    private var lineLength = 0
    private var isData = true
    /// Whether the block has a line of data.
    private var hasData = false
    private var isAfterCarriageReturn = false
    private var isDamaged = false
    /// Whether the stream has ended.
    package private(set) var isOver = false

    private static let field = Array("data".utf8)

    package init(malformedEvent: Int? = nil, lastEvent: Int? = nil) {
        self.malformedEvent = malformedEvent
        self.lastEvent = lastEvent
        isOver = lastEvent == 0
    }

    /// Appends the bytes that remain after the damage.
    package mutating func pass(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        for byte in bytes {
            guard !isOver else { return }
            if isDropped(byte) { continue }
            output.append(byte)
            if isDocument == false { advance(byte) }
        }
    }

    /// Returns whether a byte is removed. The first byte that is not white space determines the kind of the body.
    private mutating func isDropped(_ byte: UInt8) -> Bool {
        if isDocument == nil, ![0x20, 0x09, 0x0A, 0x0D].contains(byte) { isDocument = byte == 0x7B || byte == 0x5B }
        guard !isDamaged, let malformedEvent, byte == 0x7B else { return false }
        let isTheOne = isDocument == true || (isInData && count + 1 == malformedEvent)
        isDamaged = isTheOne
        return isTheOne
    }

    private var isInData: Bool { isData && lineLength >= EventDamage.field.count }

    private mutating func advance(_ byte: UInt8) {
        defer { isAfterCarriageReturn = byte == 0x0D }
        switch byte {
        case 0x0A where isAfterCarriageReturn: return
        case 0x0A, 0x0D: endLine()
        default:
            if lineLength < EventDamage.field.count {
                isData = isData && byte == EventDamage.field[lineLength]
                lineLength += 1
            }
        }
    }

    private mutating func endLine() {
        if lineLength == 0 {
            if hasData { count += 1 }
            hasData = false
            isOver = count == lastEvent
        } else if isInData {
            hasData = true
        }
        lineLength = 0
        isData = true
    }
}
