/// File format of conversations that this chat and the web chat share. Times are in milliseconds.
///
/// Members of other versions are dropped, and optional members can be missing.
struct ConversationDocument: Codable {
    struct Conversation: Codable {
        var id: String?
        var title: String?
        var updated: Double?
        var model: String?
        var instructions: String?
        var settings: Settings?
        /// Id of the last message on the displayed branch.
        var tip: String?
        var messages: [Message]
    }

    struct Settings: Codable {
        var temperature: Double?
        var topP: Double?
        var maxTokens: Double?
        /// Settings that the web chat does not support.
        var seed: Int?
        var stop: [String]?
    }

    struct Message: Codable {
        var id: String?
        /// Id of the message that it replies to; empty for none, nil for the previous message.
        var parent: String?
        var role: String
        var content: String
        var attachments: [Attachment]?
        var model: String?
        var reasoning: String?
        var refusal: String?
        var finish: String?
        var usage: Usage?
        var timing: Timing?
        var stopped: Bool?
        var removed: Bool?
        var error: Failure?
    }

    struct Attachment: Codable {
        var name: String
        var type: String
        var size: Double?
        /// Data in base64; nil if it was not exported.
        var data: String?
    }

    struct Usage: Codable {
        var prompt: Double?
        var completion: Double?
    }

    struct Timing: Codable {
        var first: Double?
        var total: Double?
    }

    struct Failure: Codable { var message: String? }

    var format: String
    var version: Int
    var conversations: [Conversation]
}

extension ConversationDocument {
    static let name = "headgate-conversations"
    static let versions = 1...2

    init(_ conversation: Conversation) {
        (format, version, conversations) = (ConversationDocument.name, 2, [conversation])
    }
}

extension ConversationDocument.Conversation {
    /// Messages of the displayed branch, from the first to the last.
    var line: [ConversationDocument.Message] {
        let places = Dictionary(
            messages.enumerated().compactMap { place, message in message.id.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
        var line: [ConversationDocument.Message] = []
        var next = tip.flatMap { places[$0] } ?? messages.indices.last
        while let place = next {
            let message = messages[place]
            if message.removed != true { line.append(message) }
            // A parent comes before its children, so this terminates.
            let before = message.parent.map { $0.isEmpty ? nil : places[$0] } ?? place - 1
            next = before.flatMap { (0..<place).contains($0) ? $0 : nil }
        }
        return line.reversed()
    }
}
