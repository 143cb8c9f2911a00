/// A file of the pages that is part of the program.
struct WebAsset: Sendable {
    /// Media type, for `Content-Type`.
    let type: String
    /// Hexadecimal digest of ``text``, for `ETag`.
    let digest: String
    let text: String

    var bytes: [UInt8] { Array(text.utf8) }

    static let script = "text/javascript; charset=utf-8"
    static let style = "text/css; charset=utf-8"
    static let html = "text/html; charset=utf-8"
    static let svg = "image/svg+xml"
}
