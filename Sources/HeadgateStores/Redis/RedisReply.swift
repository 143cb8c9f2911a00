/// Reply to one command, in RESP2.
package indirect enum RedisReply: Sendable, Equatable {
    /// A status, such as `OK`.
    case status(String)
    /// An error: a code in capitals, and text for people.
    case error(String)
    case integer(Int)
    case bytes([UInt8])
    /// Null.
    case none
    case list([RedisReply])

    /// Number in a text or integer reply; nil for any other reply.
    package var integer: Int? {
        switch self {
        case .integer(let number): number
        case .bytes(let bytes): Int(String(decoding: bytes, as: UTF8.self))
        default: nil
        }
    }

    package var text: String? {
        switch self {
        case .status(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    package var list: [RedisReply]? { if case .list(let replies) = self { replies } else { nil } }

    /// First word of an error, which identifies its kind.
    package var errorCode: String? {
        guard case .error(let text) = self else { return nil }
        return String(text.prefix { $0 != " " })
    }
}
