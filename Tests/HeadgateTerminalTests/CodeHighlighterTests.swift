import Testing

@testable import HeadgateTerminal

@Suite struct CodeHighlighterTests {
    /// Lines of code and their styles.
    struct Example: CustomTestStringConvertible, Sendable {
        let language: String
        let code: String
        let shown: String
        var testDescription: String { "\(language): \(code)" }
    }

    static let examples = [
        Example(
            language: "swift", code: "let letter = 0x1F // if",
            shown: "<keyword>let<> letter = <number>0x1F<> <dim>// if<>"),
        Example(
            language: "swift", code: #"f("a \" b", "") + x1"#,
            shown: #"f(<string>"a \" b"<>, <string>""<>) + x1"#),
        Example(
            language: "swift", code: "\"\"\"\nlet \"a\"\n\"\"\"; return",
            shown: "<string>\"\"\"\nlet \"a\"\n\"\"\"<>; <keyword>return<>"),
        Example(language: "swift", code: "/* if\n * x */ if", shown: "<dim>/* if\n * x */<> <keyword>if<>"),
        Example(language: "swift", code: "/*/ if */ 3", shown: "<dim>/*/ if */<> <number>3<>"),
        Example(language: "swift", code: "a \"open\nif", shown: "a <string>\"open\n<keyword>if<>"),
        Example(
            language: "python", code: "def f(): # \"x\n  '''a\nb''' '' None",
            shown: "<keyword>def<> f(): <dim># \"x\n<>  <string>'''a\nb'''<> <string>''<> <keyword>None<>"),
        Example(language: "js", code: "`a\n${b}` / 2.5", shown: "<string>`a\n${b}`<> / <number>2<>.<number>5<>"),
        Example(
            language: "sh", code: "if echo $# a#b 'c\\' # d",
            shown: "<keyword>if<> <keyword>echo<> $# a#b <string>'c\\'<> <dim># d<>"),
        Example(language: "sql", code: "Select 'it''s' -- x", shown: "<keyword>Select<> <string>'it''s'<> <dim>-- x<>"),
        Example(
            language: "json", code: "{\"a\": [true, 12]}", shown: "{<string>\"a\"<>: [<keyword>true<>, <number>12<>]}"),
        Example(
            language: "html", code: "<!-- <b> --><p\nclass=\"x\">don't</p>",
            shown: "<dim><!-- <b> --><keyword><p\nclass=\"x\"><>don't<keyword></p><>"),
        Example(language: "rust", code: "fn f<'a>() -> &'a str", shown: "<keyword>fn<> f<'a>() -> &'a <keyword>str<>"),
        Example(language: "go", code: "x := `a\\` // y", shown: "x := <string>`a\\`<> <dim>// y<>"),
        Example(
            language: "c", code: "#include <a.h>\nint x = 'y';",
            shown: "#<keyword>include<> <a.h>\n<keyword>int<> x = <string>'y'<>;"),
        Example(
            language: "diff", code: "@@ 1\n-if\n+\"a\n b", shown: "<keyword>@@ 1\n<alarming>-if\n<string>+\"a\n<> b"),
        Example(language: "swift", code: "a /", shown: "a /"),
        Example(language: "html", code: "a <!-", shown: "a <keyword><!-<>"),
        Example(language: "swift", code: "überletzt if ünter", shown: "überletzt <keyword>if<> ünter"),
    ]

    private func colored(_ example: Example, cuts: [Int] = []) -> String {
        var pieces: [String] = []
        let text = "```\(example.language)\n" + example.code
        let scalars = Array(text.unicodeScalars)
        var start = 0
        for cut in cuts + [scalars.count] {
            pieces.append(String(String.UnicodeScalarView(scalars[start..<cut])))
            start = cut
        }
        let all = named(shown(pieces))
        return String(all.dropFirst("<dim>```\(example.language)\n".count))
    }

    @Test(arguments: examples) func coloursKnownLanguages(_ example: Example) {
        // The fence is dim, so dim text after it needs no mark.
        let shown = example.shown
        let expected =
            shown.hasPrefix("<dim>") ? String(shown.dropFirst(5)) : shown.hasPrefix("<") ? shown : "<>" + shown
        #expect(colored(example) == expected)
    }

    @Test(arguments: examples) func isIndependentOfCodeSplits(_ example: Example) {
        let whole = colored(example)
        let count = "```\(example.language)\n\(example.code)".unicodeScalars.count
        #expect(colored(example, cuts: Array(1..<count)) == whole)
        for cut in 1..<count { #expect(colored(example, cuts: [cut]) == whole) }
    }

    /// All characters of any code are shown in order.
    @Test func losesNoCharacterOfAnyCode() {
        let parts = [
            "\"", "\"\"\"", "'", "'''", "`", "/", "*", "/*", "*/", "//", "#", "--", "-", "[[", "]]", "<", "!--", ">",
            "\\", "if",
            "let", " ", "0x", "1", "_", "é", "{", "}", "@", "+",
        ]
        var generator = RepeatableGenerator(state: 7)
        for name in ["swift", "python", "sh", "sql", "html", "lua", "haskell", "rust", "js", "css", "diff", "json"] {
            guard let language = CodeLanguage.named(name) else {
                Issue.record("\(name) is not known")
                continue
            }
            for _ in 0..<200 {
                var highlighter = CodeHighlighter(language)
                var output: [StyledCharacter] = []
                var code: [Unicode.Scalar] = []
                for _ in 0..<3 {
                    let line = (0..<Int.random(in: 0...10, using: &generator)).flatMap { _ in
                        Array(parts.randomElement(using: &generator)!.unicodeScalars)
                    }
                    for scalar in line { highlighter.feed(scalar, to: &output) }
                    highlighter.endLine(to: &output)
                    code += line
                    #expect(output.map(\.scalar) == code)
                }
            }
        }
    }
}

@Suite struct CodeBlockTests {
    @Test(
        arguments: [
            ("none", []), ("```\na\n```", ["|a\n"]),
            ("x\n```swift {1}\n  let a\n\n```\n~~~py:file\nb\n```\n~~~\n", ["swift|  let a\n\n", "py|b\n```\n"]),
            ("- x\n  ```sh\n  a\n    b\n  ```", ["sh|a\n  b\n"]),
            ("> ```\n> a\n> ```\nb\n> ```\n> c\nd", ["|a\n", "|c\n"]),
            ("```\nopen", ["|open\n"]), ("```\r\na\r\n```\r\n", ["|a\n"]), ("```a``` b", []),
            ("````\n```\n````", ["|```\n"]),
            ("```\n```", ["|"]),
        ] as [(String, [String])])
    func findsTextBetweenFences(_ markdown: String, _ blocks: [String]) {
        #expect(CodeBlock.all(in: markdown).map { "\($0.language)|\($0.text)" } == blocks)
    }
}
