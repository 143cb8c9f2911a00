import CHeadgate
import HeadgateLibC
import HeadgateNetwork
import HeadgateService
import HeadgateTerminal

/// Stored conversations, one per file. New ones replace the oldest.
struct KeptConversations {
    struct Entry {
        let name: String
        /// Time of the last reply in seconds since 1970. A file can have any time, even one whose nanoseconds overflow.
        let seconds: Int
        let nanoseconds: Int
        let size: Int
    }

    private static let most = 200
    private static let mostBytes = 256 << 20

    private let folder: String

    /// - Returns: Nil if there is no folder for conversations.
    init?() {
        guard let state = ChatStateFolder.path else { return nil }
        folder = state + "/chats"
    }

    /// Returns the stored conversations, with the latest first.
    func list() -> [Entry] {
        var entries: [Entry] = []
        for name in RegularFile.names(in: folder) {
            var status = stat()
            guard name.hasSuffix(".json"), lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let time = status.modified
            entries.append(
                Entry(name: name, seconds: time.tv_sec, nanoseconds: time.tv_nsec, size: Int(status.st_size)))
        }
        return entries.sorted { ($0.seconds, $0.nanoseconds, $0.name) > ($1.seconds, $1.nanoseconds, $1.name) }
    }

    /// - Throws: ``Complaint`` if the file cannot be read.
    func read(_ entry: Entry) throws -> SavedConversation {
        try SavedConversation(readingFrom: "\(folder)/\(entry.name)")
    }

    /// Reads a conversation to resume it.
    ///
    /// - Throws: ``Complaint``.
    func resume(_ entry: Entry) throws -> ResumedConversation {
        // The version is taken before the file is read, so that a later change by another chat is detected.
        let version = version(of: entry.name)
        return ResumedConversation(conversation: try read(entry), name: entry.name, version: version)
    }

    /// Writes a conversation, and replaces an existing one with this name.
    ///
    /// - Throws: ``Complaint``.
    func write(_ conversation: SavedConversation, as name: String) throws {
        try NewFile.write(try conversation.json(), to: "\(folder)/\(name)", replacing: true)
        prune()
    }

    /// - Throws: ``Complaint`` if the file cannot be deleted.
    func delete(_ entry: Entry) throws {
        guard unlink("\(folder)/\(entry.name)") == 0 || errno == ENOENT else {
            throw Complaint("cannot delete \(folder)/\(entry.name): \(systemErrorText(errno))")
        }
    }

    /// Returns the text of a conversation's file.
    ///
    /// - Throws: ``Complaint``.
    func text(of entry: Entry) throws -> String {
        let path = "\(folder)/\(entry.name)"
        let bytes = try RegularFile.read(path, upTo: SavedConversation.largestFile)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Complaint("\(path) is no text") }
        return text
    }

    /// Restores a deleted conversation at its former position in the list.
    ///
    /// - Returns: Name of the file. It is a new one if another chat has continued the conversation.
    /// - Throws: ``Complaint``.
    func restore(_ text: String, as entry: Entry) throws -> String {
        let name = version(of: entry.name) == 0 ? entry.name : KeptConversations.newName()
        let path = "\(folder)/\(name)"
        try NewFile.write(text, to: path, replacing: false)
        // If the time cannot be set, the conversation is listed as the latest.
        var times = [timespec](repeating: timespec(tv_sec: entry.seconds, tv_nsec: entry.nanoseconds), count: 2)
        utimensat(AT_FDCWD, path, &times, 0)
        return name
    }

    /// Returns a new unique name.
    static func newName() -> String {
        var number: UInt32 = 0
        // Without random bytes, the time alone identifies the conversation.
        _ = headgate_random_bytes(&number, 4)
        return "\(LocalTime.text(Int(headgate_realtime_nanoseconds() / 1_000_000_000), "%Y%m%d-%H%M%S"))-\(number).json"
    }

    /// Returns a number that identifies a version of a file; 0 if there is no file.
    func version(of name: String) -> UInt64 {
        var status = stat()
        guard lstat("\(folder)/\(name)", &status) == 0 else { return 0 }
        // An inode number can be reused after its file is deleted, but not with the same time.
        let time = status.modified.tv_sec &* 1_000_000_000 &+ status.modified.tv_nsec
        return max(1, UInt64(status.st_ino) ^ UInt64(bitPattern: Int64(time)))
    }

    private func prune() {
        var size = 0
        for (index, entry) in list().enumerated() {
            size += min(entry.size, KeptConversations.mostBytes + 1)
            if index > 0, index >= KeptConversations.most || size > KeptConversations.mostBytes {
                unlink("\(folder)/\(entry.name)")
            }
        }
    }
}

extension KeptConversations {
    /// Returns lines that describe conversations.
    ///
    /// - Parameters:
    ///   - entries: Conversations in the order of ``list()``.
    ///   - current: Name of the current conversation.
    func lines(of entries: [Entry], current: String?) -> [String] {
        guard !entries.isEmpty else { return ["No conversations are kept."] }
        let width = String(entries.count).count
        return entries.enumerated().map { index, entry in
            let number = String(index + 1)
            let head =
                (entry.name == current ? "* " : "  ") + String(repeating: " ", count: width - number.count) + number
                + "  " + LocalTime.text(entry.seconds, "%Y-%m-%d %H:%M")
            guard let conversation = try? read(entry) else { return "\(head)  (cannot be read)" }
            let count = conversation.entries.count
            return "\(head)  \(Neutralised.line(conversation.model))  \(count) \(count == 1 ? "message" : "messages")  "
                + Neutralised.line(conversation.title)
        }
    }
}

/// Conversations that this chat has deleted and can restore until it ends.
struct DeletedConversations {
    struct Deleted {
        /// Entry of the file before its deletion.
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
