import Testing

@testable import HeadgateRelay

@Suite struct KeyDigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func digestIsSHA256(_ text: String, _ hexadecimal: String) {
        #expect(KeyDigest(of: text.utf8).hexadecimal == hexadecimal)
    }

    @Test func bytesAndBack() {
        let digest = KeyDigest(of: "key".utf8)
        #expect(KeyDigest(bytes: digest.bytes) == digest)
        #expect(digest.bytes.count == 32)
        for count in [0, 31, 33] { #expect(KeyDigest(bytes: [UInt8](repeating: 0, count: count)) == nil) }
    }

    @Test func everyByteMatters() {
        let digest = KeyDigest(of: "key".utf8)
        for index in 0..<32 {
            var bytes = digest.bytes
            bytes[index] ^= 1
            #expect(KeyDigest(bytes: bytes) != digest)
        }
    }
}
