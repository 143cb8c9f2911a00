/// A code block between fences.
package struct CodeBlock: Equatable, Sendable {
    /// The first word after the fence; empty if there is none.
    package let language: String
    /// Lines of the block, each with its line break.
    package private(set) var text = ""

    /// Returns all code blocks of a Markdown text. An unclosed block extends to the end of the text.
    package static func all(in markdown: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var fence: LineStart.Fence?
        var lines = markdown.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            var rest = Array(line.filter { $0 != "\r" })[...]
            var depth = 0
            while true {
                let text = Lookahead(rest, isWhole: true)
                if let open = fence, depth >= open.depth {
                    // A complete line can always be classified.
                    guard let start = try? LineStart(readingFrom: text, inside: open), start != .closingFence else {
                        fence = nil
                        break
                    }
                    let spaces = rest.prefix(open.indentation).prefix { $0 == " " }.count
                    blocks[blocks.count - 1].add(rest.dropFirst(spaces))
                    break
                }
                let start = try? LineStart(readingFrom: text, allowsIndentedCode: false)
                if case .quote(let length)? = start {
                    rest = rest.dropFirst(length)
                    depth += 1
                    continue
                }
                fence = nil
                if case .fence(var opened)? = start {
                    opened.depth = depth
                    fence = opened
                    blocks.append(CodeBlock(language: word(ofFence: rest)))
                }
                break
            }
        }
        return blocks
    }

    /// Returns the language of the code after a line that opens a block; nil if it is unknown.
    static func language(inFence line: ArraySlice<Unicode.Scalar>) -> CodeLanguage? {
        CodeLanguage.named(word(ofFence: line).lowercased())
    }

    private static func word(ofFence line: ArraySlice<Unicode.Scalar>) -> String {
        let info = line.drop { $0 == " " || $0 == "`" || $0 == "~" || $0 == "{" || $0 == "." }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: info.prefix { !$0.isSpace && $0 != "{" && $0 != "}" && $0 != "," && $0 != ":" })
        return String(word)
    }

    private init(language: String) { self.language = language }

    private mutating func add(_ line: ArraySlice<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: line)
        text += String(view) + "\n"
    }
}
