import HeadgateService

/// A conversation that goes on, and the name of its file where it is a kept one.
struct ResumedConversation {
    let conversation: SavedConversation
    let name: String?
}

extension ChatCommand {
    /// What `--continue` or `--load` names; nil without them.
    ///
    /// - Throws: ``Complaint``.
    func keptConversation() throws -> ResumedConversation? {
        guard goesOn || load != nil else { return nil }
        let kept = KeptConversations()
        let entries = kept?.list() ?? []
        if let load, Int(load) == nil {
            let conversation = try SavedConversation(readingFrom: RegularFile.path(load))
            return ResumedConversation(conversation: conversation, name: nil)
        }
        let number = load.flatMap { Int($0) } ?? 1
        guard let kept, number >= 1, number <= entries.count else {
            let advice = "there is no conversation \(number): --list lists those that are kept"
            throw Complaint(entries.isEmpty ? "no conversations are kept" : advice)
        }
        let entry = entries[number - 1]
        return ResumedConversation(conversation: try kept.read(entry), name: entry.name)
    }

    func listConversations() {
        guard let kept = KeptConversations() else { return announce("No conversations are kept.") }
        for line in kept.lines(of: kept.list(), current: nil) { announce(line) }
    }
}
