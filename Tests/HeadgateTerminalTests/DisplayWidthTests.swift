import Testing

@testable import HeadgateTerminal

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("wörld", 5), ("e\u{301}", 1), ("日本語", 6), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("👩", 2), ("👩‍💻", 2), ("👨‍👩‍👧‍👦", 2), ("👋🏽", 2), ("☝🏽", 2), ("👩🏽‍🚀👩🏽‍🚀", 4),
        ("❤", 1), ("❤️", 2), ("❤️‍🔥", 2), ("1️⃣", 2),
        ("1", 1), ("🇫🇷", 2), ("🇫🇷🇩🇪", 4), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2),
        ("🏳️‍🌈", 2), ("a\u{200D}b", 2), ("می‌خواهم", 7), ("👩\u{200D}a", 3),
        ("🌡️", 2),
    ]) func countsVisibleColumns(_ text: String, _ width: Int) {
        #expect(DisplayWidth.of(text.unicodeScalars) == width)
    }

    /// The width of a text is the sum of its increments, which are never negative.
    @Test func neverTakesColumnsBack() {
        for text in ["👨‍👩‍👧‍👦", "🇫🇷🇩🇪", "1️⃣❤️‍🔥", "e\u{301}\u{301}"] {
            var width = DisplayWidth()
            #expect(text.unicodeScalars.allSatisfy { (0...2).contains(width.advance($0)) })
        }
    }
}
