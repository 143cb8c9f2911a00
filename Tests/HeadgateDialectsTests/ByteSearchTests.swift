import Testing

@testable import HeadgateDialects

@Suite("A search in bytes")
struct ByteSearchTests {
    @Test("finds a text at any offset")
    func found() {
        let search = ByteSearch("abcab:")
        for before in 0..<20 {
            for after in 0..<3 {
                let text = String(repeating: "ab", count: before) + "abcab:" + String(repeating: "c", count: after)
                #expect(Array(text.utf8).withUnsafeBytes(search.isFound))
            }
        }
    }

    @Test("finds nothing in similar texts", arguments: ["", ":", "abcab", "abcaab:", "bcab:abcab", "ab:cab:"])
    func missing(text: String) {
        #expect(!Array(text.utf8).withUnsafeBytes(ByteSearch("abcab:").isFound))
    }
}
