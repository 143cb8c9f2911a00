/// Input typed into a chat.
package enum ChatInput: Equatable, Sendable {
    /// Empty input.
    case nothing
    case prompt(String)
    case command(ChatCommandName, argument: String)
    /// Input that begins with a slash, but names no command.
    case unknownCommand(String)

    /// - Parameter text: One or more lines. `//` at the beginning sends a text that begins with one slash.
    package init(_ text: String) {
        let typed = text
        let text = typed.trimmingSpaces()
        guard text.hasPrefix("/") else {
            // Leading spaces can be the indentation of code.
            self = text.isEmpty ? .nothing : .prompt(typed.droppingLastSpaces())
            return
        }
        guard !text.hasPrefix("//") else {
            self = .prompt(String(text.dropFirst()))
            return
        }
        let name = text.dropFirst().prefix { !$0.isWhitespace }
        let argument = String(text.dropFirst(1 + name.count)).trimmingSpaces()
        self =
            ChatCommandName(rawValue: name.lowercased()).map { .command($0, argument: argument) }
            ?? .unknownCommand(String(name))
    }
}

/// Commands of a chat, in the order of the help text.
package enum ChatCommandName: String, CaseIterable, Sendable {
    case new, model, system, set, unset, file, edit, retry, `continue`, copy, sessions, load, delete, undelete, save
    case usage, help, quit

    /// Text after the command; empty if there is none.
    package var argument: String {
        switch self {
        case .model: "[NAME]"
        case .system: "[TEXT]"
        case .set: "[NAME [VALUE]]"
        case .unset: "NAME"
        case .file: "[PATH ...]"
        case .edit: "[last]"
        case .copy: "[NUMBER]"
        case .load: "NUMBER|FILE"
        case .delete: "NUMBER"
        case .save: "FILE"
        case .new, .retry, .continue, .sessions, .undelete, .usage, .help, .quit: ""
        }
    }

    package var summary: String {
        switch self {
        case .new: "begin a new conversation"
        case .model: "list the models, or talk to another one"
        case .system: "show or set the system prompt; \"\" removes it"
        case .set: "list the settings, such as temperature, or set one"
        case .unset: "leave a setting to the provider again"
        case .file: "send pictures, PDF or texts with the next prompt; \"\" takes them back"
        case .edit: "write a prompt in your editor; last: edit and resend the last one"
        case .retry: "ask for the last answer again"
        case .continue: "let an answer that was cut off go on"
        case .copy: "copy the last answer, or one of its blocks of code"
        case .sessions: "list the conversations that are kept"
        case .load: "go on with one of them, or with a file of /save or of the web chat"
        case .delete: "delete one of them, after a question"
        case .undelete: "bring back what was deleted last in this chat"
        case .save: "write the conversation to a file: .md as Markdown, else JSON that the web chat imports"
        case .usage: "tokens and times of the last answer and of the conversation"
        case .help: "this list"
        case .quit: "leave"
        }
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop(while: \.isWhitespace)).droppingLastSpaces()
    }

    fileprivate func droppingLastSpaces() -> String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
