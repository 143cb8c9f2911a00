import Testing

@testable import HeadgateTerminal

@Suite struct TableTests {
    /// Returns the table without styles.
    private func table(_ markdown: String, _ columns: Int?) -> String { plain(shown([markdown], columns: columns)) }

    private func plain(_ shown: String) -> String {
        var text = ""
        var isSequence = false
        for character in shown {
            if character == "\u{1B}" { isSequence = true }
            if !isSequence { text.append(character) }
            if character == "m" { isSequence = false }
        }
        return text
    }

    @Test func columnsAreAlignedByTheirHeaders() {
        let markdown = "| left | center | right |\n|:--|:-:|--:|\n| a | b | c |\n| longer | x | 1234567 |\n"
        #expect(
            table(markdown, nil) == """
                │ left   │ center │   right │
                ├────────┼────────┼─────────┤
                │ a      │   b    │       c │
                │ longer │   x    │ 1234567 │

                """)
    }

    @Test func widthsAreThoseOfVisibleText() {
        let markdown = "| 日本 | b |\n|---|---|\n| a | 👩‍💻 |\n| e\u{301} | `x`\u{1B}c |\n"
        #expect(
            table(markdown, nil) == """
                │ 日本 │ b   │
                ├──────┼─────┤
                │ a    │ 👩‍💻  │
                │ e\u{301}    │ x␛c │

                """)
    }

    @Test func wideColumnsWrapBetweenWordsInANarrowTerminal() {
        let markdown =
            "| id | text |\n|---|---|\n| 1 | one two three four |\n| 2 | 日本語日本語日本語 |\n| 3 | abcdefghijklmnop |"
        #expect(
            table(markdown, 19) == """
                │ id │ text       │
                ├────┼────────────┤
                │ 1  │ one two    │
                │    │ three four │
                ├────┼────────────┤
                │ 2  │ 日本語日本 │
                │    │ 語日本語   │
                ├────┼────────────┤
                │ 3  │ abcdefghij │
                │    │ klmnop     │
                """)
    }

    @Test func rowsBecomeListsIfColumnsDoNotFit() {
        let markdown = "| name | what it is |\n|---|---|\n| a | the first one of all |\n| b | |\n"
        #expect(table(markdown, 10) == "name: a\nwhat it\nis: the\nfirst one\nof all\n──────\nname: b\n")
        #expect(table("| name | what it is |\n|---|---|\n", 10) == "name\nwhat it is\n")
    }

    @Test func noCellContentIsLost() {
        let markdown = "| a |\n|---|---|\n| b \\| c | `d` | e<br>f<br/> |\n| g\n|\n"
        #expect(
            table(markdown, nil) == """
                │ a     │   │   │
                ├───────┼───┼───┤
                │ b | c │ d │ e │
                │       │   │ f │
                │       │   │   │
                ├───────┼───┼───┤
                │ g     │   │   │
                ├───────┼───┼───┤
                │       │   │   │

                """)
    }

    @Test func noLineIsWiderThanTheTerminal() {
        let markdown = "> | a a a | 日本語日本 | `code` |\n> |---|--:|:-:|\n> | one two three | x | 👩‍💻👩‍💻👩‍💻👩‍💻 |\n"
        for columns in 34...60 {
            for line in table(markdown, columns).split(separator: "\n") {
                #expect(DisplayWidth.of(line.unicodeScalars) <= columns, "\(columns): \(line)")
            }
        }
    }

    @Test func tableIsHeldBackUpToALimit() {
        var stream = MarkdownStream(columns: 40)
        var shown = stream.feed("| a | b |\n|---|---|\n")
        let row = "| " + String(repeating: "x", count: 50) + " | y |\n"
        for _ in 0..<3000 { shown += stream.feed(row) }
        #expect(shown.count > 3000 * 40)
        // This row has more cells than the table has columns.
        shown = stream.feed("| 1 | 2 | 3 |\n")
        #expect(shown.contains("1") && shown.contains("2") && shown.contains("3"))
        for line in plain(shown).split(separator: "\n") { #expect(DisplayWidth.of(line.unicodeScalars) <= 40) }
    }

    @Test func rowsOfAnyKindCostNoMoreThanTheirLength() {
        let bars = String(repeating: "|", count: 10_000)
        let rows = table("|a|\n|-|\n\(bars)\n" + String(repeating: "|\n", count: 3000), nil)
        #expect(rows.split(separator: "\n").count == 3003)
        #expect(rows.prefix { $0 != "\n" }.filter { $0 == "│" }.count == 33)
        let wide = String(repeating: "|a", count: 33) + "\n" + String(repeating: "|-", count: 33)
        // A header with too many columns is text.
        #expect(table(wide, nil).hasPrefix("|a|a"))
    }

    @Test func tableWithoutATerminalHasAReadableWidth() {
        let long = String(repeating: "a", count: 1000)
        let rows = String(repeating: "| c | d |\n", count: 9)
        let lines = table("| \(long) | b |\n|---|---|\n\(rows)", nil).split(separator: "\n")
        #expect(lines.allSatisfy { DisplayWidth.of($0.unicodeScalars) == 200 })
        #expect(lines.joined().filter { $0 == "a" }.count == 1000)
    }

    @Test func isIndependentOfTableSplits() {
        let markdown =
            "a\n> | x | **y** |\n> |:-|-:|\n> | one two three | `four|five` |\n\n| b |\n| c |\n\n|d|\n|-|\n|e|"
        let scalars = Array(markdown.unicodeScalars)
        for columns in [nil, 6, 14, 20, 40] {
            let whole = shown([markdown], columns: columns)
            #expect(shown(scalars.map { String($0) }, columns: columns) == whole)
            for cut in scalars.indices {
                let pieces = [scalars[..<cut], scalars[cut...]].map { String(String.UnicodeScalarView($0)) }
                #expect(shown(pieces, columns: columns) == whole)
            }
        }
    }
}
