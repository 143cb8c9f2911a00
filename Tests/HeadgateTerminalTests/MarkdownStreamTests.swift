import HeadgateTerminal
import Testing

@Suite struct MarkdownStreamTests {
    /// A text and its rendering.
    struct Example: CustomTestStringConvertible, Sendable {
        let name: String
        let markdown: String
        let shown: String
        var testDescription: String { name }
    }

    static let examples = [
        Example(name: "plain text", markdown: "Hello,\nwörld 🌍!\n", shown: "Hello,\nwörld 🌍!\n"),
        Example(name: "headings", markdown: "# One\n### Two\n", shown: "<bold,underlined>One\n<bold>Two\n<>"),
        Example(name: "no heading", markdown: "#tag\n####### seven", shown: "#tag\n####### seven"),
        Example(name: "bold", markdown: "a **b c** d", shown: "a <bold>b c<> d"),
        Example(name: "italic", markdown: "*a* _b_ ~~c~~", shown: "<italic>a<> <italic>b<> <struck>c<>"),
        Example(
            name: "both", markdown: "***a*** **b *c* d**", shown: "<bold,italic>a<> <bold>b <bold,italic>c<bold> d<>"),
        Example(name: "nested at the end", markdown: "*a **b***", shown: "<italic>a <bold,italic>b<>"),
        Example(name: "arithmetic", markdown: "2 * 3 * 4 = 24, a ** b", shown: "2 * 3 * 4 = 24, a ** b"),
        Example(name: "unclosed emphasis", markdown: "f(*args, **kw)\n*x", shown: "f(*args, **kw)\n*x"),
        Example(name: "snake case", markdown: "a_b_c and __init__x", shown: "a_b_c and __init__x"),
        Example(name: "escapes", markdown: #"\*a\* \_ \n"#, shown: #"*a* _ \n"#),
        Example(name: "code in a line", markdown: "run `a *b* c` now", shown: "run <code>a *b* c<> now"),
        Example(name: "code with backticks", markdown: "`` a`b ``", shown: "<code>a`b<>"),
        Example(name: "unclosed code", markdown: "a ` b\nnext", shown: "a ` b\nnext"),
        Example(name: "code inside emphasis", markdown: "**a `**` b**", shown: "<bold>a <bold,code>**<bold> b<>"),
        Example(
            name: "fenced code is exact", markdown: "```text\n  let a = *b* // `c`\n\n# no\n```\n**d**",
            shown: "<dim>```text\n<code>  let a = *b* // `c`\n\n# no\n<dim>```\n<bold>d<>"),
        Example(
            name: "code of a known language is coloured",
            markdown: "```swift\n  let a = *b* // `c`\n\n# no\n```\n**d**",
            shown: "<dim>```swift\n<>  <keyword>let<> a = *b* <dim>// `c`\n\n<># no\n<dim>```\n<bold>d<>"),
        Example(
            name: "fence within a fence", markdown: "````\n```\nx\n```\n````\ny",
            shown: "<dim>````\n<code>```\nx\n```\n<dim>````\n<>y"),
        Example(name: "tildes", markdown: "~~~\n```\n~~~\na", shown: "<dim>~~~\n<code>```\n<dim>~~~\n<>a"),
        Example(name: "no fence", markdown: "```a``` b", shown: "<code>a<> b"),
        Example(name: "windows lines", markdown: "```\r\na\r\n```\r\nb", shown: "<dim>```\n<code>a\n<dim>```\n<>b"),
        Example(
            name: "lists", markdown: "- a\n* b **c**\n  + d\n1. e\n10) f\n-g",
            shown: "• a\n• b <bold>c\n<>  • d\n1. e\n10) f\n-g"),
        Example(
            name: "code in a list", markdown: "1. a\n   ```sh\n   b\n   ```\n2. c",
            shown: "1. a\n<dim>   ```sh\n<>   b\n<dim>   ```\n<>2. c"),
        Example(name: "indented code", markdown: "a\n\n    *b*\n    c\n\nd", shown: "a\n\n<code>    *b*\n    c\n\n<>d"),
        Example(name: "indented text of a list", markdown: "- a\n\n    *b*\n", shown: "• a\n\n    <italic>b\n<>"),
        Example(name: "quotes", markdown: "> a **b**\n>> c\nd", shown: "<dim>│ <>a <bold>b\n<dim>│ │ <>c\nd"),
        Example(
            name: "quotes in quotes without end", markdown: String(repeating: ">", count: 40) + " a\n> b",
            shown: "<dim>" + String(repeating: "│ ", count: 32) + "<>>>>>>>>> a\n<dim>│ <>b"),
        Example(
            name: "code in a quote", markdown: "> ```\n> a\n> ```\n> b\n\n> ```\nc",
            shown: "<dim>│ ```\n│ <code>a\n<dim>│ ```\n│ <>b\n\n<dim>│ ```\n<>c"),
        Example(
            name: "rules", markdown: "---\n* * *\n--\n___\n",
            shown: "<dim>\(rule)\n\(rule)\n<>--\n<dim>\(rule)\n<>"),
        Example(
            name: "table", markdown: "| a | b |\n|---|:-:|\n| **c** | `d` |\n",
            shown:
                "<dim>│<> <bold>a<> <dim>│<> <bold>b<> <dim>│\n├───┼───┤\n│<> <bold>c<> <dim>│<> <code>d<> <dim>│\n<>"),
        Example(
            name: "no table", markdown: "| *a* |\n|b|\nc\n|---|\n|-|\n",
            shown: "| <italic>a<> |\n|b|\nc\n<dim>│<> <bold>---<> <dim>│\n├─────┤\n<>"),
        Example(
            name: "table in a quote", markdown: "> | a |\n> |--|\n> | bc |\nd",
            shown: "<dim>│ │<> <bold>a<>  <dim>│\n│ ├────┤\n│ │<> bc <dim>│\n<>d"),
        Example(
            name: "row that leaves the quote", markdown: "> | a |\n| b |", shown: "<dim>│ <>| a |\n| b |"),
        Example(
            name: "table behind text and before a list", markdown: "x\n| a |\n|---|\n- y",
            shown: "x\n<dim>│<> <bold>a<> <dim>│\n├───┤\n<>• y"),
        Example(
            name: "link", markdown: "see [the **docs**](https://a.example/b_(c) \"t\"), [x], [y] (z)",
            shown: "see <underlined>the <bold,underlined>docs<dim> (https://a.example/b_(c))<>, [x], [y] (z)"),
        Example(name: "link to itself", markdown: "[http://a.b](http://a.b)", shown: "<underlined>http://a.b<>"),
        Example(name: "image", markdown: "![alt](a.png)!", shown: "<underlined>alt<dim> (a.png)<>!"),
        Example(
            name: "commands to the terminal",
            markdown: "a\u{1B}[31mb\u{9B}2J\u{7}\u{7F}\r`\u{1B}]52;c;x\u{7}`\n```\n\u{1B}c\n```\n[a](\u{1B}]8;;x)",
            shown: "a␛[31mb\u{FFFD}2J␇␡<code>␛]52;c;x␇\n<dim>```\n<code>␛c\n<dim>```\n<underlined>a<dim> (␛]8;;x)<>"),
        Example(
            name: "a marker that is closed too far away", markdown: "*" + String(repeating: "x", count: 300) + "* y",
            shown: "*" + String(repeating: "x", count: 300) + "* y"),
        Example(name: "nothing", markdown: "", shown: ""),
    ]
    static let rule = String(repeating: "─", count: 40)

    @Test(arguments: examples) func showsAsAWhole(_ example: Example) {
        var stream = MarkdownStream()
        #expect(named(stream.feed(example.markdown) + stream.finish()) == example.shown)
    }

    @Test(arguments: examples) func isIndependentOfTextSplits(_ example: Example) {
        let scalars = Array(example.markdown.unicodeScalars)
        let whole = shown([example.markdown])
        #expect(shown(scalars.map { String($0) }) == whole)
        for cut in scalars.indices { #expect(shown([text(scalars[..<cut]), text(scalars[cut...])]) == whole) }
    }

    /// In these pieces, every marker is open, closed, doubled or truncated somewhere.
    @Test func isIndependentOfSplitsInAnyText() {
        let parts = [
            "*", "**", "_", "~~", "`", "``", "```", "\n", "\n\n", "> ", "- ", "1. ", "# ", "|", "| ", "|-|\n", "---",
            "```py\n", "# x\n", "'", "[", "](", ")",
            "!", "\\",
            " ", "    ", "a", "b c", "é", "\u{1B}", "\r", "~~~", "x" + String(repeating: "y", count: 130),
        ]
        var generator = RepeatableGenerator(state: 42)
        for _ in 0..<1000 {
            let pieces = (0..<Int.random(in: 1...14, using: &generator)).map { _ in
                parts.randomElement(using: &generator)!
            }
            let whole = shown([pieces.joined()])
            #expect(shown(pieces) == whole, "\(pieces)")
            #expect(shown(pieces.joined().unicodeScalars.map { String($0) }) == whole, "\(pieces)")
        }
    }

    @Test func showsPlainTextAtOnce() {
        var stream = MarkdownStream()
        #expect(stream.feed("The sky") == "The sky")
        #expect(stream.feed(" is") == " is")
        #expect(stream.feed(" **very") == " ")
        #expect(named(stream.feed("** blue")) == "<bold>very<> blue")
        #expect(stream.feed(".\n- ").hasSuffix(".\n"))
        #expect(stream.feed("one") == "• one")
        #expect(stream.finish() == "")
    }

    @Test func showsCodeAtOnce() {
        var stream = MarkdownStream()
        #expect(named(stream.feed("```\nlet ")) == "<dim>```\n<code>let ")
        #expect(stream.feed("a = ") == "a = ")
        #expect(named(stream.finish()) == "<>")
    }

    @Test func showsCodeOfAKnownLanguageWordByWord() {
        var stream = MarkdownStream()
        #expect(named(stream.feed("```swift\nle")) == "<dim>```swift\n")
        #expect(named(stream.feed("t ")) == "<keyword>let<> ")
        #expect(stream.feed("letter") == "")
        #expect(stream.feed("=") == "letter=")
    }

    @Test func tableIsShownOnceComplete() {
        var stream = MarkdownStream()
        #expect(stream.feed("| a |\n|---|\n| long") == "")
        #expect(stream.feed("er |\n") == "")
        #expect(
            named(stream.feed("\n"))
                == "<dim>│<> <bold>a<>      <dim>│\n├────────┤\n│<> longer <dim>│\n\n")
    }

    @Test func tooLongLineForARowIsText() {
        var stream = MarkdownStream()
        var shown = ""
        for _ in 0..<200 { shown += stream.feed("|" + String(repeating: "x", count: 200)) }
        #expect(shown.count > 30_000)
    }

    @Test(arguments: [
        ("```swift\nlet a = ", "b // c\n```\n**d**", "b <dim>// c\n```\n<bold>d<>"),
        ("one **tw", "o** *three*", "o** <italic>three<>"),
        ("a\n", "- b", "• b"), ("a", "- b", "- b"), ("", "# a", "<bold,underlined>a<>"),
        ("/*", "*/", "*/"),
        ("| a |\n|---|\n| b |\n", "| c |\n\nd", "<dim>│<> c <dim>│\n\n<>d"),
    ]) func continuesInPlace(_ before: String, _ after: String, _ expected: String) {
        var stream = MarkdownStream()
        stream.resume(after: before)
        #expect(named(stream.feed(after) + stream.finish()) == expected)
        var pieces = MarkdownStream()
        pieces.resume(after: before)
        #expect(
            named(after.unicodeScalars.map { pieces.feed(String($0)) }.joined() + pieces.finish()) == expected)
    }

    @Test func holdsBackAtMostAWindow() {
        var stream = MarkdownStream()
        var shown = stream.feed("[")
        for _ in 0..<500 { shown += stream.feed("x") }
        #expect(shown.count > 250)
    }

    @Test func restartsAfterTheEnd() {
        var stream = MarkdownStream()
        _ = stream.feed("```\na")
        _ = stream.finish()
        #expect(named(stream.feed("**b** ") + stream.finish()) == "<bold>b<> ")
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
