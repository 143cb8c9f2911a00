/// Writes the document as literals, which compile faster than an embedded resource.
struct DocumentWriter {
    /// Number of text lines in each file.
    private static let linesPerFile = 400

    /// Returns the files with their names.
    static func files(yaml: String, json: String, _ style: CodeStyle) -> [(name: String, text: SourceText)] {
        let yamlParts = parts(yaml)
        let jsonParts = parts(json)
        var index = SourceText(style)
        index.comment("The document that this module was generated from.")
        index.block("package enum OpenAPIDocument") { text in
            text.comment("As it was written.")
            text.line("package static let yaml = \(sum("yaml", yamlParts.count))")
            text.comment("The same as JSON.")
            text.line("package static let json = \(sum("json", jsonParts.count))")
        }
        return [("OpenAPIDocument", index)] + files("yaml", yamlParts, style) + files("json", jsonParts, style)
    }

    private static func files(
        _ name: String, _ parts: [String], _ style: CodeStyle
    ) -> [(name: String, text: SourceText)] {
        parts.enumerated().map { number, part in
            var file = SourceText(style)
            let hashes = SourceLiteral.hashes(around: part)
            file.block("extension OpenAPIDocument") { text in
                text.line("// swift-format-ignore")
                text.line("static let \(name)\(number + 1) = \(hashes)\"\"\"")
                text.verbatim(part)
                text.verbatim("\"\"\"\(hashes)")
            }
            return ("OpenAPIDocument+\(name.uppercased())\(number + 1)", file)
        }
    }

    /// Returns parts of whole lines, each without its last line break.
    private static func parts(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return stride(from: 0, to: lines.count, by: linesPerFile).map { start in
            lines[start..<min(start + linesPerFile, lines.count)].joined(separator: "\n")
        }
    }

    private static func sum(_ name: String, _ count: Int) -> String {
        "[" + (1...count).map { "\(name)\($0)" }.joined(separator: ", ") + "].joined(separator: \"\\n\")"
    }
}
