/// Rules about the size of files and lines. Generated files are exempt.
enum SizeRules {
    static let longest = 500
    static let highestMedian = 120
    static let columns = 120

    static func tooLong(_ files: [SourceFile]) -> [Violation] {
        files.filter { !$0.isGenerated && $0.lineCount > longest }.map { file in
            Violation(file, "\(file.lineCount) lines, above \(longest): give each concept its own file")
        }
    }

    static func tooWide(_ files: [SourceFile]) -> [Violation] {
        files.filter { !$0.isGenerated }.flatMap { file in
            file.wideLines(above: columns).map { line in
                Violation(file, line: line, "more than \(columns) columns: break the line, or say it in fewer words")
            }
        }
    }

    /// Lines of Markdown must be at most 120 columns wide, except in code and tables, which cannot be broken.
    static func tooWide(_ path: String, _ text: String) -> [Violation] {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            let start = line.drop { $0 == " " }
            if start.hasPrefix("```") || start.hasPrefix("~~~") { isCode.toggle() }
            guard !isCode, !start.hasPrefix("|"), !start.hasPrefix("`"), line.count > columns else { return nil }
            return Violation(path: path, line: index + 1, "more than \(columns) columns: break the line")
        }
    }

    static func highMedian(_ files: [SourceFile]) -> [Violation] {
        let counts = files.filter { !$0.isGenerated }.map(\.lineCount).sorted()
        guard let median = counts.isEmpty ? nil : counts[counts.count / 2], median > highestMedian else { return [] }
        let advice = "split the longest files by concept"
        return [Violation(path: "Sources", "the median file has \(median) lines, above \(highestMedian): \(advice)")]
    }
}
