/// A place in the document; both count from 1.
package struct SourcePosition: Hashable, Comparable, Sendable {
    package let line: Int
    package let column: Int

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Everything that is wrong with a document, in its order.
package struct GenerationFailure: Error, CustomStringConvertible {
    package let problems: [String]

    package var description: String { problems.joined(separator: "\n") }
}

/// Collects what is wrong, so that one run reports all of it.
final class Diagnostics {
    let style: CodeStyle
    /// Of the document, where it says it is OpenAPI 3.0: `nullable` is of that.
    var isVersion30 = false
    private var found: [(position: SourcePosition, message: String)] = []

    init(_ style: CodeStyle) { self.style = style }

    func report(_ position: SourcePosition, _ message: String) {
        guard !found.contains(where: { $0 == (position, message) }) else { return }
        found.append((position, message))
    }

    /// - Throws: what was reported, if anything was.
    func check() throws(GenerationFailure) {
        guard !found.isEmpty else { return }
        let sorted = found.sorted { ($0.position, $0.message) < ($1.position, $1.message) }
        throw GenerationFailure(
            problems: sorted.map { "\(style.document):\($0.position.line):\($0.position.column): error: \($0.message)" }
        )
    }
}
