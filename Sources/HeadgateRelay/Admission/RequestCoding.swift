internal import HTTPTypes
internal import HeadgateCoding
package import HeadgateHTTP

/// Decoder of a request's body.
package struct RequestCoding: Sendable {
    /// Content encoding of the body; nil if it has none.
    private let coding: ContentCoding?
    /// Maximum bytes of the decoded body.
    private let limit: Int

    package init(_ metadata: ServerRequestMetadata, limit: Int? = nil) {
        coding = metadata.bodyCoding
        self.limit = limit ?? metadata.bodyLimit
    }

    /// Whether the body must be decoded.
    var isCoded: Bool { coding != nil }

    /// Decodes a body, which takes up to some milliseconds per megabyte.
    package func plain(_ body: [UInt8]) throws(GatewayError) -> [UInt8] {
        guard let coding else { return body }
        do throws(ContentCodingError) {
            return try ContentDecoder.decode(body, coding, limit: limit)
        } catch {
            throw RequestCoding.refusal(of: error)
        }
    }

    private static func refusal(of error: ContentCodingError) -> GatewayError {
        switch error {
        case .tooLarge(let limit): .syntax(.bodyTooLarge(limit: limit))
        case .outOfMemory: .bodyMemory
        case .suspiciousRatio: .invalidRequest(413, message(error), cause: .bodyTooLarge)
        case .malformed, .truncated, .windowTooLarge: .invalidRequest(400, message(error))
        }
    }

    private static func message(_ error: ContentCodingError) -> String {
        "The request cannot be read as its Content-Encoding says: \(error.explanation)."
    }
}

extension GatewayError {
    static let unknownCoding = GatewayError.invalidRequest(
        415, "The request's Content-Encoding may be gzip, deflate or zstd, and one of them alone.",
        headerFields: [.acceptEncoding: "gzip, deflate, zstd"])
}
