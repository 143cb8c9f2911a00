package import HeadgateConfiguration
internal import HeadgatePrimitives

/// Removes an upstream's secrets from text that it sends: unchanged, percent-encoded, in base64, and in pieces.
///
/// Created once per upstream. A text is searched unchanged and percent-decoded, each time in one pass that looks up
/// every run of ``pieceLength`` bytes. Only secrets shorter than that are searched for one by one.
package struct SecretRedaction: Sendable {
    /// Shorter pieces of a secret do not help an attacker to guess the rest.
    static let pieceLength = 16
    /// Shorter header values are probably ordinary words.
    private static let minimumHeader = 8
    private static let minimumKey = 4
    private static let mark = Array("[redacted]".utf8)
    private static let stars = Array("***".utf8)

    /// Every run of ``pieceLength`` bytes of the longer secrets, and of their forms in base64.
    private var pieces: Set<Piece> = []
    /// Shorter secrets, stored whole. The longest come first, because one can be a prefix of another.
    private var words: [[UInt8]] = []

    /// - Parameters:
    ///   - keys: the keys with which the gateway authenticates itself.
    ///   - headers: the headers that the configuration adds; their values can be secrets.
    package init(keys: [Secret], headers: [HeaderConfiguration] = []) {
        for secret in SecretRedaction.secrets(keys: keys, headers: headers) { add(secret) }
        words.sort { $0.count > $1.count }
    }

    /// Returns the keys, and the values of headers that can be secret. Texts that are too short for a secret are left
    /// out.
    static func secrets(keys: [Secret], headers: [HeaderConfiguration]) -> [[UInt8]] {
        var secrets = keys.map { Array($0.reveal().utf8) }.filter { $0.count >= SecretRedaction.minimumKey }
        for header in headers where !SecretRedaction.isPublic(header.name) {
            let value = header.value
            guard value.utf8.count >= SecretRedaction.minimumHeader else { continue }
            secrets.append(Array(value.utf8))
            // An upstream can echo the token of `Bearer TOKEN` without the scheme.
            if let space = value.utf8.firstIndex(of: 0x20) {
                let token = Array(value.utf8[value.utf8.index(after: space)...])
                if token.count >= SecretRedaction.minimumHeader, !token.contains(0x20) { secrets.append(token) }
            }
        }
        return secrets
    }

    /// Whether the value of a header is not a secret, such as a version or the name of an app. An error such as
    /// "unknown beta: ..." would be useless without it.
    package static func isPublic(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        return publicNames.contains(name) || name.hasSuffix("-version") || name.hasSuffix("-beta")
    }

    private static let publicNames: Set<String> = ["app-os", "client-id", "http-referer", "user-agent", "x-title"]

    private mutating func add(_ secret: [UInt8]) {
        addForm(secret)
        for offset in 0..<3 {
            let form = Base64Form.core(of: secret, offset: offset)
            // Shorter forms occur in ordinary text.
            if form.count >= SecretRedaction.minimumHeader { addForm(form) }
        }
    }

    private mutating func addForm(_ form: [UInt8]) {
        guard form.count >= SecretRedaction.pieceLength else { return words.append(form) }
        form.withUnsafeBytes { bytes in
            for start in 0...(bytes.count - SecretRedaction.pieceLength) { pieces.insert(Piece(bytes, at: start)) }
        }
    }

    /// Returns the text without the secrets, cut at the limit. A secret that begins before the limit is removed
    /// whole.
    ///
    /// - Parameter limit: in bytes.
    func redacted(_ text: String, limit: Int) -> String {
        guard !(pieces.isEmpty && words.isEmpty) else {
            return String(decoding: text.utf8.prefix(limit), as: UTF8.self)
        }
        // Enough to find a secret that begins before the limit, even with every byte percent-encoded.
        let bytes = Array(text.utf8.prefix(limit + 3 * SecretRedaction.pieceLength))
        let output = SecretRedaction.replacing(
            secretOctets(of: bytes), in: bytes, by: SecretRedaction.mark, limit: limit)
        return String(decoding: output.prefix(limit), as: UTF8.self)
    }

    /// Returns the whole text with `***` instead of each secret; nil for a text without any.
    package func masked(_ text: String) -> String? {
        guard !(pieces.isEmpty && words.isEmpty) else { return nil }
        let bytes = Array(text.utf8)
        let secret = secretOctets(of: bytes)
        guard secret.contains(true) else { return nil }
        let output = SecretRedaction.replacing(secret, in: bytes, by: SecretRedaction.stars, limit: bytes.count)
        return String(decoding: output, as: UTF8.self)
    }

    /// Replaces every byte of each secret with a star, including bytes that are escaped in JSON.
    ///
    /// - Returns: whether there was a secret.
    package func star(_ bytes: inout [UInt8]) -> Bool {
        guard !(pieces.isEmpty && words.isEmpty) else { return false }
        var secret = secretOctets(of: bytes)
        if bytes.contains(UInt8(ascii: "\\")) {
            let unescaped = DecodedText(unescaping: bytes)
            find(in: unescaped.bytes) { unescaped.mark($0, in: &secret) }
        }
        guard secret.contains(true) else { return false }
        for index in bytes.indices where secret[index] { bytes[index] = UInt8(ascii: "*") }
        return true
    }

    /// Replaces every run of secret bytes with the mark.
    ///
    /// - Parameter limit: the number of bytes to read.
    private static func replacing(_ secret: [Bool], in bytes: [UInt8], by mark: [UInt8], limit: Int) -> [UInt8] {
        var output: [UInt8] = []
        var isInside = false
        for index in bytes.indices where index < limit {
            if secret[index] {
                if !isInside { output.append(contentsOf: mark) }
            } else {
                output.append(bytes[index])
            }
            isInside = secret[index]
        }
        return output
    }

    /// Returns for each byte whether it belongs to a secret.
    private func secretOctets(of bytes: [UInt8]) -> [Bool] {
        var marks = [Bool](repeating: false, count: bytes.count)
        find(in: bytes) { for index in $0 { marks[index] = true } }
        if bytes.contains(0x25) {
            let decoded = DecodedText(percentDecoding: bytes)
            find(in: decoded.bytes) { decoded.mark($0, in: &marks) }
        }
        return marks
    }

    private func find(in reading: [UInt8], _ found: (Range<Int>) -> Void) {
        search(reading, found)
        // Base64url is mapped to base64 and searched again. Text with neither `-` nor `_` is the same in both.
        guard reading.contains(where: { $0 == 0x2D || $0 == 0x5F }) else { return }
        search(reading.map(Base64Form.standard), found)
    }

    private func search(_ reading: [UInt8], _ found: (Range<Int>) -> Void) {
        reading.withUnsafeBytes { bytes in
            for start in bytes.indices {
                let end = start + SecretRedaction.pieceLength
                if end <= bytes.count, !pieces.isEmpty, pieces.contains(Piece(bytes, at: start)) { found(start..<end) }
                for word in words where word[0] == bytes[start] {
                    let end = start + word.count
                    if end <= bytes.count, bytes[start..<end].elementsEqual(word) { found(start..<end) }
                }
            }
        }
    }
}

/// Run of sixteen bytes.
private struct Piece: Hashable {
    private let first: UInt64
    private let second: UInt64

    init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        first = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
    }
}

/// Base64 (RFC 4648 section 4) of bytes inside a longer input.
private enum Base64Form {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the characters that depend only on these bytes.
    ///
    /// - Parameter offset: the number of bytes before them in their group of three.
    static func core(of octets: [UInt8], offset: Int) -> [UInt8] {
        // Bits before the first whole character, counted from the first byte.
        let skipped = [0, 4, 2][offset]
        var characters: [UInt8] = []
        var bit = skipped
        while bit + 6 <= octets.count * 8 {
            let index = bit / 8
            let next = index + 1 < octets.count ? octets[index + 1] : 0
            let pair = UInt16(octets[index]) << 8 | UInt16(next)
            characters.append(alphabet[Int(pair >> UInt16(10 - bit % 8)) & 63])
            bit += 6
        }
        return characters
    }

    /// Maps a character of the URL-safe alphabet to the standard one.
    static func standard(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x2D: 0x2B
        case 0x5F: 0x2F
        default: byte
        }
    }
}
