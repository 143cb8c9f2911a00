import HeadgateLibC

/// Input at a prompt.
enum TypedLine {
    case line(String)
    /// Ctrl-C: the typed text is discarded.
    case cleared
    /// Ctrl-D, the end of the input, or a signal that ends the conversation.
    case end
}

/// Source of lines.
protocol PromptSource: AnyObject {
    /// Shows a prompt, followed by a space, and waits for a line.
    func read(prompt: String) -> TypedLine
    /// Adds a prompt to the history.
    func remember(_ text: String)
}

/// Reads lines from a terminal without line editing, or if replies go elsewhere. Prompts go to standard error.
final class PlainLines: PromptSource {
    private let input: TerminalInput

    init(_ input: TerminalInput) { self.input = input }

    func read(prompt: String) -> TypedLine {
        writeAll(prompt + " ", to: STDERR_FILENO)
        var line = String.UnicodeScalarView()
        while true {
            switch input.next() {
            case .character("\n"): return .line(String(line))
            case .character(let scalar): line.append(scalar)
            case .end: return line.isEmpty ? .end : .line(String(line))
            case .cleared:
                writeAll("\n", to: STDERR_FILENO)
                return .cleared
            case .interrupted: return .end
            case .resized: break
            }
        }
    }

    func remember(_: String) {}
}
