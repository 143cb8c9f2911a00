/// Rules about `docs/reliability.md`. Its tables name, for each fault, the test that proves the promise.
enum ReliabilityRules {
    static let document = "docs/reliability.md"

    /// Each row must name an existing test as `File.function`, or say that there is none yet.
    ///
    /// - Parameter tests: name without extension, and text, of every file with tests.
    static func unproven(_ text: String, tests: [(name: String, text: String)]) -> [Violation] {
        rows(of: text).flatMap { number, row -> [Violation] in
            let named = row.matches(of: #/`(\w*Tests|test_\w+)\.(\w+)`/#).map { (String($0.1), String($0.2)) }
            guard !named.isEmpty || row.contains("no test yet") else {
                return [
                    Violation(path: document, line: number, "the row names no test: name one, or write 'no test yet'")
                ]
            }
            return named.filter { file, function in
                !tests.contains { $0.name == file && declares(function, $0.text) }
            }.map { file, function in
                let advice = "name the test that proves the row now"
                return Violation(path: document, line: number, "there is no test \(function) in \(file): \(advice)")
            }
        }
    }

    private static func declares(_ function: String, _ text: String) -> Bool {
        text.contains("func \(function)(") || text.contains("def \(function)(")
    }

    /// Returns the rows below the heads of the tables, with their line numbers.
    private static func rows(of text: String) -> [(number: Int, text: Substring)] {
        var isBody = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.hasPrefix("|") else {
                isBody = false
                return nil
            }
            defer { isBody = isBody || line.hasPrefix("|---") }
            return isBody ? (index + 1, line) : nil
        }
    }
}
