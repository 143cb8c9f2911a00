/// Reads a SHA-256 digest: 64 hexadecimal digits, 32 bytes.
enum Digest {
    static let expected = "64 hexadecimal digits, the SHA-256 of the key: printf %s \"$KEY\" | sha256sum"

    static func parse(_ text: String) throws(InvalidValue) -> [UInt8] {
        let digits = text.utf8.compactMap(ASCII.hexadecimal)
        guard digits.count == 64, text.utf8.count == 64 else {
            throw InvalidValue("expected \(expected)")
        }
        return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
