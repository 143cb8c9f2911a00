import HeadgateClient
import HeadgateService
import HeadgateTerminal

extension ChatConversation {
    /// Runs `/file`.
    func attach(_ argument: String) throws {
        guard !argument.isEmpty else {
            if files.isEmpty { say("No files go with the next prompt.") }
            for file in files { say("  \(Neutralised.line(file.summary))") }
            return
        }
        let names = QuotedWords.split(argument)
        guard names != [""] else {
            files = []
            return say("No files go with the next prompt any more.", .dim)
        }
        let more = try names.map { try AttachedFile(readingFrom: $0) }
        try ChatPrompt.check(files + more)
        files += more
        sayWhatGoesAlong(more)
    }

    /// Lists files of the next prompt, and warns about content that the model might reject.
    func sayWhatGoesAlong(_ files: [AttachedFile]) {
        for file in files { say("\(Neutralised.line(file.summary)) goes with the next prompt.", .dim) }
        // All Anthropic models accept PDF; other servers do not report it.
        guard session.route != .messages, files.contains(where: \.isPDF) else { return }
        say("Not every model takes PDF: \(Neutralised.line(session.model)) may refuse it.", .alarming)
    }

    /// Runs `/edit`.
    func edit(_ argument: String) throws {
        let isLast = argument.lowercased() == "last"
        if isLast, lastPrompt == nil { throw Complaint("nothing was asked yet") }
        let first = isLast ? lastPrompt?.text ?? "" : argument
        let written = try PromptEditor.edit(first)
        service.relay.forget()
        guard !written.allSatisfy(\.isWhitespace) || isLast && lastPrompt?.files.isEmpty == false else {
            return say("Nothing was written, and nothing is sent.", .dim)
        }
        if isLast, written == first { return say("Nothing was changed: /retry asks again.", .dim) }
        // The text is shown as at the prompt, so that it is clear what was asked.
        say(written)
        remember(written)
        guard let lastPrompt, isLast else {
            try ask(ChatPrompt(written, files: files))
            files = []
            return
        }
        try askAgain(ChatPrompt(written, files: lastPrompt.files))
    }
}
