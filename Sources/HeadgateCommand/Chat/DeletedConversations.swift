/// What this chat has deleted and can bring back until it ends, when nothing of it is left.
struct DeletedConversations {
    struct Deleted {
        /// The file as it was.
        let entry: KeptConversations.Entry
        let text: String
        let title: String
    }

    private static let mostBytes = 256 << 20

    private var all: [Deleted] = []

    var last: Deleted? { all.last }

    mutating func add(_ deleted: Deleted) {
        all.append(deleted)
        var size = all.reduce(0) { $0 + $1.text.utf8.count }
        while size > DeletedConversations.mostBytes, all.count > 1 { size -= all.removeFirst().text.utf8.count }
    }

    mutating func removeLast() { all.removeLast() }
}
