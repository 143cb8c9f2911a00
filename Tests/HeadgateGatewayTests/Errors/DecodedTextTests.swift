import Testing

@testable import HeadgateRelay

@Suite struct DecodedTextTests {
    /// Returns the decoded text, and a line that marks the source bytes of its last byte.
    private func read(_ decoded: DecodedText, of source: String) -> [String] {
        var marks = [Bool](repeating: false, count: source.utf8.count)
        if !decoded.bytes.isEmpty { decoded.mark(decoded.bytes.count - 1..<decoded.bytes.count, in: &marks) }
        return [String(decoding: decoded.bytes, as: UTF8.self), marks.map { $0 ? "^" : "." }.joined()]
    }

    @Test(arguments: [
        ("", "", ""), ("a", "a", "^"), ("%41", "A", "^^^"), ("x%4a", "xJ", ".^^^"), ("%c3%A9", "é", "...^^^"),
        ("%4", "%4", ".^"), ("%", "%", "^"), ("%4g", "%4g", "..^"), ("%g4", "%g4", "..^"), ("%/0", "%/0", "..^"),
        ("%:0", "%:0", "..^"), ("%@0", "%@0", "..^"), ("%`0", "%`0", "..^"), ("%%41", "%A", ".^^^"),
        ("%41b", "Ab", "...^"),
    ])
    func percentEscapesAreDecodedInPlace(_ source: String, _ text: String, _ marks: String) {
        #expect(read(DecodedText(percentDecoding: Array(source.utf8)), of: source) == [text, marks])
    }

    @Test(arguments: [
        (#"a\"b"#, #"a"b"#, "...^"), (#"\/"#, "/", "^^"), (#"\u0041"#, "A", "^^^^^^"), (#"x\u007a"#, "xz", ".^^^^^^"),
        (#"\u0141"#, #"\u0141"#, ".....^"), (#"\u004"#, #"\u004"#, "....^"), (#"\u"#, #"\u"#, ".^"),
        (#"\"#, #"\"#, "^"),
        (#"\\u"#, #"\u"#, "..^"),
    ])
    func escapesOfASCIIAreDecodedInPlace(_ source: String, _ text: String, _ marks: String) {
        #expect(read(DecodedText(unescaping: Array(source.utf8)), of: source) == [text, marks])
    }
}
