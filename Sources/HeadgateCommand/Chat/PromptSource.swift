import HeadgateLibC

/// Input at a prompt.
enum TypedLine {
    case line(String)
    /// Ctrl-C: what was typed is not meant.
    case cleared
    /// Ctrl-D, the end of the input, or a signal that ends the conversation.
    case end
}

/// Source of lines.
protocol PromptSource: AnyObject {
    /// Asks for a line and waits for it. A space follows the prompt.
    func read(prompt: String) -> TypedLine
    /// Lets the person find a prompt again.
    func remember(_ text: String)
}

/// Lines of a terminal that cannot do more, or whose answers go elsewhere: prompts go to standard error.
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
