import CHeadgate
import FoundationEssentials
import Glibc
import HeadgateClient
import HeadgateNetwork
import HeadgateService

/// A conversation as it is written to a file.
struct SavedConversation {
    let model: String
    let instructions: String?
    let entries: [TranscriptEntry]
    /// How answers came about, by the ids of their entries.
    let outcomes: [Int: ChatOutcome]

    /// Headings and the text as it is.
    var markdown: String {
        var text = "# Conversation with \(model)\n"
        if let instructions { text += "\n## System prompt\n\n\(instructions)\n" }
        for entry in entries {
            let name = entry.message.role == .user ? "You" : outcomes[entry.id]?.model ?? model
            text += "\n## \(name)\n\n\(entry.message.text)\n"
            if entry.isPartial { text += "\n*(not complete)*\n" }
        }
        return text
    }

    /// The format of the web chat's export.
    ///
    /// - Throws: what the encoder throws.
    func json() throws -> String {
        let title = entries.first?.message.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        let messages = entries.map { entry in
            let outcome = outcomes[entry.id]
            return Export.Message(
                role: entry.message.role.rawValue, content: entry.message.text, model: outcome?.model,
                reasoning: entry.message.reasoning,
                usage: outcome?.response.usage.map { .init(prompt: $0.promptTokens, completion: $0.completionTokens) },
                timing: outcome.map {
                    .init(first: $0.firstAfter.map { $0.seconds * 1000 }, total: $0.total.seconds * 1000)
                },
                stopped: outcome?.isStopped == true ? true : nil,
                error: outcome?.failure.map { .init(message: $0) })
        }
        let conversation = Export.Conversation(
            id: "", title: String(title.prefix(80)), updated: headgate_realtime_nanoseconds() / 1_000_000,
            model: model, instructions: instructions ?? "", messages: messages)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Export(conversations: [conversation])), as: UTF8.self) + "\n"
    }

    /// Writes it to a file that only this user can read.
    ///
    /// - Parameter replaces: whether there may be such a file.
    /// - Throws: ``Complaint``.
    func write(to path: String, replaces: Bool) throws {
        let text = path.lowercased().hasSuffix(".md") ? markdown : try json()
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replaces ? O_TRUNC : O_EXCL)
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw Complaint(
                errno == EEXIST
                    ? "\(path) exists: choose another name" : "cannot write \(path): \(systemErrorText(errno))")
        }
        defer { close(descriptor) }
        guard writeAll(text, to: descriptor) else {
            throw Complaint("cannot write \(path): \(systemErrorText(errno))")
        }
    }
}

/// What the web chat imports. Times are in milliseconds.
private struct Export: Encodable {
    struct Conversation: Encodable {
        let id: String
        let title: String
        let updated: Int64
        let model: String
        let instructions: String
        let messages: [Message]
    }

    struct Message: Encodable {
        struct Usage: Encodable {
            let prompt: Int
            let completion: Int
        }

        struct Timing: Encodable {
            let first: Double?
            let total: Double
        }

        struct Failure: Encodable { let message: String }

        let role: String
        let content: String
        let model: String?
        let reasoning: String?
        let usage: Usage?
        let timing: Timing?
        let stopped: Bool?
        let error: Failure?
    }

    let format = "headgate-conversations"
    let version = 1
    let conversations: [Conversation]
}
