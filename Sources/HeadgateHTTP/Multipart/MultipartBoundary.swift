/// Boundary of a `multipart/form-data` body, from its content type.
package struct MultipartBoundary: Sendable, Equatable {
    let bytes: [UInt8]

    /// - Parameter contentType: the value of the `Content-Type` header.
    /// - Returns: nil for another type. Also nil if the boundary is missing, given twice, or longer than 70 characters,
    ///   contains characters that are not allowed, or is in quotes of another parser.
    package init?(contentType: String) {
        var scanner = FieldParameters(contentType)
        guard scanner.word() == "multipart/form-data" else { return nil }
        var found: [UInt8]?
        while let parameter = scanner.next() {
            guard parameter.name == "boundary" else { continue }
            guard found == nil, !MultipartBoundary.hasQuotes(parameter.value) else { return nil }
            found = parameter.value
        }
        guard scanner.isAtEnd, let found, (1...70).contains(found.count), found.allSatisfy(Self.isAllowed) else {
            return nil
        }
        bytes = found
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Content type with this boundary, and nothing else.
    package var contentType: String {
        "multipart/form-data; boundary=" + (bytes.allSatisfy(FieldParameters.isToken) ? text : "\"\(text)\"")
    }

    /// Returns whether another parser might take the ends of a boundary for quotes.
    private static func hasQuotes(_ boundary: [UInt8]) -> Bool {
        [boundary.first, boundary.last].contains { $0.map(FieldParameters.Parameter.isQuoteOfOthers) ?? false }
    }

    /// Returns whether RFC 2046 allows the byte in a boundary; the space is excluded.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "'()+_,-./:=?".utf8.contains(byte)
        }
    }
}
