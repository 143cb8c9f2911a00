/// Parameter of a statement, which casts it to its type.
enum PostgreSQLValue {
    case integer(Int64)
    case text(String)
    case null

    /// Text that is sent; nil for NULL.
    var text: String? {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text
        case .null: nil
        }
    }

    /// Returns an array of numbers.
    static func integers(_ numbers: some Sequence<Int64?>) -> PostgreSQLValue {
        .text("{\(numbers.map { $0.map { "\($0)" } ?? "NULL" }.joined(separator: ","))}")
    }

    /// Returns an array of texts. A NUL, which PostgreSQL cannot store, becomes U+FFFD, as does invalid UTF-8.
    static func texts<Texts: Sequence>(_ texts: Texts) -> PostgreSQLValue where Texts.Element: Sequence<UInt8> {
        var array = Array("{".utf8)
        for text in texts {
            if array.count > 1 { array.append(UInt8(ascii: ",")) }
            array.append(UInt8(ascii: "\""))
            for byte in text {
                switch byte {
                case 0: array += Array("\u{FFFD}".utf8)
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): array += [UInt8(ascii: "\\"), byte]
                default: array.append(byte)
                }
            }
            array.append(UInt8(ascii: "\""))
        }
        array.append(UInt8(ascii: "}"))
        return .text(String(decoding: array, as: UTF8.self))
    }
}

/// NUL-terminated texts in one piece of memory.
struct TextArray {
    private var octets: [CChar] = []
    private var places: [Int?] = []

    /// - Parameter texts: texts without NUL; nil for a null pointer.
    init(_ texts: [String?]) {
        for text in texts {
            places.append(text == nil ? nil : octets.count)
            guard let text else { continue }
            octets += text.utf8.lazy.map { CChar(bitPattern: $0) }
            octets.append(0)
        }
    }

    /// Lends pointers to the texts, followed by a null pointer.
    func withPointers<Value>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
        octets.withUnsafeBufferPointer { octets in
            let pointers =
                places.map { place in
                    place.flatMap { place in octets.baseAddress.map { $0 + place } }
                } + [nil]
            return pointers.withUnsafeBufferPointer { pointers in
                guard let start = pointers.baseAddress else { preconditionFailure("an array is somewhere") }
                return body(start)
            }
        }
    }
}
