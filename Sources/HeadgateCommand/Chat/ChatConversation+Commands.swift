import HeadgateClient
import HeadgateConfiguration
import HeadgateService
import HeadgateTerminal

extension ChatConversation {
    /// - Throws: ``Complaint``, after which the conversation goes on; ``Interruption``.
    func run(_ command: ChatCommandName, _ argument: String) throws {
        switch command {
        case .new:
            session.clear()
            outcomes = [:]
            usage = ConversationUsage()
            (lastPrompt, lastResponse) = (nil, nil)
            say("A new conversation.", .dim)
        case .model: try chooseModel(argument)
        case .system: setInstructions(argument)
        case .retry: try retry()
        case .save: try save(to: argument)
        case .usage: for line in usage.lines { say(line) }
        case .help: help()
        case .quit: break
        }
    }

    func sayUnknown(_ name: String) {
        let meant = nearest(name, in: ChatCommandName.allCases.map(\.rawValue))
        let advice = meant.map { "did you mean /\($0)?" } ?? "/help lists them."
        say("There is no /\(name): \(advice) To send a text that begins with a slash, write two.", .alarming)
    }

    /// What Tab offers after this beginning of a line.
    func complete(_ line: String) -> [String] {
        guard line.hasPrefix("/") else { return [] }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        if words.count == 1 { return ChatCommandName.allCases.map { "/" + $0.rawValue }.filter { $0.hasPrefix(line) } }
        guard words.count == 2, words[0] == "/model", let names = try? models() else { return [] }
        // Names that would have to be changed to be shown cannot be typed in.
        return names.filter { $0.hasPrefix(words[1]) && Neutralised.line($0) == $0 }
    }

    private func models() throws -> [String] {
        if let modelNames { return modelNames }
        let names = try service.models()
        modelNames = names
        return names
    }

    private func chooseModel(_ name: String) throws {
        guard name.isEmpty else {
            let route = try service.route(of: name)
            (session.model, session.route) = (name, route ?? .chatCompletions)
            let isKnown = (try? models().contains(name)) ?? true
            return say(
                "Talking to \(name)." + (isKnown ? "" : " The gateway does not list it; /model shows what it lists."),
                .dim)
        }
        for name in try models() { say((name == session.model ? "* " : "  ") + Neutralised.line(name)) }
    }

    private func setInstructions(_ text: String) {
        switch text {
        case "": say(session.instructions.map { "The system prompt is: \($0)" } ?? "There is no system prompt.")
        case "\"\"":
            session.instructions = nil
            say("There is no system prompt any more.", .dim)
        default:
            session.instructions = text
            say("System prompt set, from the next answer on.", .dim)
        }
    }

    private func retry() throws {
        guard let prompt = lastPrompt else { throw Complaint("there is nothing to ask again") }
        let route = try service.route(of: session.model) ?? session.route
        // A prompt that got no answer is not in the transcript any more.
        let entries = session.transcript.dropLast(lastResponse == nil ? 0 : 2)
        session = ChatSession(
            client: service.client, model: session.model, instructions: session.instructions, options: session.options,
            transcript: Array(entries))
        session.route = route
        try ask(prompt)
    }

    private func save(to name: String) throws {
        let home = ProcessEnvironment.current["HOME"] ?? "~"
        let path = name.hasPrefix("~/") ? home + name.dropFirst() : name
        guard !path.isEmpty else { throw Complaint("/save needs the name of a file, such as /save talk.md") }
        guard !session.transcript.isEmpty else { throw Complaint("there is nothing to save yet") }
        let saved = SavedConversation(
            model: session.model, instructions: session.instructions, entries: session.transcript, outcomes: outcomes)
        try saved.write(to: path, replaces: savedFiles.contains(path))
        savedFiles.insert(path)
        say("Saved to \(path).", .dim)
    }

    private func help() {
        let heads = ChatCommandName.allCases.map { "/\($0.rawValue) \($0.argument)" }
        let width = heads.map(\.count).max() ?? 0
        for (head, command) in zip(heads, ChatCommandName.allCases) {
            say("  \(head)\(String(repeating: " ", count: width - head.count))  \(command.summary)")
        }
        say(
            """

              A backslash at the end of a line, Alt-Enter, or \"\"\" around a text: several lines
              Ctrl-C   stops an answer and keeps what came of it; at the prompt it clears the line
              Ctrl-D   leaves
            """)
    }
}
