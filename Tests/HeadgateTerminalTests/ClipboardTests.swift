import Testing

@testable import HeadgateTerminal

@Suite struct ClipboardTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("ÿ?>", "w78/Pg=="),
    ]) func encodesAsTheStandardSays(_ text: String, _ encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }

    @Test func noTextCanEndTheSequence() {
        #expect(ClipboardSequence.copying("a\u{07}\u{1B}\\") == "\u{1B}]52;c;YQcbXA==\u{07}")
    }

    @Test func textThatTerminalsWouldNotTakeIsRefused() {
        #expect(ClipboardSequence.copying(String(repeating: "x", count: 56_244)) != nil)
        #expect(ClipboardSequence.copying(String(repeating: "x", count: 56_247)) == nil)
    }
}
