internal import HeadgateLibC

/// Finds the end of a message head in bytes that arrive in any fragmentation, within limits. Refuses line ends other
/// than CR LF.
struct HeadReader {
    private let limits: HeadLimits
    private let skipsEmptyLine: Bool
    /// Beginning of an incomplete head; empty if a head arrives in one piece.
    private var partial: [UInt8] = []
    private var state = Scan()

    private struct Scan {
        var position = 0
        var headStart = 0
        var lineStart = 0
        var lines = 0
    }

    /// - Parameter skipsEmptyLine: whether one empty line before the start line is ignored (RFC 9112 2.2, requests
    ///   only).
    init(limits: HeadLimits, skipsEmptyLine: Bool) {
        self.limits = limits
        self.skipsEmptyLine = skipsEmptyLine
    }

    /// Whether a head has begun to arrive.
    var hasBegun: Bool { !partial.isEmpty }

    /// Returns whether the incomplete or refused head begins with a text.
    func begins(with text: String) -> Bool { partial.dropFirst(state.headStart).starts(with: text.utf8) }

    /// Consumes input up to the end of a head, and calls `parse` with its lines, each with its CR LF, without the empty
    /// one.
    ///
    /// - Returns: nil if all input was consumed and the head is incomplete.
    mutating func read<Head>(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int,
        parse: (UnsafeRawBufferPointer) throws(HTTPSyntaxError) -> Head
    ) throws(HTTPSyntaxError) -> Head? {
        guard offset < input.count else { return nil }
        if partial.isEmpty {
            let rest = input.slice(offset..<input.count)
            do throws(HTTPSyntaxError) {
                if let end = try scan(rest) {
                    defer { state = Scan() }
                    offset += end
                    return try parse(rest.slice(state.headStart..<(end - 2)))
                }
            } catch {
                // These bytes suffice for the method.
                partial.append(contentsOf: rest.prefix(state.headStart + 16))
                throw error
            }
            partial.append(contentsOf: rest)
            offset = input.count
            return nil
        }
        let before = partial.count
        // One byte over the limit proves that it is exceeded.
        let taken = min(input.count - offset, limits.bytes + 3 - min(before, limits.bytes + 2))
        partial.append(contentsOf: input.slice(offset..<(offset + taken)))
        let bytes = partial
        let head: Head? = try bytes.withUnsafeBytesTyped { (bytes) throws(HTTPSyntaxError) -> Head? in
            guard let end = try scan(bytes) else {
                offset += taken
                return nil
            }
            offset += end - before
            return try parse(bytes.slice(state.headStart..<(end - 2)))
        }
        if head != nil {
            partial = []
            state = Scan()
        }
        return head
    }

    /// - Returns: the offset of the start line's CR; nil if the line is incomplete or refused.
    @inline(__always)
    static func startLine(of input: UnsafeRawBufferPointer, _ limits: HeadLimits) -> Int? {
        guard let lineFeed = input.firstIndex(of: 0x0A, from: 0), lineFeed > 1, input[lineFeed - 1] == 0x0D,
            lineFeed <= limits.target + 512
        else { return nil }
        return lineFeed - 1
    }

    /// - Returns: the end of the head, including its empty line; nil if the head is incomplete.
    private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(HTTPSyntaxError) -> Int? {
        while let lineFeed = bytes.firstIndex(of: 0x0A, from: state.position) {
            try checkSize(upTo: lineFeed)
            guard lineFeed > state.lineStart, bytes[lineFeed - 1] == 0x0D else { throw .bareLineEnd }
            let isEmpty = lineFeed - 1 == state.lineStart
            state.position = lineFeed + 1
            state.lineStart = lineFeed + 1
            if isEmpty, state.lines == 0 {
                guard skipsEmptyLine, state.headStart == 0 else { throw .badRequest("The start line is missing.") }
                state.headStart = lineFeed + 1
                continue
            }
            if state.position - state.headStart > limits.bytes { throw .headTooLarge }
            if isEmpty { return state.position }
            state.lines += 1
            if state.lines > limits.lines + 1 { throw .headTooLarge }
        }
        state.position = bytes.count
        try checkSize(upTo: bytes.count)
        return nil
    }

    /// Checks the size, before anything else, so that the result is the same as for single bytes.
    private func checkSize(upTo end: Int) throws(HTTPSyntaxError) {
        let startLine = limits.target + 512
        if state.lines == 0, startLine < limits.bytes, end - state.lineStart > startLine { throw .targetTooLong }
        if end - state.headStart > limits.bytes { throw .headTooLarge }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the memory from an offset on.
    @inline(__always)
    func from(_ offset: Int) -> UnsafeRawBufferPointer { slice(offset..<count) }

    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }
}

extension Array where Element == UInt8 {
    /// `withUnsafeBytes` with a typed error.
    func withUnsafeBytesTyped<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in try body(UnsafeRawBufferPointer(buffer)) }
    }
}
