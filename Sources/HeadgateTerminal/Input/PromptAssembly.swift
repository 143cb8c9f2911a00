/// Assembles a prompt from typed lines. A backslash at the end of a line continues it, and `"""` begins and ends a text
/// of several lines.
package struct PromptAssembly: Sendable {
    private static let fence = "\"\"\""

    private var lines: [String] = []
    private var isFenced = false

    package init() {}

    /// Whether the prompt needs more lines.
    package var isOpen: Bool { isFenced || !lines.isEmpty }

    /// - Parameter line: Text typed before the Enter key. Several lines at once, such as pasted ones, are a complete
    ///   prompt.
    /// - Returns: The prompt, if this was its last line.
    package mutating func add(_ line: String) -> String? {
        if !isOpen, line.contains("\n") { return line }
        var line = line
        if !isOpen, line.hasPrefix(PromptAssembly.fence) {
            isFenced = true
            line = String(line.dropFirst(PromptAssembly.fence.count))
            // A line break after the fence is ignored.
            if line.isEmpty { return nil }
        }
        if isFenced {
            guard line.hasSuffix(PromptAssembly.fence) else {
                lines.append(line)
                return nil
            }
            let rest = String(line.dropLast(PromptAssembly.fence.count))
            return take(adding: rest.isEmpty ? nil : rest)
        }
        // Two backslashes are one literal backslash.
        guard line.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1 else { return take(adding: line) }
        lines.append(String(line.dropLast()))
        return nil
    }

    /// Discards the typed lines.
    package mutating func clear() { self = PromptAssembly() }

    private mutating func take(adding last: String?) -> String {
        defer { clear() }
        return (lines + (last.map { [$0] } ?? [])).joined(separator: "\n")
    }
}
