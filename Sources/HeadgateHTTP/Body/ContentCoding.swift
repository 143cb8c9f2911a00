/// Content codings (RFC 9110 8.4.1) that can be decoded.
@usableFromInline package enum ContentCoding: Equatable, Sendable {
    case identity
    case gzip
    /// The zlib format, or a bare deflate stream: peers send both under this name.
    case deflate
    /// Zstandard (RFC 8878).
    case zstd

    /// Reads the value of a `Content-Encoding` header; nil for an unsupported coding, such as `br`, and for several
    /// codings.
    package init?(_ fieldValue: String) {
        var found = ContentCoding.identity
        for part in fieldValue.split(separator: ",") {
            let name = part.drop(while: ContentCoding.isSpace).reversed().drop(while: ContentCoding.isSpace).reversed()
            let coding: ContentCoding
            switch String(name).lowercased() {
            case "", "identity": continue
            case "gzip", "x-gzip": coding = .gzip
            case "deflate": coding = .deflate
            case "zstd": coding = .zstd
            default: return nil
            }
            guard found == .identity else { return nil }
            found = coding
        }
        self = found
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}
