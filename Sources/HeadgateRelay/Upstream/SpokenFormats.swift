internal import HeadgateConfiguration
internal import HeadgateDialects

/// Conversation formats that an upstream accepts; at least one.
struct SpokenFormats: OptionSet, Sendable {
    let rawValue: UInt8

    static let chat = SpokenFormats(rawValue: 1)
    static let messages = SpokenFormats(rawValue: 2)
    static let responses = SpokenFormats(rawValue: 4)
    static let all: SpokenFormats = [.chat, .messages, .responses]
    /// Format that only clients use; no upstream accepts it.
    static let foreign = SpokenFormats(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ format: WireFormat) {
        self =
            switch format {
            case .chat: .chat
            case .messages: .messages
            case .responses: .responses
            }
    }

    init(_ format: ClientFormat) { self = format.wire.map(SpokenFormats.init) ?? .foreign }

    init(_ configured: [SpokenFormat]) {
        self = configured.reduce(into: []) { formats, format in
            switch format {
            case .chat: formats.insert(.chat)
            case .messages: formats.insert(.messages)
            case .responses: formats.insert(.responses)
            }
        }
    }

    /// Target format for requests that the upstream does not accept as they are.
    var forTranslation: WireFormat {
        if contains(.chat) { return .chat }
        return contains(.responses) ? .responses : .messages
    }
}
