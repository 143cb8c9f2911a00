import Testing

@testable import HeadgateTerminal

@Suite struct ClipboardTests {
    @Test func noTextCanEndTheSequence() {
        #expect(ClipboardSequence.copying("a\u{07}\u{1B}\\") == "\u{1B}]52;c;YQcbXA==\u{07}")
    }

    @Test func textTooLongForTerminalsIsRefused() {
        #expect(ClipboardSequence.copying(String(repeating: "x", count: 56_244)) != nil)
        #expect(ClipboardSequence.copying(String(repeating: "x", count: 56_247)) == nil)
    }
}
