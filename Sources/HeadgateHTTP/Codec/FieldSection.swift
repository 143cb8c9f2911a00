internal import HTTPTypes

/// The field lines of a head, with what framing needs read out of them.
struct FieldSection {
    private(set) var fields = HTTPFields()
    private(set) var host: String?
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private(set) var connectionCloses = false
    private(set) var expectation: Expectation = .none

    enum Expectation {
        case none, continue100, unknown
    }

    private var hasTransferEncoding = false
    /// The bits of the ``FieldRole/single(bit:)`` fields that came.
    private var seen: UInt8 = 0

    /// - Parameter lines: each ends in CR LF.
    init(_ lines: UnsafeRawBufferPointer, isHTTP10: Bool) throws(HTTPSyntaxError) {
        fields.reserveCapacity(16)
        var start = 0
        while start < lines.count {
            guard let end = lines.firstIndex(of: 0x0A, from: start) else { throw .bareLineEnd }
            // Looked for first: what a folded line belongs to must not be judged on its own.
            if end + 1 < lines.count, lines[end + 1] == 0x20 || lines[end + 1] == 0x09 {
                throw .badRequest("A header line is folded.")
            }
            try add(lines.slice(start..<(end - 1)))
            start = end + 1
        }
        guard hasTransferEncoding else { return }
        if contentLength != nil { throw .badRequest("Content-Length and Transfer-Encoding exclude each other.") }
        if isHTTP10 { throw .badRequest("HTTP/1.0 has no chunked coding.") }
        if !isChunked { throw .unknownTransferCoding }
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) throws(HTTPSyntaxError) {
        guard let colon = line.firstIndex(of: 0x3A, from: 0) else { throw .badRequest("A header line has no colon.") }
        let nameBytes = line.slice(0..<colon)
        guard ByteClass.isToken(nameBytes), let (name, role) = FieldNames.read(nameBytes) else {
            throw .badRequest("A header field name is not a token.")
        }
        var value = line.slice((colon + 1)..<line.count).trimmingWhitespace()
        var isASCII = true
        for byte in value {
            guard ByteClass.isFieldContent(byte) else {
                throw .badRequest("A header field value holds a control character.")
            }
            if byte >= 0x80 { isASCII = false }
        }
        // Octets above 0x7f are accepted, have no meaning that two parties agree on, and are not handed on.
        var isKept = isASCII
        switch role {
        case .ordinary: break
        case .contentLength: try readContentLength(value)
        case .transferEncoding: readTransferEncoding(value)
        case .host:
            guard host == nil else { throw .badRequest("There is more than one Host field.") }
            host = String(decoding: value, as: UTF8.self)
            isKept = false
        case .connection: readConnection(value)
        case .expect:
            guard expectation == .none else { throw FieldSection.repeated }
            expectation = ByteClass.equalsIgnoringCase(value, "100-continue") ? .continue100 : .unknown
        case .single(let bit):
            guard seen & bit == 0 else { throw FieldSection.repeated }
            seen |= bit
            // A field that decides something is never taken for absent: here it says nothing that anybody allows.
            if !isASCII { value = value.slice(0..<0) }
            isKept = true
        }
        if isKept { fields.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self))) }
    }

    private static let repeated = HTTPSyntaxError.badRequest("A header field that has one value came twice.")

    private mutating func readContentLength(_ value: UnsafeRawBufferPointer) throws(HTTPSyntaxError) {
        guard contentLength == nil else { throw .badRequest("There is more than one Content-Length field.") }
        guard (1...15).contains(value.count), value.allSatisfy(ByteClass.isDigit) else {
            throw .badRequest("Content-Length must be 1 to 15 digits.")
        }
        contentLength = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

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
