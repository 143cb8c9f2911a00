/// Head of a part (RFC 7578).
package struct MultipartPartHead: Equatable, Sendable {
    package let name: String
    /// Whether the part has a file name.
    package let isFile: Bool
    /// File name as the client wrote it; nil without one in ASCII or UTF-8.
    package private(set) var filename: String?
    /// Header lines, each with its line end.
    private var lines: [UInt8] = []

    /// - Parameter head: header lines, each with its line end.
    init(head: [UInt8]) throws(MultipartError) {
        var disposition: MultipartPartHead?
        for line in try MultipartPartHead.lines(of: head) {
            guard let colon = line.firstIndex(of: 0x3A), line.startIndex < colon,
                line[..<colon].allSatisfy(FieldParameters.isToken)
            else { throw .head }
            let value = line[(colon + 1)...]
            switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
            case "content-disposition":
                guard disposition == nil else { throw .disposition }
                disposition = try MultipartPartHead(disposition: value)
            case "content-transfer-encoding":
                var scanner = FieldParameters(value)
                guard ["7bit", "8bit", "binary"].contains(scanner.word()), scanner.isAtEnd else { throw .encoding }
            default: break
            }
        }
        guard let disposition else { throw .disposition }
        self = disposition
        lines = head
    }

    /// Headers of the part, in order.
    package var headers: [(name: String, value: String)] {
        lines.split(separator: 0x0A).compactMap { line in
            guard let colon = line.firstIndex(of: 0x3A) else { return nil }
            let value = line[(colon + 1)...].dropLast().drop { $0 == 0x20 || $0 == 0x09 }
            return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    private init(disposition: ArraySlice<UInt8>) throws(MultipartError) {
        var scanner = FieldParameters(disposition)
        guard scanner.word() == "form-data" else { throw .disposition }
        var name: [UInt8]?
        var known: Set<String> = []
        while let parameter = scanner.next() {
            guard ["name", "filename", "filename*"].contains(parameter.name), known.insert(parameter.name).inserted
            else { throw .disposition }
            // A file name can contain quotes of other parsers if it is in double quotes itself.
            let mayHoldQuotes = parameter.name == "filename*" || parameter.name == "filename" && parameter.isQuoted
            guard mayHoldQuotes || !parameter.holdsQuotesOfOthers else { throw .disposition }
            if parameter.name == "name" { name = parameter.value }
            if parameter.name == "filename" { filename = String(decoding: parameter.value, as: UTF8.self) }
        }
        guard scanner.isAtEnd, let name, !name.isEmpty, name.allSatisfy(MultipartPartHead.isPlain) else {
            throw .disposition
        }
        self.name = String(decoding: name, as: UTF8.self)
        isFile = known.count > 1
    }

    /// Returns whether a byte is printable ASCII that no parser reads as an escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != 0x5C && byte != 0x25
    }

    /// Returns the lines without their ends, and refuses control characters other than HTAB. A line that continues the
    /// previous one has no valid name, and is refused later.
    private static func lines(of head: [UInt8]) throws(MultipartError) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = head[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: 0x0D), end + 1 < rest.endIndex, rest[end + 1] == 0x0A else {
                throw .head
            }
            let line = rest[..<end]
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .head }
            lines.append(line)
            rest = rest[(end + 2)...]
        }
        return lines
    }
}
