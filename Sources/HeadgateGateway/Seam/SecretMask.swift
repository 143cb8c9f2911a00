internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import JSONBytes

/// Mask that replaces every secret that the gateway knows with `***`, in text, headers and JSON.
struct SecretMask: Sendable {
    private static let mark = "***"
    /// Headers whose values are always treated as credentials.
    private static let credentials: Set<String> = [
        "authorization", "proxy-authorization", "x-api-key", "api-key", "cookie", "set-cookie", "set-cookie2",
        "x-goog-api-key", "x-auth-token", "x-amz-security-token",
    ]

    /// Returns the lower-case names of headers whose values are secrets: credentials, and headers of the configuration.
    static func names(of headers: [HeaderConfiguration]) -> Set<String> {
        credentials.union(headers.map(\.name.lowercasedASCII).filter { !SecretRedaction.isPublic($0) })
    }

    private let redaction: SecretRedaction
    /// Lower-case names of headers whose values are secrets.
    private let names: Set<String>

    /// - Parameter client: the headers of the client's request; the client's key is a secret too.
    init(_ definitions: [UpstreamDefinition], client: HeadFields? = nil) {
        let headers = definitions.flatMap(\.configuration.headers)
        // The key follows the authentication scheme, if there is one.
        let keys = [client?.value(of: .xAPIKey), client?.value(of: .authorization)].compactMap { value in
            value?.split(separator: " ").last.map { Secret(String($0)) }
        }
        redaction = SecretRedaction(keys: definitions.flatMap(\.knownKeys) + keys, headers: headers)
        names = SecretMask.names(of: headers)
    }

    func masked(_ text: String) -> String { redaction.masked(text) ?? text }

    /// Replaces every byte of a secret with a star, in text or in JSON that can be cut.
    func hide(in body: inout [UInt8]) { _ = redaction.star(&body) }

    /// Returns the masked value of a header. The `Bearer` scheme of a credential is preserved.
    func value(of field: HTTPField) -> String {
        guard names.contains(field.name.canonicalName) else { return masked(field.value) }
        let isBearer = field.name == .authorization && field.value.lowercasedASCII.hasPrefix("bearer ")
        return isBearer ? "Bearer \(SecretMask.mark)" : SecretMask.mark
    }

    /// Returns the document with every string, number and word that contains a secret masked, however it is escaped.
    ///
    /// - Parameter document: valid JSON.
    func masked(json document: [UInt8]) -> [UInt8] {
        document.withUnsafeBytes { bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
                let (token, text) = SecretMask.token(at: rest)
                if let masked = text.flatMap(redaction.masked) {
                    JSONEscaping.append(masked, to: &output)
                } else {
                    output.append(contentsOf: rest[..<token])
                }
                index += token
            }
            return output
        }
    }

    /// Returns the length of the next token of valid JSON, and its text if it is a string, a number or a word.
    private static func token(at rest: UnsafeRawBufferPointer) -> (count: Int, text: String?) {
        if rest[0] == UInt8(ascii: "\"") {
            var cursor = JSONCursor(rest)
            guard let string = try? cursor.string() else { return (rest.count, nil) }
            return (string.literal.upperBound, cursor.decoded(string))
        }
        let count = rest.firstIndex(where: isBetween) ?? rest.count
        guard count > 0 else { return (1, nil) }
        return (count, String(decoding: rest[..<count], as: UTF8.self))
    }

    /// Returns whether a byte ends a number or a word, as white space and punctuation do.
    private static func isBetween(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: ","), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
