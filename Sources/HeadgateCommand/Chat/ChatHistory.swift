import HeadgateLibC
import HeadgateService
import HeadgateTerminal

/// Prompts of earlier conversations, in a file that only this user can read. Several chats can add to it concurrently.
/// Without a folder for state, nothing is stored.
struct ChatHistory {
    private static let size = 1000
    private static let largestFile = 4 << 20

    private let path: String?

    init() { path = ChatStateFolder.path.map { $0 + "/chat_history" } }

    /// Returns the latest prompts, the oldest first.
    func load() -> [String] {
        guard let path else { return [] }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let length = Int(lseek(descriptor, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: min(length, ChatHistory.largestFile))
        let count = pread(descriptor, &bytes, bytes.count, off_t(length - bytes.count))
        guard count > 0 else { return [] }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        if lines.count > 2 * ChatHistory.size { rewrite(path, Array(lines.suffix(ChatHistory.size))) }
        return lines.suffix(ChatHistory.size).map { HistoryLine.decode($0) }
    }

    func add(_ prompt: String) {
        guard let path else { return }
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            mkdir(made, 0o700)
        }
        append(HistoryLine.encode(prompt) + "\n", to: path, O_APPEND | O_NOFOLLOW)
    }

    private func rewrite(_ path: String, _ lines: [Substring]) {
        let new = "\(path).\(getpid())"
        append(lines.joined(separator: "\n") + "\n", to: new, O_EXCL)
        rename(new, path)
    }

    private func append(_ text: String, to path: String, _ flags: Int32) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { return }
        fchmod(descriptor, 0o600)
        writeAll(text, to: descriptor)
        close(descriptor)
    }
}

/// Folder for stored state of chats.
enum ChatStateFolder {
    /// Path of the folder; nil if the environment names none.
    static var path: String? {
        let environment = ProcessEnvironment.current
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        return state.map { $0 + "/headgate" }
    }
}
