/// The lines of a TOML file that begin a table or set a key. Values are not parsed.
struct TOMLOutline {
    enum Line: Equatable {
        /// The dotted name of `[table]` or `[[tables]]`, without quotes and spaces.
        case table(String)
        /// The dotted key, and whether the value ends on its line.
        case key(String, isWhole: Bool)
        /// A comment, a blank line or the rest of a value.
        case other
    }

    /// One item for each line of the text.
    let lines: [Line]

    init(_ text: [String]) throws(EditRefusal) {
        var state = TOMLValueState()
        var lines: [Line] = []
        for (index, line) in text.enumerated() {
            let trimmed = TextLines.trimmed(line)
            if !state.isComplete {
                state.read(line)
                lines.append(.other)
            } else if trimmed.isEmpty || trimmed.utf8.first == UInt8(ascii: "#") {
                lines.append(.other)
            } else if trimmed.utf8.first == UInt8(ascii: "[") {
                lines.append(.table(try TOMLOutline.table(trimmed, index)))
            } else {
                let (key, value) = try TOMLOutline.key(trimmed, index)
                state.read(value)
                lines.append(.key(key, isWhole: state.isComplete))
            }
        }
        guard state.isComplete else { throw EditRefusal("is not valid TOML: the value at its end is not closed") }
        self.lines = lines
    }

    private static func table(_ line: String, _ index: Int) throws(EditRefusal) -> String {
        let bytes = Array(line.utf8)
        let brackets = bytes.prefix { $0 == UInt8(ascii: "[") }.count
        guard let close = name(in: bytes[brackets...], upTo: UInt8(ascii: "]")) else { throw invalid(index) }
        return normalised(bytes[brackets..<close])
    }

    private static func key(_ line: String, _ index: Int) throws(EditRefusal) -> (String, value: String) {
        let bytes = Array(line.utf8)
        guard let equals = name(in: bytes[...], upTo: UInt8(ascii: "=")), equals > 0 else { throw invalid(index) }
        return (normalised(bytes[..<equals]), String(decoding: bytes[(equals + 1)...], as: UTF8.self))
    }

    /// Returns the end of a name: the index of the first byte `end` that is outside quotes.
    private static func name(in bytes: ArraySlice<UInt8>, upTo end: UInt8) -> Int? {
        var quote: UInt8?
        for index in bytes.indices {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == end {
                return index
            }
        }
        return nil
    }

    private static func normalised(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.filter { !" \t\"'".utf8.contains($0) }, as: UTF8.self)
    }

    private static func invalid(_ index: Int) -> EditRefusal {
        EditRefusal("is not valid TOML at line \(index + 1)")
    }
}

/// The state of a TOML value that can continue over several lines: a long string, an array or an inline table.
struct TOMLValueState {
    private enum Quote { case basic, literal, longBasic, longLiteral }

    private var quote: Quote?
    private var depth = 0

    var isComplete: Bool { quote == nil && depth <= 0 }

    mutating func read(_ line: String) {
        let bytes = Array(line.utf8)
        var index = 0
        func isTriple(_ byte: UInt8) -> Bool {
            index + 2 < bytes.count && bytes[index + 1] == byte && bytes[index + 2] == byte
        }
        while index < bytes.count {
            let byte = bytes[index]
            switch (quote, byte) {
            case (nil, UInt8(ascii: "#")): return
            case (nil, UInt8(ascii: "[")), (nil, UInt8(ascii: "{")): depth += 1
            case (nil, UInt8(ascii: "]")), (nil, UInt8(ascii: "}")): depth -= 1
            case (nil, UInt8(ascii: "\"")), (nil, UInt8(ascii: "'")):
                let isBasic = byte == UInt8(ascii: "\"")
                if isTriple(byte) {
                    quote = isBasic ? .longBasic : .longLiteral
                    index += 2
                } else {
                    quote = isBasic ? .basic : .literal
                }
            case (.basic, UInt8(ascii: "\\")), (.longBasic, UInt8(ascii: "\\")): index += 1
            case (.basic, UInt8(ascii: "\"")), (.literal, UInt8(ascii: "'")): quote = nil
            case (.longBasic, UInt8(ascii: "\"")) where isTriple(byte),
                (.longLiteral, UInt8(ascii: "'")) where isTriple(byte):
                quote = nil
                index += 2
            default: break
            }
            index += 1
        }
        // A single-line string ends with its line.
        if quote == .basic || quote == .literal { quote = nil }
    }
}
