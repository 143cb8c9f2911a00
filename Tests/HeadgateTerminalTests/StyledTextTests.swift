import Testing

@testable import HeadgateTerminal

@Suite struct StyledTextTests {
    private func wrapped(_ text: String, _ columns: Int) -> String {
        var styled = StyledText(columns: columns)
        styled.append(text)
        return styled.takeLast()
    }

    @Test(arguments: [
        ("one two three", "one two\nthree"),
        ("exactly10 x", "exactly10\nx"),
        ("1234567890 x", "1234567890\nx"),
        ("ab  cd   efghij", "ab  cd\nefghij"),
        ("a 12345678901234 b", "a\n12345678901234 b"),
        ("  lead in text", "  lead in\ntext"),
        ("a\n\nb", "a\n\nb"),
        ("日本語日本語", "日本語日本\n語"),
        ("ab日本語日本", "ab日本語日\n本"),
        ("e\u{301}e\u{301}e\u{301}e\u{301} abcde", "e\u{301}e\u{301}e\u{301}e\u{301} abcde"),
        ("abcdefg 👩‍👩‍👧‍👦 x", "abcdefg 👩‍👩‍👧‍👦\nx"), ("abcdefgh 👩‍👩‍👧‍👦", "abcdefgh\n👩‍👩‍👧‍👦"),
        ("🇫🇷🇩🇪🇮🇹🇪🇸🇵🇹🇵🇱", "🇫🇷🇩🇪🇮🇹🇪🇸🇵🇹\n🇵🇱"),
    ]) func breaksBetweenWordsByTheirWidth(_ text: String, _ shown: String) {
        #expect(wrapped(text, 10) == shown)
    }

    @Test func holdsAWordBackOnlyIfItMightNotFit() {
        var text = StyledText(columns: 10)
        text.append("fi")
        #expect(text.take() == "fi")
        text.append("rst sec")
        #expect(text.take() == "rst")
        text.append("ond")
        // The word no longer fits on the line, so its position is certain.
        #expect(text.take() == "\nsecond")
        text.append("s x")
        #expect(text.takeLast() == "s x")
    }

    @Test func furtherLinesOfAnItemKeepItsIndentation() {
        var stream = MarkdownStream(columns: 12)
        #expect(
            stream.feed("- one two three\n10. four five six\nseven") + stream.finish()
                == "• one two\n  three\n10. four\n    five six\nseven")
        var quote = MarkdownStream(columns: 12)
        let plain = TextStyle().sequence
        let dim = TextStyle.dim.sequence
        #expect(
            quote.feed("> one two three") + quote.finish()
                == "\(dim)│ \(plain)one two\n\(dim)│ \(plain)three")
    }

    @Test func codeIsLeftToTheTerminal() {
        let code = shown(["```\nlet a = b + c + d\n```\n"], columns: 8)
        #expect(!code.contains("b +\n") && code.contains("let a = b + c + d"))
    }

    @Test func plainTextIsBrokenButNotItsCode() {
        let text = "one **two** three\n```\nlet a = b + c + d\n```\n  ~ four five six\n| a a a | b b b |\nseven\u{1B}[m"
        let shown = "one\n**two**\nthree\n```\nlet a = b + c + d\n```\n  ~ four\nfive six\n| a a a | b b b |\nseven␛[m"
        var whole = PlainStream(columns: 10)
        #expect(whole.feed(text) + whole.finish() == shown)
        var pieces = PlainStream(columns: 10)
        #expect(text.unicodeScalars.map { pieces.feed(String($0)) }.joined() + pieces.finish() == shown)
    }

    @Test func lineBreaksAreIndependentOfChunks() {
        let text = "The **quick brown** fox\n\n> jumps over `the lazy` dog\n- 日本語 and [a link](http://a.b)\n"
        for columns in 1...30 {
            var whole = MarkdownStream(columns: columns)
            let shown = whole.feed(text) + whole.finish()
            var pieces = MarkdownStream(columns: columns)
            #expect(text.unicodeScalars.map { pieces.feed(String($0)) }.joined() + pieces.finish() == shown)
        }
    }

    @Test(arguments: [
        ("a", 1), ("é", 1), ("\u{301}", 0), ("\u{200D}", 0), ("日", 2), ("한", 2), ("！", 2), ("🌍", 2), ("→", 1), ("│", 1),
        ("🌡", 1),
    ])
    func knowsHowWideCharactersAre(_ text: String, _ width: Int) {
        #expect(text.unicodeScalars.first?.displayWidth == width)
    }
}
