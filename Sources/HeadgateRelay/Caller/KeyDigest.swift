internal import COpenSSL

/// SHA-256 of a client key. Keys are looked up by digest, so that the time of a lookup reveals nothing about a key.
package struct KeyDigest: Hashable, Sendable {
    let words: (UInt64, UInt64, UInt64, UInt64)

    init(_ words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    package init(of key: some Collection<UInt8>) {
        self =
            key.withContiguousStorageIfAvailable(KeyDigest.init(hashing:))
            ?? Array(key).withUnsafeBufferPointer(KeyDigest.init(hashing:))
    }

    private init(hashing key: UnsafeBufferPointer<UInt8>) {
        var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let status = withUnsafeMutableBytes(of: &digest) { output in
            headgate_sha256(key.baseAddress, key.count, output.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
        precondition(status == 1, "libcrypto has no SHA-256")
        words = digest
    }

    /// - Parameter bytes: 32 bytes; the result is nil for any other number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &digest) { $0.copyBytes(from: bytes) }
        words = digest
    }

    var firstHalf: (UInt64, UInt64) { (words.0, words.1) }

    package static func == (left: KeyDigest, right: KeyDigest) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        // A digest is as good as random, so one word of it is enough.
        hasher.combine(words.0)
    }

    /// Digest in lower-case hexadecimal, as in the configuration.
    package var hexadecimal: String {
        withUnsafeBytes(of: words) { bytes in
            let digits = Array("0123456789abcdef".utf8)
            return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }

    /// - Parameter text: as ``hexadecimal`` writes it; the result is nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard text.utf8.count == 64, digits.count == 64 else { return nil }
        self.init(bytes: stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }
}
