/// A position in the document. Lines and columns count from 1.
package struct SourcePosition: Hashable, Comparable, Sendable {
    package let line: Int
    package let column: Int

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// All problems of a document, in its order.
package struct GenerationFailure: Error, CustomStringConvertible {
    package let problems: [String]

    package var description: String { problems.joined(separator: "\n") }
}

/// Collects problems, so that one run reports all of them.
final class Diagnostics {
    private struct Entry: Hashable {
        let position: SourcePosition
        let message: String
    }

    let style: CodeStyle
    /// Whether the document is OpenAPI 3.0, which has `nullable`.
    var isVersion30 = false
    private var errors: [Entry] = []
    private var warnings: [Entry] = []
    private var known: Set<Entry> = []
    /// Number of parts that can still be read. The limit exists because references and aliases can make a short
    /// document endless.
    private var rest = 8_000_000
    /// Position at which the limit was exceeded; nil if it was not.
    private var excess: Entry?

    init(_ style: CodeStyle) { self.style = style }

    /// Reports an error. The whole output, or the part that is being attempted, is not generated.
    func report(_ position: SourcePosition, _ message: String) {
        let entry = Entry(position: position, message: message)
        if !errors.contains(entry) { errors.append(entry) }
    }

    /// Reports something that has no effect, or a different effect than intended. In a strict style, it is an error.
    func warn(_ position: SourcePosition, _ message: String) {
        if style.isStrict { return report(position, message) }
        note(position, message)
    }

    /// Notes a remark, which is not an error in any style.
    func note(_ position: SourcePosition, _ message: String) {
        let entry = Entry(position: position, message: message)
        if known.insert(entry).inserted { warnings.append(entry) }
    }

    /// Reads a part, which is left out if it has errors.
    ///
    /// - Parameter consequence: Result for the warning, such as `GET /pets is left out`.
    /// - Returns: The part; nil also if it was left out.
    func attempt<Part>(_ consequence: String, _ read: () -> Part?) -> Part? {
        guard !style.isStrict else { return read() }
        let before = errors
        errors = []
        let part = read()
        let found = errors
        errors = before
        for entry in found { note(entry.position, "\(entry.message), so \(consequence)") }
        return found.isEmpty ? part : nil
    }

    /// Counts a part that is read. Returns false if the document has too many, which is an error.
    func count(_ position: SourcePosition) -> Bool {
        rest -= 1
        if rest < 0, excess == nil {
            let message = "references and aliases repeat too much: 8,000,000 parts so far"
            excess = Entry(position: position, message: message)
        }
        return rest >= 0
    }

    /// - Throws: All reported errors, if there are any.
    func check() throws(GenerationFailure) {
        if let excess { throw GenerationFailure(problems: [line(excess, "error")]) }
        guard !errors.isEmpty else { return }
        throw GenerationFailure(problems: sorted(errors).map { line($0, "error") })
    }

    /// Remarks for the user. A remark about many places is listed once, with their number.
    var remarks: [String] {
        let counts = Dictionary(warnings.map { ($0.message, 1) }, uniquingKeysWith: +)
        var told: Set<String> = []
        return sorted(warnings).compactMap { entry in
            guard told.insert(entry.message).inserted else { return nil }
            let others = (counts[entry.message] ?? 1) - 1
            return line(entry, "warning")
                + (others == 0 ? "" : " (and in \(others) more place\(others == 1 ? "" : "s"))")
        }
    }

    private func sorted(_ entries: [Entry]) -> [Entry] {
        entries.sorted { ($0.position, $0.message) < ($1.position, $1.message) }
    }

    private func line(_ entry: Entry, _ kind: String) -> String {
        "\(style.document):\(entry.position.line):\(entry.position.column): \(kind): \(entry.message)"
    }
}
