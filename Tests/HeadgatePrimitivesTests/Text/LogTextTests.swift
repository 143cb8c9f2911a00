import Testing

@testable import HeadgatePrimitives

@Suite struct LogTextTests {
    @Test(arguments: [
        ("\u{9B}2J", "\\u009b2J"), ("\u{7F}", "\\u007f"), ("\u{1B}[31m", "\\u001b[31m"), ("a\rb", "a\\u000db"),
        ("\u{202E}lmth", "\\u202elmth"), ("\u{200F}\u{2066}\u{61C}", "\\u200f\\u2066\\u061c"),
        ("a\u{2028}b\u{2029}c", "a\\u2028b\\u2029c"), ("\u{0}", "\\u0000"),
    ])
    func terminalControlsAreShownByNumber(_ text: String, _ expected: String) {
        #expect(LogText.shown(text) == expected)
    }

    @Test(arguments: ["", "plain text, \"quoted\" \\", "é 語 😀 שלום", "two\nlines\tand a tab"])
    func everythingElseStaysAsItIs(_ text: String) {
        #expect(LogText.shown(text) == text)
    }
}
