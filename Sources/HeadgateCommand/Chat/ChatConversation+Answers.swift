import HeadgateClient
import HeadgateService
import HeadgateTerminal

extension ChatConversation {
    /// Prompt to continue a reply, because not every server supports continuation.
    private static let goOnWords =
        "Go on exactly where your last answer broke off. Repeat nothing, and say nothing about it."

    /// Runs `/continue`. The new text becomes a part of the reply that was cut off.
    func goOn() throws {
        guard let id = lastResponse, let first = outcomes[id], let entry = session.transcript.last, entry.id == id
        else {
            throw Complaint("there is no answer that could go on")
        }
        guard first.mayGoOn else { throw Complaint("the last answer is whole: /retry asks for another one") }
        restart(session.transcript)
        session.route = try service.route(of: session.model) ?? session.route
        let known = session.transcript
        let more = service.ask(session, .text(ChatConversation.goOnWords), form: form, behind: first.response.content)
        let whole = first.continued(by: more)
        let reasoning = (entry.message.reasoning ?? "") + more.response.reasoning
        let message = ChatMessage(
            role: .assistant, content: .text(whole.response.content), reasoning: reasoning.isEmpty ? nil : reasoning)
        restart(
            known.dropLast()
                + [TranscriptEntry(id: id, message: message, isPartial: whole.isStopped || whole.failure != nil)])
        outcomes[id] = whole
        try note(more)
    }

    /// Runs `/copy`.
    func copy(_ argument: String) throws {
        let entry = lastResponse.flatMap { id in session.transcript.last { $0.id == id } }
        guard let text = entry?.message.text, !text.isEmpty else { throw Complaint("there is no answer to copy yet") }
        guard !argument.isEmpty else {
            let ways = try Clipboard.copy(text)
            return say("Copied the answer \(ways.joined(separator: " and ")).", .dim)
        }
        let blocks = CodeBlock.all(in: text)
        guard let number = Int(argument) else {
            throw Complaint("/copy takes the number of a block of code, or nothing for the whole answer")
        }
        guard number >= 1, number <= blocks.count else {
            throw Complaint(
                "the last answer has \(blocks.isEmpty ? "no" : "\(blocks.count)") "
                    + (blocks.count == 1 ? "block of code" : "blocks of code"))
        }
        let block = blocks[number - 1]
        let ways = try Clipboard.copy(block.text)
        let name = block.language.isEmpty ? "" : " (\(Neutralised.line(String(block.language.prefix(40)))))"
        say("Copied block \(number)\(name) \(ways.joined(separator: " and ")).", .dim)
    }

    /// Shows the end of a resumed conversation.
    func showAgain(_ id: Int) {
        let entries = session.transcript
        guard let index = entries.firstIndex(where: { $0.id == id }), let outcome = outcomes[id] else { return }
        if index > 0 { say("> \(prompts[entries[index - 1].id]?.text ?? entries[index - 1].message.text)", .bold) }
        var display = ResponseDisplay(form)
        _ = display.show(outcome.response)
        display.end()
    }
}

extension ChatOutcome {
    /// Returns both outcomes as one reply with the sum of their times.
    fileprivate func continued(by more: ChatOutcome) -> ChatOutcome {
        var whole = more
        whole.response.content = response.content + more.response.content
        whole.response.reasoning = response.reasoning + more.response.reasoning
        whole.firstAfter = firstAfter
        whole.total = total + more.total
        if let usage = response.usage, let other = more.response.usage { whole.response.usage = usage + other }
        return whole
    }
}
