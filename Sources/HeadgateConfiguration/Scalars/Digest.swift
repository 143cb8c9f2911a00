/// Parses a SHA-256 digest: 64 hexadecimal digits for 32 bytes.
enum Digest {
    /// Command that computes a digest. It prints nothing if there is no key. With `${KEY:?}` in the pipeline, the
    /// digest of an empty text would follow the shell's error message.
    static let command = "test -n \"$KEY\" && printf %s \"$KEY\" | sha256sum"
    static let expected = "64 hexadecimal digits, the SHA-256 of the key: \(command)"

    static func parse(_ text: String) throws(InvalidValue) -> [UInt8] {
        let digits = text.utf8.compactMap(ASCII.hexadecimal)
        guard digits.count == 64, text.utf8.count == 64 else {
            throw InvalidValue("expected \(expected)")
        }
        let digest = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        guard digest != ofNothing else {
            throw InvalidValue(
                "this is the SHA-256 of an empty text, so that no key was set where it was made: make it again with "
                    + "\(command), or make a new key with 'headgate key new'")
        }
        return digest
    }

    private static let ofNothing: [UInt8] = [
        0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
        0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
    ]
}
