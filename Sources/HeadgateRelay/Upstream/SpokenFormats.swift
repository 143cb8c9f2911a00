internal import HeadgateConfiguration
internal import HeadgateDialects

/// The forms of conversations that an upstream takes: one at least.
struct SpokenFormats: OptionSet, Sendable {
    let rawValue: UInt8

    static let chat = SpokenFormats(rawValue: 1)
    static let messages = SpokenFormats(rawValue: 2)
    static let responses = SpokenFormats(rawValue: 4)
    static let all: SpokenFormats = [.chat, .messages, .responses]
    /// Of clients alone: no upstream has it.
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

    /// The one that a request of another format is translated to.
    var forTranslation: WireFormat {
        if contains(.chat) { return .chat }
        return contains(.responses) ? .responses : .messages
    }
}
