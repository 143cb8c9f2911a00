/// Decoder of the chunked coding (RFC 9112 7.1), as a state machine over single bytes outside of chunk data.
struct ChunkedDecoder {
    private enum State {
        case size(digits: Int)
        case extensionName(started: Bool)
        case extensionValueStart
        case extensionToken
        case extensionQuoted
        case extensionEscape
        case extensionEnd
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailer
        case finished
    }

    private var state = State.size(digits: 0)
    private var remaining = 0
    private var total = 0
    private var extensionBytes = 0
    private var allExtensionBytes = 0
    /// Reader of trailer lines, which must follow the rules of a head and are then dropped; at most one. It is created
    /// at the first line, since nearly no body has trailers.
    private var trailers: [TrailerReader] = []

    /// Maximum bytes of all chunks together, counted before any is stored.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func next(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> BodyDecoder.Step {
        while offset < input.count {
            switch state {
            case .data:
                let count = min(remaining, input.count - offset)
                defer { offset += count }
                remaining -= count
                if remaining == 0 { state = .dataReturn }
                return .data(offset..<(offset + count))
            case .trailer:
                guard try readTrailers(input, &offset) else { return .needsMore }
                state = .finished
                return .end
            case .finished: return .end
            default:
                if try readPlainSize(input, &offset) { continue }
                let byte = input[offset]
                offset += 1
                try step(byte)
            }
        }
        if case .finished = state { return .end }
        return .needsMore
    }

    private mutating func readTrailers(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> Bool {
        if trailers.isEmpty {
            if ChunkedDecoder.isLineEnd(input, offset) {
                offset += 2
                return true
            }
            trailers.append(TrailerReader())
        }
        return try trailers[0].read(input, &offset)
    }

    /// Reads the line end after a chunk, a size line without extensions that is completely in the input, or both, as is
    /// usual. Anything else goes through the state machine.
    ///
    /// - Returns: whether anything was read.
    private mutating func readPlainSize(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> Bool {
        var isPastData = false
        switch state {
        case .dataReturn:
            guard ChunkedDecoder.isLineEnd(input, offset) else { return false }
            offset += 2
            state = .size(digits: 0)
            isPastData = true
        case .size(digits: 0): break
        default: return false
        }
        let start = offset
        var position = start
        var size = 0
        while position < input.count, position - start < 8, let digit = ByteClass.hexValue(input[position]) {
            size = size << 4 | digit
            position += 1
        }
        guard position > start, ChunkedDecoder.isLineEnd(input, position) else { return isPastData }
        offset = position + 2
        remaining = size
        try startData()
        return true
    }

    @inline(__always)
    private static func isLineEnd(_ input: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
        offset + 2 <= input.count && input[offset] == 0x0D && input[offset + 1] == 0x0A
    }

    private mutating func step(_ byte: UInt8) throws(HTTPSyntaxError) {
        switch state {
        case .size(let digits):
            if let value = ByteClass.hexValue(byte) {
                guard digits < 8 else { throw .badRequest("A chunk size has more than 8 digits.") }
                remaining = remaining << 4 | value
                state = .size(digits: digits + 1)
            } else {
                guard digits > 0 else { throw ChunkedDecoder.badSize }
                try endSize(byte)
            }
        case .extensionName, .extensionValueStart, .extensionToken, .extensionQuoted, .extensionEscape, .extensionEnd:
            extensionBytes += 1
            allExtensionBytes += 1
            guard extensionBytes <= 256, allExtensionBytes <= 16 * 1024 else {
                throw .badRequest("Chunk extensions are too long.")
            }
            try stepExtension(byte)
        case .sizeLineFeed:
            guard byte == 0x0A else { throw .bareLineEnd }
            try startData()
        case .dataReturn:
            guard byte == 0x0D else { throw .badRequest("Chunk data is not followed by CR LF.") }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == 0x0A else { throw .badRequest("Chunk data is not followed by CR LF.") }
            state = .size(digits: 0)
        case .data, .trailer, .finished: break
        }
    }

    private static let badSize = HTTPSyntaxError.badRequest("A chunk size is not hexadecimal digits.")

    /// Reads a byte that can follow a size, an extension's name, or its value.
    private mutating func endSize(_ byte: UInt8) throws(HTTPSyntaxError) {
        switch byte {
        case 0x0D: state = .sizeLineFeed
        case 0x3B: state = .extensionName(started: false)
        default: throw ChunkedDecoder.badSize
        }
    }

    private mutating func stepExtension(_ byte: UInt8) throws(HTTPSyntaxError) {
        switch state {
        case .extensionName(let started):
            if ByteClass.isToken(byte) {
                state = .extensionName(started: true)
            } else {
                guard started else { throw .badRequest("A chunk extension has no name.") }
                if byte == 0x3D { state = .extensionValueStart } else { try endSize(byte) }
            }
        case .extensionValueStart:
            if byte == 0x22 {
                state = .extensionQuoted
            } else {
                guard ByteClass.isToken(byte) else { throw .badRequest("A chunk extension has no value.") }
                state = .extensionToken
            }
        case .extensionToken:
            if !ByteClass.isToken(byte) { try endSize(byte) }
        case .extensionQuoted:
            guard ByteClass.isFieldContent(byte) else {
                throw .badRequest("A chunk extension holds a control character.")
            }
            if byte == 0x22 { state = .extensionEnd } else if byte == 0x5C { state = .extensionEscape }
        case .extensionEscape:
            guard ByteClass.isFieldContent(byte) else {
                throw .badRequest("A chunk extension holds a control character.")
            }
            state = .extensionQuoted
        default: try endSize(byte)
        }
    }

    private mutating func startData() throws(HTTPSyntaxError) {
        extensionBytes = 0
        guard remaining > 0 else {
            state = .trailer
            return
        }
        total += remaining
        guard total <= limit else { throw .bodyTooLarge(limit: limit) }
        state = .data
    }
}

/// Reads a trailer section to its empty line.
private struct TrailerReader {
    /// Reader of heads, which needs a start line. After a made-up one, the trailers are its headers.
    private var reader = HeadReader(
        limits: HeadLimits(bytes: 16 * 1024, lines: 100, target: 16 * 1024), skipsEmptyLine: false)
    private var isPrimed = false

    mutating func read(_ input: UnsafeRawBufferPointer, _ offset: inout Int) throws(HTTPSyntaxError) -> Bool {
        if !isPrimed {
            isPrimed = true
            let startLine: [UInt8] = [0x30, 0x0D, 0x0A]
            var consumed = 0
            _ = try startLine.withUnsafeBytesTyped { (bytes) throws(HTTPSyntaxError) -> Bool? in
                try reader.read(bytes, &consumed) { (_) throws(HTTPSyntaxError) in true }
            }
        }
        return try reader.read(input, &offset) { (bytes) throws(HTTPSyntaxError) in
            _ = try FieldSection(bytes, from: 3, isHTTP10: false)
            return true
        } ?? false
    }
}
