import CHeadgate
import HeadgateClient
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateService
import HeadgateTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A conversation in the form in which it is saved to a file.
struct SavedConversation {
    static let largestFile = 64 << 20
    private static let mostMessages = 10_000

    var model: String
    var instructions: String?
    var options = ChatOptions()
    var entries: [TranscriptEntry] = []
    /// Outcomes of replies, by the ids of their entries.
    var outcomes: [Int: ChatOutcome] = [:]
    /// Prompts, by the ids of their entries.
    var prompts: [Int: ChatPrompt] = [:]
    /// Time of the last change in milliseconds since 1970.
    var updated = headgate_realtime_nanoseconds() / 1_000_000

    /// The first words of the conversation.
    var title: String {
        let text = entries.first.map { prompts[$0.id]?.text ?? $0.message.text } ?? ""
        return String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(80))
    }

    /// The conversation as Markdown: headings and the unchanged texts.
    var markdown: String {
        var text = "# Conversation with \(model)\n"
        if let instructions { text += "\n## System prompt\n\n\(instructions)\n" }
        for entry in entries {
            let name = entry.message.role == .user ? "You" : outcomes[entry.id]?.model ?? model
            text += "\n## \(name)\n\n"
            for file in prompts[entry.id]?.files ?? [] { text += "*(with \(Neutralised.line(file.name)))*\n\n" }
            text += "\(prompts[entry.id]?.text ?? entry.message.text)\n"
            if entry.isPartial { text += "\n*(not complete)*\n" }
        }
        return text
    }

    /// Returns the conversation in the format of the web chat's export.
    ///
    /// - Throws: The encoder's error.
    func json() throws -> String {
        let conversation = ConversationDocument.Conversation(
            title: title, updated: Double(updated), model: model, instructions: instructions ?? "",
            settings: ConversationDocument.Settings(
                temperature: options.temperature, topP: options.topP,
                maxTokens: options.maximumResponseTokens.map { Double($0) }, seed: options.seed,
                stop: options.stop.isEmpty ? nil : options.stop),
            messages: entries.map { message(of: $0) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(ConversationDocument(conversation)), as: UTF8.self) + "\n"
    }

    private func message(of entry: TranscriptEntry) -> ConversationDocument.Message {
        let (outcome, prompt) = (outcomes[entry.id], prompts[entry.id])
        var message = ConversationDocument.Message(
            role: entry.message.role.rawValue, content: prompt?.text ?? entry.message.text)
        let files = (prompt?.files ?? []).map { file in
            ConversationDocument.Attachment(
                name: file.name, type: file.type, size: Double(file.bytes.count), data: Base64.encode(file.bytes))
        }
        message.attachments = files.isEmpty ? nil : files
        message.model = outcome?.model
        message.reasoning = entry.message.reasoning
        message.finish = outcome?.response.finishReason?.rawValue
        message.usage = outcome?.response.usage.map {
            .init(prompt: Double($0.promptTokens), completion: Double($0.completionTokens))
        }
        message.timing = outcome.map {
            .init(first: $0.firstAfter.map { $0.seconds * 1000 }, total: $0.total.seconds * 1000)
        }
        message.stopped = outcome?.isStopped == true ? true : nil
        message.error = outcome?.failure.map { .init(message: $0) }
        return message
    }

    /// Writes the conversation to a file that only this user can read.
    ///
    /// - Parameter replaces: Whether an existing file is replaced.
    /// - Throws: ``Complaint``.
    func write(to path: String, replaces: Bool) throws {
        let text = path.lowercased().hasSuffix(".md") ? markdown : try json()
        // The existing file stays until its replacement is complete.
        let draft = replaces ? "\(path).\(getpid()).new" : path
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let error = errno
            throw Complaint(
                error == EEXIST && !replaces
                    ? "\(path) exists: choose another name" : "cannot write \(path): \(systemErrorText(error))")
        }
        defer { close(descriptor) }
        let isWritten = writeAll(text, to: descriptor) && fsync(descriptor) == 0
        guard isWritten, !replaces || rename(draft, path) == 0 else {
            let error = errno
            unlink(draft)
            throw Complaint("cannot write \(path): \(systemErrorText(error))")
        }
    }
}

extension SavedConversation {
    /// Reads the first conversation in a file from `/save` or from the web chat.
    ///
    /// - Throws: ``Complaint``.
    init(readingFrom path: String) throws {
        let bytes = try RegularFile.read(path, upTo: SavedConversation.largestFile)
        let document = try? JSONDecoder().decode(ConversationDocument.self, from: Data(bytes))
        guard let document, document.format == ConversationDocument.name,
            ConversationDocument.versions.contains(document.version)
        else { throw Complaint("\(path) is no conversation of a chat, or of a newer version") }
        guard let conversation = document.conversations.first else { throw Complaint("\(path) holds no conversation") }
        try self.init(conversation)
    }

    private init(_ conversation: ConversationDocument.Conversation) throws {
        model = conversation.model ?? ""
        instructions = conversation.instructions.flatMap { $0.isEmpty ? nil : $0 }
        updated = conversation.updated.flatMap { Int64(exactly: $0.rounded()) } ?? 0
        options = ChatOptions(conversation.settings)
        guard conversation.messages.count <= SavedConversation.mostMessages else {
            throw Complaint("it has more than \(SavedConversation.mostMessages) messages")
        }
        for message in conversation.line {
            let id = entries.count
            switch message.role {
            case "user":
                let prompt = try ChatPrompt(message)
                prompts[id] = prompt
                entries.append(TranscriptEntry(id: id, message: .user(prompt.content)))
            case "assistant":
                let outcome = ChatOutcome(message, model: model)
                let text = outcome.response.content.isEmpty ? outcome.response.refusal : outcome.response.content
                // A message without text is skipped.
                if text.isEmpty { continue }
                outcomes[id] = outcome
                let said = ChatMessage(role: .assistant, content: .text(text), reasoning: message.reasoning)
                entries.append(
                    TranscriptEntry(id: id, message: said, isPartial: outcome.isStopped || outcome.failure != nil))
            default: throw Complaint("it has a message that is neither a prompt nor an answer")
            }
        }
    }
}

extension ChatOptions {
    fileprivate init(_ settings: ConversationDocument.Settings?) {
        self.init(
            temperature: settings?.temperature.flatMap { (0...2).contains($0) ? $0 : nil },
            topP: settings?.topP.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil },
            maximumResponseTokens: settings?.maxTokens.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil },
            stop: settings?.stop ?? [], seed: settings?.seed)
    }
}

extension ChatPrompt {
    fileprivate init(_ message: ConversationDocument.Message) throws {
        var files: [AttachedFile] = []
        for attachment in message.attachments ?? [] {
            // Attachments that were not exported are listed by name only.
            guard let data = attachment.data else { continue }
            guard let bytes = Data(base64Encoded: data) else {
                throw Complaint("\(Neutralised.line(attachment.name)) is not in base64")
            }
            files.append(try AttachedFile(name: attachment.name, Array(bytes)))
        }
        try ChatPrompt.check(files)
        self.init(message.content, files: files)
    }
}

extension ChatOutcome {
    fileprivate init(_ message: ConversationDocument.Message, model: String) {
        self.init(model: message.model ?? model)
        response.content = message.content
        response.reasoning = message.reasoning ?? ""
        response.refusal = message.refusal ?? ""
        response.finishReason = message.finish.map { FinishReason(rawValue: $0) }
        if let prompt = message.usage?.prompt.flatMap({ Int(exactly: $0) }),
            let completion = message.usage?.completion.flatMap({ Int(exactly: $0) })
        {
            response.usage = TokenUsage(promptTokens: prompt, completionTokens: completion)
        }
        failure = message.error.map { $0.message ?? "it failed" }
        isStopped = message.stopped == true
        response.isComplete = failure == nil && !isStopped
    }
}

/// Formats times in the user's time zone.
enum LocalTime {
    /// - Parameter format: Format string of strftime(3).
    static func text(_ seconds: Int, _ format: String) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard localtime_r(&time, &parts) != nil else { return "?" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
