/// The boundary of a `multipart/form-data` body, from its content type.
package struct MultipartBoundary: Sendable, Equatable {
    let bytes: [UInt8]

    /// - Parameter contentType: the value of the field.
    /// - Returns: nil for another type, and where the boundary is missing, given twice, longer than 70 characters, of
    ///   characters that it cannot have, or in quotes of another parser.
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

    /// The content type with this boundary, and nothing else.
    package var contentType: String {
        "multipart/form-data; boundary=" + (bytes.allSatisfy(FieldParameters.isToken) ? text : "\"\(text)\"")
    }

    /// Whether another parser might take its ends for quotes.
    private static func hasQuotes(_ boundary: [UInt8]) -> Bool {
        [boundary.first, boundary.last].contains { $0.map(FieldParameters.Parameter.isQuoteOfOthers) ?? false }
    }

    /// RFC 2046, without the space.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "'()+_,-./:=?".utf8.contains(byte)
        }
    }
}
