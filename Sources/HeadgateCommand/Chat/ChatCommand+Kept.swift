import HeadgateService

/// A resumed conversation. If it is stored, it includes the name of its file and the version that was read.
struct ResumedConversation {
    let conversation: SavedConversation
    var name: String?
    var version: UInt64 = 0
}

extension ChatCommand {
    /// Returns the conversation that `--continue` or `--load` selects; nil without these options.
    ///
    /// - Throws: ``Complaint`` if there is no such conversation.
    func keptConversation() throws -> ResumedConversation? {
        guard goesOn || load != nil else { return nil }
        let kept = KeptConversations()
        let entries = kept?.list() ?? []
        if let load, Int(load) == nil {
            let conversation = try SavedConversation(readingFrom: RegularFile.path(load))
            return ResumedConversation(conversation: conversation)
        }
        let number = load.flatMap { Int($0) } ?? 1
        guard let kept, number >= 1, number <= entries.count else {
            let advice = "there is no conversation \(number): --list lists those that are kept"
            throw Complaint(entries.isEmpty ? "no conversations are kept" : advice)
        }
        return try kept.resume(entries[number - 1])
    }

    func listConversations() {
        guard let kept = KeptConversations() else { return announce("No conversations are kept.") }
        for line in kept.lines(of: kept.list(), current: nil) { announce(line) }
    }
}
