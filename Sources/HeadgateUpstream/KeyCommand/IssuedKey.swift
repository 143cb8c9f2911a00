package import HeadgateConfiguration
internal import JSONBytes

/// Key that a program printed.
package struct IssuedKey: Sendable, Equatable {
    package let value: Secret
    /// End of its validity, in seconds since 1970; nil if the program did not state one.
    package let expiry: Int64?

    package init(_ value: Secret, expiry: Int64? = nil) {
        self.value = value
        self.expiry = expiry
    }

    /// Reads the output of a program: one line of text, or a JSON object with `token` and optionally `expires_at` (RFC
    /// 3339, or seconds since 1970).
    ///
    /// - Throws: the fault, whose text contains nothing of the output.
    static func read(_ output: [UInt8]) throws(Fault) -> IssuedKey {
        let text = output.drop(while: isSpace)
        guard let first = text.first else { throw .empty }
        if first == UInt8(ascii: "{") { return try readJSON(output) }
        var line = output[...]
        if line.last == 0x0A { line.removeLast() }
        if line.last == 0x0D { line.removeLast() }
        return IssuedKey(try secret(Array(line)))
    }

    private static func readJSON(_ document: [UInt8]) throws(Fault) -> IssuedKey {
        let members: (token: String?, expiry: String?)
        do {
            members = try document.withUnsafeBytes { try IssuedKey.members(of: $0) }
        } catch {
            throw .notJSON
        }
        guard let token = members.token else { throw .noToken }
        guard let expiry = members.expiry else { return IssuedKey(try secret(Array(token.utf8))) }
        // Some programs write seconds as text, or with a fraction.
        let seconds = Double(expiry).flatMap { Int64(exactly: $0.rounded(.down)) }
        guard let end = seconds ?? (try? RFC3339Date.unixSeconds(expiry)) else { throw .badExpiry }
        return IssuedKey(try secret(Array(token.utf8)), expiry: end)
    }

    private static func members(
        of document: UnsafeRawBufferPointer
    ) throws -> (token: String?, expiry: String?) {
        var cursor = JSONCursor(document)
        var (token, expiry): (String?, String?)
        try cursor.beginObject()
        while let name = try cursor.nextKey() {
            let isToken = cursor.equals(name, "token")
            guard isToken || cursor.equals(name, "expires_at"), try cursor.kind() != .null else {
                try cursor.skipValue()
                continue
            }
            if isToken {
                token = cursor.decoded(try cursor.string())
            } else if try cursor.kind() == .number {
                let number = try cursor.skipValue()
                expiry = String(decoding: cursor.bytes(in: number), as: UTF8.self)
            } else {
                expiry = cursor.decoded(try cursor.string())
            }
        }
        try cursor.finish()
        return (token, expiry)
    }

    private static func secret(_ bytes: [UInt8]) throws(Fault) -> Secret {
        guard !bytes.isEmpty else { throw .empty }
        guard !bytes.contains(0x0A) else { throw .severalLines }
        guard bytes.count <= longestKey, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .notAKey }
        return Secret(bytes)
    }

    private static let longestKey = 16 << 10

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Reason why an output is not a key. The text completes "the key command ...".
    enum Fault: String, Error {
        case empty = "printed nothing"
        case severalLines = "printed several lines: a key is one line, or JSON {token, expires_at}"
        case notAKey = "printed something that is not a key: visible ASCII of at most 16 KiB, without spaces"
        case notJSON = "printed '{' and then no valid JSON object of {token, expires_at}"
        case noToken = "printed JSON without a 'token'"
        case badExpiry = "printed an 'expires_at' that is neither an RFC 3339 time nor seconds since 1970"
    }
}
