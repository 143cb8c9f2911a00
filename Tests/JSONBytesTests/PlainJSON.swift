import JSONBytes

/// The grammar of RFC 8259, read byte by byte with one function for each rule: a slow, plain reference for the scanner.
struct PlainJSON {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var offset = 0

    /// Returns the reason why a document is refused, and the offset of the byte; nil if it is accepted.
    static func refusal(_ bytes: [UInt8], maximumDepth: Int = 128) -> JSONError? {
        var reader = PlainJSON(bytes: bytes, maximumDepth: maximumDepth)
        do throws(JSONError) {
            try reader.value(depth: 0)
            reader.space()
            if reader.offset < bytes.count { throw reader.fault() }
            return nil
        } catch {
            return error
        }
    }

    private func fault() -> JSONError { JSONError(offset < bytes.count ? .syntax : .endOfInput, at: offset) }

    private func peek() throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw fault() }
        return bytes[offset]
    }

    private mutating func space() {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) { offset += 1 }
    }

    private mutating func take(_ text: String) throws(JSONError) {
        for byte in text.utf8 {
            guard try peek() == byte else { throw fault() }
            offset += 1
        }
    }

    private mutating func value(depth: Int) throws(JSONError) {
        space()
        switch try peek() {
        case UInt8(ascii: "{"): try container("}", depth: depth, isObject: true)
        case UInt8(ascii: "["): try container("]", depth: depth, isObject: false)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try take("true")
        case UInt8(ascii: "f"): try take("false")
        case UInt8(ascii: "n"): try take("null")
        default: try number()
        }
    }

    private mutating func container(_ end: Unicode.Scalar, depth: Int, isObject: Bool) throws(JSONError) {
        guard depth < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
        offset += 1
        space()
        if try peek() == UInt8(ascii: end) {
            offset += 1
            return
        }
        while true {
            if isObject {
                space()
                guard try peek() == UInt8(ascii: "\"") else { throw fault() }
                try string()
                space()
                try take(":")
            }
            try value(depth: depth + 1)
            space()
            let next = try peek()
            guard next == UInt8(ascii: ",") || next == UInt8(ascii: end) else { throw fault() }
            offset += 1
            if next == UInt8(ascii: end) { return }
        }
    }

    private mutating func string() throws(JSONError) {
        offset += 1
        while true {
            switch try peek() {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw fault()
            case 0x80...: try character()
            default: offset += 1
            }
        }
    }

    private mutating func escape() throws(JSONError) {
        offset += 1
        let letter = try peek()
        guard "\"\\/bfnrtu".utf8.contains(letter) else { throw fault() }
        offset += 1
        guard letter == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard "0123456789abcdefABCDEF".utf8.contains(try peek()) else { throw fault() }
            offset += 1
        }
    }

    /// Consumes one character beyond ASCII, whose bytes are the encoding of a scalar.
    private mutating func character() throws(JSONError) {
        let start = offset
        var decoder = UTF8()
        var rest = bytes[offset...].prefix(4).makeIterator()
        if case .scalarValue(let scalar) = decoder.decode(&rest) {
            offset += UTF8.width(scalar)
            return
        }
        // More bytes can help only if the present ones begin a character.
        let isCut = bytes.count - start < 4 && PlainJSON.begins(Array(bytes[start...]))
        throw isCut ? JSONError(.endOfInput, at: bytes.count) : JSONError(.invalidUTF8, at: start)
    }

    /// Returns whether these bytes are a proper prefix of a scalar's encoding.
    private static func begins(_ part: [UInt8]) -> Bool {
        let seconds: [UInt8] = [0x80, 0x90, 0xA0]
        let tails = seconds.flatMap { second in (0..<3).map { [second] + [UInt8](repeating: 0x80, count: $0) } }
        return tails.contains { tail in
            var decoder = UTF8()
            var iterator = (part + tail).makeIterator()
            guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return false }
            return UTF8.width(scalar) == part.count + tail.count
        }
    }

    private mutating func number() throws(JSONError) {
        let start = offset
        if try peek() == UInt8(ascii: "-") { offset += 1 }
        if try peek() == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if "+-".utf8.contains(try peek()) { offset += 1 }
            try digits()
        }
        if offset - start > JSONCursor.longestNumber { throw JSONError(.longNumber, at: start) }
    }

    private mutating func digits() throws(JSONError) {
        guard (0x30...0x39).contains(try peek()) else { throw fault() }
        while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) { offset += 1 }
    }
}
