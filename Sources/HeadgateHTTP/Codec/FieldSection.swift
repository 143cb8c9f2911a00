/// Header lines of a head, with the values that framing needs.
struct FieldSection {
    private(set) var entries: [HeadFields.Entry] = []
    /// Range of the value of `Host` in the head.
    private(set) var host: Range<Int>?
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private(set) var connectionCloses = false
    private(set) var expectation: Expectation = .none

    enum Expectation {
        case none, continue100, unknown
    }

    private var hasTransferEncoding = false
    /// Bits, by raw value, of the ``FieldToken/isSingle`` headers so far.
    private var seen: UInt16 = 0

    /// Reads the lines of a whole head.
    ///
    /// - Parameters:
    ///   - head: a head whose lines all end in CR LF.
    ///   - start: the offset of the first header line.
    init(_ head: UnsafeRawBufferPointer, from start: Int, isHTTP10: Bool) throws(HTTPSyntaxError) {
        entries.reserveCapacity(16)
        var start = start
        while start < head.count {
            guard let end = head.firstIndex(of: 0x0A, from: start) else { throw .bareLineEnd }
            // This is checked first, since a folded line must not be parsed on its own.
            if end + 1 < head.count, head[end + 1] == 0x20 || head[end + 1] == 0x09 {
                throw .badRequest("A header line is folded.")
            }
            try add(head, start..<(end - 1))
            start = end + 1
        }
        try checkFraming(isHTTP10: isHTTP10)
    }

    /// Reads header lines in their usual form, and the empty line after them, in one pass.
    ///
    /// - Parameters:
    ///   - start: the offset of the first header line; afterwards, the end of the head.
    /// - Returns: nil for a head that is incomplete or refused, or has a line in another form.
    init?(usual head: UnsafeRawBufferPointer, from start: inout Int, limits: HeadLimits, isHTTP10: Bool) {
        entries.reserveCapacity(16)
        var offset = start
        var lines = 0
        while lines <= limits.lines, let line = FieldLine(usual: head, at: offset) {
            lines &+= 1
            let token = FieldToken(head.slice(line.name))
            guard (try? add(token, line.name, line.value, isASCII: true, of: head)) != nil else { return nil }
            offset = line.end
        }
        guard lines <= limits.lines, offset &+ 1 < head.count, head[offset] == 0x0D, head[offset &+ 1] == 0x0A,
            offset &+ 2 <= limits.bytes, (try? checkFraming(isHTTP10: isHTTP10)) != nil
        else { return nil }
        start = offset &+ 2
    }

    private func checkFraming(isHTTP10: Bool) throws(HTTPSyntaxError) {
        guard hasTransferEncoding else { return }
        if contentLength != nil { throw .badRequest("Content-Length and Transfer-Encoding exclude each other.") }
        if isHTTP10 { throw .badRequest("HTTP/1.0 has no chunked coding.") }
        if !isChunked { throw .unknownTransferCoding }
    }

    private mutating func add(_ head: UnsafeRawBufferPointer, _ line: Range<Int>) throws(HTTPSyntaxError) {
        guard let colon = head.firstIndex(of: 0x3A, from: line.lowerBound), colon < line.upperBound else {
            throw .badRequest("A header line has no colon.")
        }
        let name = line.lowerBound..<colon
        guard ByteClass.isToken(head.slice(name)) else { throw .badRequest("A header field name is not a token.") }
        let value = head.trimmingWhitespace((colon + 1)..<line.upperBound)
        let content = ByteClass.fieldContent(head.slice(value))
        if case .invalid = content { throw .badRequest("A header field value holds a control character.") }
        let isASCII = if case .ascii = content { true } else { false }
        try add(FieldToken(head.slice(name)), name, value, isASCII: isASCII, of: head)
    }

    private mutating func add(
        _ token: FieldToken, _ name: Range<Int>, _ range: Range<Int>, isASCII: Bool, of head: UnsafeRawBufferPointer
    ) throws(HTTPSyntaxError) {
        var range = range
        let value = head.slice(range)
        // Headers with bytes above 0x7f are accepted, but not forwarded, since their meaning is undefined.
        var isKept = isASCII
        switch token {
        case .contentLength: try readContentLength(value)
        case .transferEncoding: readTransferEncoding(value)
        case .host:
            guard host == nil else { throw .badRequest("There is more than one Host field.") }
            host = range
            isKept = false
        case .connection: readConnection(value)
        case .expect:
            guard case .none = expectation else { throw FieldSection.repeated }
            expectation = ByteClass.equalsIgnoringCase(value, "100-continue") ? .continue100 : .unknown
        default:
            guard token.isSingle else { break }
            let bit: UInt16 = 1 << UInt16(token.rawValue)
            guard seen & bit == 0 else { throw FieldSection.repeated }
            seen |= bit
            // A header that matters is never treated as absent: its value counts as one that matches nothing.
            if !isKept { range = range.lowerBound..<range.lowerBound }
            isKept = true
        }
        if isKept { entries.append(HeadFields.Entry(token, name: name, value: range)) }
    }

    /// Returns whether a header with a single value was present.
    func contains(_ token: FieldToken) -> Bool { seen & (1 << UInt16(token.rawValue)) != 0 }

    private static let repeated = HTTPSyntaxError.badRequest("A header field that has one value came twice.")

    private mutating func readContentLength(_ value: UnsafeRawBufferPointer) throws(HTTPSyntaxError) {
        guard contentLength == nil else { throw .badRequest("There is more than one Content-Length field.") }
        guard (1...15).contains(value.count) else { throw FieldSection.badLength }
        var length = 0
        for byte in value {
            guard ByteClass.isDigit(byte) else { throw FieldSection.badLength }
            length = length * 10 + Int(byte - 0x30)
        }
        contentLength = length
    }

    private static let badLength = HTTPSyntaxError.badRequest("Content-Length must be 1 to 15 digits.")

    private mutating func readTransferEncoding(_ value: UnsafeRawBufferPointer) {
        isChunked = !hasTransferEncoding && ByteClass.equalsIgnoringCase(value, "chunked")
        hasTransferEncoding = true
    }

    private mutating func readConnection(_ value: UnsafeRawBufferPointer) {
        for option in value.split(separator: 0x2C) {
            let token = UnsafeRawBufferPointer(rebasing: option).trimmingWhitespace()
            if ByteClass.equalsIgnoringCase(token, "close") { connectionCloses = true }
        }
    }
}
