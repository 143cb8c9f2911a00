/// Parses JSON with the position of each value. YAML parsers read most JSON, but not its escapes beyond the first
/// Unicode plane.
struct JSONParser {
    private struct Malformed: Error {}

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses a text; nil if it is not JSON.
    static func parse(_ text: String) -> DocumentNode? {
        var parser = JSONParser(Array(text.utf8))
        parser.skipSpace()
        guard parser.peek == 0x7B, let root = try? parser.value() else { return nil }
        parser.skipSpace()
        return parser.index == parser.bytes.count ? root : nil
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }
    private var position: SourcePosition { SourcePosition(line: line, column: index - lineStart + 1) }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
            if byte == 0x0A {
                line += 1
                lineStart = index
            }
        }
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard peek == byte else { throw Malformed() }
        index += 1
    }

    private mutating func value() throws -> DocumentNode {
        skipSpace()
        let start = position
        // No document is this deep, and the stack is limited.
        guard depth < 500 else { throw Malformed() }
        depth += 1
        defer { depth -= 1 }
        switch peek {
        case 0x7B: return DocumentNode(position: start, value: .mapping(try members()))
        case 0x5B: return DocumentNode(position: start, value: .sequence(try elements()))
        case 0x22: return DocumentNode(position: start, value: .string(try string()))
        default: return DocumentNode(position: start, value: try word())
        }
    }

    private mutating func members() throws -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = []
        var names: Set<String> = []
        index += 1
        skipSpace()
        if peek == 0x7D {
            index += 1
            return []
        }
        while true {
            skipSpace()
            let start = position
            let name = try string()
            guard names.insert(name).inserted else { throw Malformed() }
            skipSpace()
            try expect(0x3A)
            members.append(DocumentNode.Member(key: name, keyPosition: start, value: try value()))
            skipSpace()
            if peek == 0x7D { break }
            try expect(0x2C)
        }
        index += 1
        return members
    }

    private mutating func elements() throws -> [DocumentNode] {
        var elements: [DocumentNode] = []
        index += 1
        skipSpace()
        if peek == 0x5D {
            index += 1
            return []
        }
        while true {
            elements.append(try value())
            skipSpace()
            if peek == 0x5D { break }
            try expect(0x2C)
        }
        index += 1
        return elements
    }

    private mutating func word() throws -> DocumentNode.Value {
        let start = index
        while let byte = peek, byte > 0x20, !",]}:".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default:
            guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil else {
                throw Malformed()
            }
            return .number(text)
        }
    }

    private mutating func string() throws -> String {
        try expect(0x22)
        let start = index
        while let byte = peek, byte != 0x22, byte != 0x5C, byte >= 0x20 { index += 1 }
        if peek == 0x22 {
            defer { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        var octets = Array(bytes[start..<index])
        while let byte = peek, byte != 0x22 {
            guard byte >= 0x20 else { throw Malformed() }
            index += 1
            if byte == 0x5C { try escape(&octets) } else { octets.append(byte) }
        }
        try expect(0x22)
        return String(decoding: octets, as: UTF8.self)
    }

    private mutating func escape(_ octets: inout [UInt8]) throws {
        guard let byte = peek else { throw Malformed() }
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: octets.append(byte)
        case UInt8(ascii: "b"): octets.append(8)
        case UInt8(ascii: "f"): octets.append(12)
        case UInt8(ascii: "n"): octets.append(10)
        case UInt8(ascii: "r"): octets.append(13)
        case UInt8(ascii: "t"): octets.append(9)
        case UInt8(ascii: "u"):
            var code = try digits()
            if (0xD800..<0xDC00).contains(code), bytes[index...].starts(with: [0x5C, UInt8(ascii: "u")]) {
                index += 2
                let low = try digits()
                guard (0xDC00..<0xE000).contains(low) else { throw Malformed() }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            octets += Array(String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8)
        default: throw Malformed()
        }
    }

    private mutating func digits() throws -> UInt32 {
        // `UInt32(_:radix:)` also accepts a sign.
        guard index + 4 <= bytes.count, bytes[index] != 0x2B, bytes[index] != 0x2D,
            let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw Malformed() }
        index += 4
        return code
    }
}
