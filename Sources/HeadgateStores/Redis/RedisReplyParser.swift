/// Reads replies from bytes in any fragmentation. Pure.
///
/// The server is not trusted: replies that are longer, deeper or more numerous than the gateway ever requests are
/// errors, as are violations of the protocol. Nothing can be read after an error.
package struct RedisReplyParser: Sendable {
    package struct Limits: Sendable {
        /// Maximum bytes of one text.
        package var text = 16 << 20
        /// Maximum bytes of a status, an error or a number.
        package var line = 4096
        /// Maximum elements of one list.
        package var elements = 65_536
        /// Maximum nesting of lists.
        package var depth = 8
        /// Maximum number of replies in one outermost reply, at all levels.
        package var total = 262_144

        package init() {}
    }

    package enum Failure: Error, Equatable {
        case malformed
        case tooLarge
    }

    /// List whose elements have not all arrived.
    private struct OpenList {
        var left: Int
        var elements: [RedisReply] = []
    }

    private enum State {
        case line
        /// Waits for the rest of a text, and the line end after it.
        case text(length: Int)
        case failed(Failure)
    }

    private let limits: Limits
    private var state = State.line
    private var buffer: [UInt8] = []
    /// Bytes of the buffer that have been read.
    private var position = 0
    /// Offset up to which there is no line end.
    private var searched = 0
    private var open: [OpenList] = []
    private var total = 0

    package init(limits: Limits = Limits()) { self.limits = limits }

    package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if position > 0, position == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 65_536)
            (position, searched) = (0, 0)
        } else if position > 65_536 {
            buffer.removeFirst(position)
            (position, searched) = (0, max(0, searched - position))
        }
        buffer.append(contentsOf: bytes)
    }

    package mutating func feed(_ bytes: [UInt8]) { bytes.withUnsafeBytes { feed($0) } }

    /// Whether no byte of another reply has arrived.
    package var isBetweenReplies: Bool {
        guard case .line = state else { return false }
        return open.isEmpty && position == buffer.count
    }

    /// Returns the next complete reply; nil if more bytes are needed.
    package mutating func next() throws(Failure) -> RedisReply? {
        while true {
            switch state {
            case .failed(let failure): throw failure
            case .line:
                guard let line = try nextLine() else { return nil }
                if let whole = try read(line).flatMap({ place($0) }) { return whole }
            case .text(let length):
                guard buffer.count - position >= length + 2 else { return nil }
                let end = position + length
                guard buffer[end] == 0x0D, buffer[end + 1] == 0x0A else { throw fail(.malformed) }
                let text = Array(buffer[position..<end])
                advance(to: end + 2)
                state = .line
                if let whole = place(.bytes(text)) { return whole }
            }
        }
    }

    private mutating func advance(to end: Int) { (position, searched) = (end, end) }

    private mutating func fail(_ failure: Failure) -> Failure {
        state = .failed(failure)
        (buffer, open) = ([], [])
        return failure
    }

    /// Returns a line without its end; nil if the end has not arrived.
    private mutating func nextLine() throws(Failure) -> ArraySlice<UInt8>? {
        guard let end = buffer[searched...].firstIndex(of: 0x0A) else {
            searched = buffer.count
            guard searched - position <= limits.line else { throw fail(.tooLarge) }
            return nil
        }
        guard end - position <= limits.line else { throw fail(.tooLarge) }
        guard end > position + 1, buffer[end - 1] == 0x0D, !buffer[position..<(end - 1)].contains(0x0D) else {
            throw fail(.malformed)
        }
        let line = buffer[position..<(end - 1)]
        advance(to: end + 1)
        return line
    }

    /// - Returns: a reply of one line; nil if further lines belong to it.
    private mutating func read(_ line: ArraySlice<UInt8>) throws(Failure) -> RedisReply? {
        total += 1
        guard total <= limits.total else { throw fail(.tooLarge) }
        let rest = line.dropFirst()
        switch line.first {
        case UInt8(ascii: "+"): return .status(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: "-"): return .error(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: ":"):
            guard let number = RedisReplyParser.number(rest) else { throw fail(.malformed) }
            return .integer(number)
        case UInt8(ascii: "$"):
            guard let length = try self.length(rest, most: limits.text) else { return RedisReply.none }
            state = .text(length: length)
            return nil
        case UInt8(ascii: "*"):
            guard let count = try self.length(rest, most: limits.elements) else { return RedisReply.none }
            if count == 0 { return .list([]) }
            guard open.count < limits.depth else { throw fail(.tooLarge) }
            open.append(OpenList(left: count))
            return nil
        default: throw fail(.malformed)
        }
    }

    /// Reads a length; nil for -1, which marks a null reply.
    private mutating func length(_ digits: ArraySlice<UInt8>, most: Int) throws(Failure) -> Int? {
        guard let length = RedisReplyParser.number(digits), length >= -1 else { throw fail(.malformed) }
        guard length <= most else { throw fail(.tooLarge) }
        return length < 0 ? nil : length
    }

    /// Reads a number: digits with at most a minus sign before them; nil for anything else.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        let isNegative = digits.first == UInt8(ascii: "-")
        let magnitude = isNegative ? digits.dropFirst() : digits
        guard (1...19).contains(magnitude.count) else { return nil }
        for digit in magnitude {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            let (tens, isTooLong) = value.multipliedReportingOverflow(by: 10)
            let unit = Int(digit - 0x30)
            let (sum, overflows) = tens.subtractingReportingOverflow(unit)
            guard !isTooLong, !overflows else { return nil }
            value = sum
        }
        // The value is accumulated as a negative number, since the negative range has one number more.
        guard !isNegative else { return value }
        return value == .min ? nil : -value
    }

    /// Adds a reply to the array that it belongs to.
    ///
    /// - Returns: the outermost reply, once it is complete.
    private mutating func place(_ reply: RedisReply) -> RedisReply? {
        var reply = reply
        while !open.isEmpty {
            let last = open.count - 1
            open[last].elements.append(reply)
            open[last].left -= 1
            guard open[last].left == 0 else { return nil }
            reply = .list(open.removeLast().elements)
        }
        total = 0
        return reply
    }
}
