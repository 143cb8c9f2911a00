/// The reason why an encoded body is rejected.
package enum ContentCodingError: Error, Equatable, Sendable {
    /// The bytes are not valid in the coding, or continue after its end.
    case malformed
    /// The body ended inside the encoded data.
    case truncated
    /// The decoded body exceeds its limit.
    case tooLarge(limit: Int)
    /// The body grows so much that it is probably a decompression bomb.
    case suspiciousRatio
    /// The body refers back further than RFC 9659 allows.
    case windowTooLarge
    case outOfMemory

    /// A description for the log, without any content of the body.
    package var explanation: String {
        switch self {
        case .malformed: "the compressed body is malformed"
        case .truncated: "the compressed body ends too early"
        case .tooLarge(let limit): "the compressed body grows beyond \(limit) bytes"
        case .suspiciousRatio:
            "the compressed body grows more than \(ContentDecoder.highestRatio) times: a decompression bomb"
        case .windowTooLarge: "the compressed body needs a window of more than 8 MiB"
        case .outOfMemory: "there is no memory to decompress the body"
        }
    }
}
