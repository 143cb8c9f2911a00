import HeadgateClient
import HeadgateConfiguration
import HeadgateService
import HeadgateTerminal

extension ChatConversation {
    /// Runs a command.
    ///
    /// - Throws: ``Complaint``, after which the conversation continues, or ``Interruption``.
    func run(_ command: ChatCommandName, _ argument: String) throws {
        switch command {
        case .new: begin()
        case .model: try chooseModel(argument)
        case .system: setInstructions(argument)
        case .set: try set(argument)
        case .unset: try unset(argument)
        case .file: try attach(argument)
        case .edit: try edit(argument)
        case .retry: try retry()
        case .continue: try goOn()
        case .copy: try copy(argument)
        case .sessions: listSessions()
        case .load: try load(argument)
        case .delete: try delete(argument)
        case .undelete: try undelete()
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

    /// Returns the completions of the beginning of a line.
    func complete(_ line: String) -> [String] {
        guard line.hasPrefix("/") else { return [] }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        if words.count == 1 { return ChatCommandName.allCases.map { "/" + $0.rawValue }.filter { $0.hasPrefix(line) } }
        guard let command = ChatCommandName(rawValue: words[0].dropFirst().lowercased()), let last = words.last else {
            return []
        }
        switch command {
        case .file: return RegularFile.completions(of: String(last))
        case .save, .load: return words.count == 2 ? RegularFile.completions(of: String(last)) : []
        default: return words.count == 2 ? arguments(of: command).filter { $0.hasPrefix(last) } : []
        }
    }

    private func arguments(of command: ChatCommandName) -> [String] {
        switch command {
        // A name that cannot be shown unchanged cannot be typed either.
        case .model: ((try? models()) ?? []).filter { Neutralised.line($0) == $0 }
        case .set, .unset: ChatSetting.allCases.map(\.rawValue)
        case .edit: ["last"]
        case .delete: (1...max(1, keptEntries.count)).prefix(keptEntries.count).map { String($0) }
        default: []
        }
    }

    func models() throws -> [String] {
        if let modelNames { return modelNames }
        let names = try service.models()
        modelNames = names
        return names
    }

    func begin() {
        session.clear()
        (prompts, outcomes, files) = ([:], [:], [])
        savedFiles = []
        usage = ConversationUsage()
        (lastPrompt, lastResponse) = (nil, nil)
        record = record.map { ConversationRecord($0.place) }
        say("A new conversation.", .dim)
    }

    private func chooseModel(_ name: String) throws {
        guard name.isEmpty else {
            let route = try service.route(of: name)
            if route == nil { try checkModel(name) }
            (session.model, session.route) = (name, route ?? .chatCompletions)
            return say("Talking to \(name).", .dim)
        }
        for name in try models() { say((name == session.model ? "* " : "  ") + Neutralised.line(name)) }
    }

    /// Checks a model name that the gateway does not describe. It is accepted if the gateway lists it, or lists no
    /// models.
    ///
    /// - Throws: ``Complaint`` if there is no such model, or ``Interruption``.
    func checkModel(_ name: String) throws {
        modelNames = nil
        let names: [String]
        do { names = try models() } catch is Complaint { return }
        guard !names.isEmpty, !names.contains(name) else { return }
        let meant = NearestModels.names(for: name, in: names)
        let advice =
            meant.isEmpty
            ? "/model lists them." : "did you mean \(meant.map { Neutralised.line($0) }.joined(separator: " or "))?"
        throw Complaint("There is no model \(Neutralised.line(name)): \(advice)")
    }

    private func retry() throws {
        guard let prompt = lastPrompt else { throw Complaint("there is nothing to ask again") }
        try askAgain(prompt)
    }

    /// Replaces the last prompt and its reply. If there is no new reply, they stay.
    ///
    /// - Throws: ``Interruption``.
    func askAgain(_ prompt: ChatPrompt) throws {
        session.route = try service.route(of: session.model) ?? session.route
        let (entries, known) = (session.transcript, (prompts, outcomes, lastResponse))
        // A prompt without a reply is no longer in the transcript.
        restart(Array(entries.dropLast(lastResponse == nil ? 0 : 2)))
        let outcome = take(prompt)
        if lastResponse == nil {
            restart(entries)
            (prompts, outcomes, lastResponse) = known
        }
        try note(outcome)
    }

    /// Replaces the transcript.
    func restart(_ entries: [TranscriptEntry]) {
        let route = session.route
        session = ChatSession(
            client: service.client, model: session.model, instructions: session.instructions, options: session.options,
            transcript: entries)
        session.route = route
        let ids = Set(entries.map(\.id))
        prompts = prompts.filter { ids.contains($0.key) }
        outcomes = outcomes.filter { ids.contains($0.key) }
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
