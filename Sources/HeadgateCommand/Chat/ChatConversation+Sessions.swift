import HeadgateClient
import HeadgateService
import HeadgateTerminal

extension ChatConversation {
    /// The conversation in its stored form.
    private var saved: SavedConversation {
        SavedConversation(
            model: session.model, instructions: session.instructions, options: session.options,
            entries: session.transcript, outcomes: outcomes, prompts: prompts)
    }

    /// Stores the conversation for later chats, if enabled.
    func keep() {
        guard record != nil, !session.transcript.isEmpty else { return }
        do {
            try record?.write(saved)
        } catch {
            record = nil
            let reason = (error as? Complaint)?.message ?? "\(error)"
            say("(this conversation is not kept: \(reason))", .alarming)
        }
    }

    /// Runs `/save`.
    func save(to name: String) throws {
        let path = RegularFile.path(ofArgument: name)
        guard !path.isEmpty else { throw Complaint("/save needs the name of a file, such as /save talk.md") }
        guard !session.transcript.isEmpty else { throw Complaint("there is nothing to save yet") }
        try saved.write(to: path, replaces: savedFiles.contains(path))
        savedFiles.insert(path)
        say("Saved to \(path).", .dim)
    }

    /// Runs `/sessions`.
    func listSessions() {
        guard let kept = KeptConversations() else { return say("No conversations are kept.") }
        listed = kept.list()
        for line in kept.lines(of: listed, current: record?.name) { say(line) }
        if !listed.isEmpty { say("/load NUMBER goes on with one of them.", .dim) }
    }

    /// Runs `/load`.
    func load(_ argument: String) throws {
        guard !argument.isEmpty else { throw Complaint("/load needs a number of /sessions, or the name of a file") }
        let kept = KeptConversations()
        guard let number = Int(argument) else {
            let path = RegularFile.path(ofArgument: argument)
            return try take(ResumedConversation(conversation: SavedConversation(readingFrom: path)))
        }
        let entries = keptEntries
        guard let kept, number >= 1, number <= entries.count else {
            throw Complaint("there is no conversation \(number): /sessions lists those that are kept")
        }
        try take(kept.resume(entries[number - 1]))
    }

    /// Conversations by number, as last listed, so that a deletion does not change the numbers.
    var keptEntries: [KeptConversations.Entry] { listed.isEmpty ? KeptConversations()?.list() ?? [] : listed }

    /// Runs `/delete`.
    ///
    /// - Throws: ``Complaint``, or ``Interruption``.
    func delete(_ argument: String) throws {
        guard let number = Int(argument) else { throw Complaint("/delete needs a number of /sessions") }
        listed = keptEntries
        guard let kept = KeptConversations(), number >= 1, number <= listed.count else {
            throw Complaint("there is no conversation \(number): /sessions lists those that are kept")
        }
        let name = listed[number - 1].name
        guard let entry = kept.list().first(where: { $0.name == name }) else {
            throw Complaint("conversation \(number) is gone already")
        }
        let title = (try? kept.read(entry)).map { "“\(Neutralised.line($0.title))”" }
        guard try agrees(to: "Delete conversation \(number), \(title ?? "that cannot be read, for good")?") else {
            return say("Nothing is deleted.", .dim)
        }
        // Additions of another chat since the question are included.
        let text = title == nil ? nil : try? kept.text(of: entry)
        try kept.delete(entry)
        if let title, let text {
            deleted.add(DeletedConversations.Deleted(entry: entry, text: text, title: title))
            say("Conversation \(number) is deleted. /undelete brings it back until you leave.", .dim)
        } else {
            say("Conversation \(number) is deleted.", .dim)
        }
        if name == record?.name { begin() }
    }

    /// Runs `/undelete`.
    ///
    /// - Throws: ``Complaint``.
    func undelete() throws {
        guard let last = deleted.last, let kept = KeptConversations() else {
            throw Complaint("nothing has been deleted here that could be brought back")
        }
        let name = try kept.restore(last.text, as: last.entry)
        deleted.removeLast()
        let number = listed.firstIndex { $0.name == name }
        let advice = number.map { "/load \($0 + 1) goes on with it." } ?? "/sessions lists it."
        say("\(last.title) is back. \(advice)", .dim)
    }

    /// Replaces this conversation with another.
    ///
    /// - Throws: ``Interruption``.
    private func take(_ resumed: ResumedConversation) throws {
        try adopt(resumed)
        if let lastResponse { showAgain(lastResponse) }
        let count = session.transcript.count
        say("Going on with \(count) \(count == 1 ? "message" : "messages"), talking to \(session.model).", .dim)
    }

    /// Continues a resumed conversation.
    ///
    /// - Parameter keepsModel: Whether to keep the current model instead of the conversation's.
    /// - Throws: ``Interruption``.
    func adopt(_ resumed: ResumedConversation, keepsModel: Bool = false) throws {
        let conversation = resumed.conversation
        if !keepsModel, conversation.model != session.model {
            let route = try service.route(of: conversation.model)
            // The model might have been removed since, or belong to another gateway.
            if route != nil || (try? models().contains(conversation.model)) == true {
                (session.model, session.route) = (conversation.model, route ?? .chatCompletions)
            }
        }
        (outcomes, prompts, files) = (conversation.outcomes, conversation.prompts, [])
        savedFiles = []
        usage = ConversationUsage()
        session.instructions = conversation.instructions
        session.options = conversation.options
        var entries = conversation.entries
        // A prompt without a reply can be sent again.
        let isOpen = entries.last?.message.role == .user
        lastPrompt = entries.last { $0.message.role == .user }.flatMap { prompts[$0.id] }
        if isOpen { entries.removeLast() }
        lastResponse = isOpen ? nil : entries.last?.id
        restart(entries)
        record = record.map { ConversationRecord($0.place, name: resumed.name, version: resumed.version) }
    }
}
