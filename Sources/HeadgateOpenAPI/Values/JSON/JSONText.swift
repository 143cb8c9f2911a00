/// JSON that values write as bytes. The result equals that of a `JSONEncoder` with sorted keys and unescaped slashes,
/// in a fraction of the time.
public struct JSONText {
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    public init() { bytes.reserveCapacity(256) }

    /// Begins an object. Its members must follow in the order of their names' bytes.
    public mutating func beginObject() { open(0x7B) }

    /// Ends an object.
    public mutating func endObject() { close(0x7D) }

    /// Writes a member of an object. The name must be escaped for JSON.
    @inlinable
    public mutating func member(_ name: StaticString, _ value: some JSONWritable) throws {
        beginMember(name)
        try value.write(to: &self)
        endValue()
    }

    /// Writes a member, unless the value is nil.
    @inlinable
    public mutating func member(_ name: StaticString, ifPresent value: (some JSONWritable)?) throws {
        if let value { try member(name, value) }
    }

    @inlinable
    mutating func list(_ elements: some Sequence<some JSONWritable>) throws {
        open(0x5B)
        for element in elements {
            beginElement()
            try element.write(to: &self)
            endValue()
        }
        close(0x5D)
    }

    /// Writes a value by `Codable`, for the few types whose members come from several values.
    ///
    /// - Throws: An error of encoding.
    public mutating func encode(_ value: some Encodable) throws { bytes += try JSONBody.encode(value) }

    // MARK: Parts

    @usableFromInline
    mutating func beginMember(_ name: StaticString) {
        beginElement()
        bytes.append(0x22)
        append(literal: name)
        bytes.append(0x22)
        bytes.append(0x3A)
    }

    mutating func beginMember(named name: String) {
        beginElement()
        append(name)
        bytes.append(0x3A)
    }

    @usableFromInline
    mutating func beginElement() { if needsComma { bytes.append(0x2C) } }

    @usableFromInline
    mutating func endValue() { needsComma = true }

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) { bytes.append(bracket) }

    @usableFromInline
    mutating func appendNull() { append(literal: "null") }

    // MARK: Scalars

    mutating func append(literal text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

    /// - Throws: `EncodingError` if the number cannot be expressed in JSON.
    mutating func append(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws {
        guard number.isFinite else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "JSON has no number \(number)")
            throw EncodingError.invalidValue(number, context)
        }
        let text = number.description
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
    }

    mutating func append(_ text: String) {
        var text = text
        bytes.append(0x22)
        text.withUTF8 { octets in
            if octets.contains(where: JSONText.needsEscape) {
                for octet in octets { escape(octet) }
            } else {
                bytes.append(contentsOf: octets)
            }
        }
        bytes.append(0x22)
    }

    private static func needsEscape(_ octet: UInt8) -> Bool { octet < 0x20 || octet == 0x22 || octet == 0x5C }

    private mutating func escape(_ octet: UInt8) {
        switch octet {
        case 0x22, 0x5C: bytes += [0x5C, octet]
        case 0x08: bytes += [0x5C, 0x62]
        case 0x09: bytes += [0x5C, 0x74]
        case 0x0A: bytes += [0x5C, 0x6E]
        case 0x0C: bytes += [0x5C, 0x66]
        case 0x0D: bytes += [0x5C, 0x72]
        case 0..<0x20:
            append(literal: #"\u00"#)
            bytes += [0x30 + octet >> 4, octet & 15 < 10 ? 0x30 + octet & 15 : 0x57 + octet & 15]
        default: bytes.append(octet)
        }
    }
}
