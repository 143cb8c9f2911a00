internal import HeadgateDialects
internal import HeadgatePrimitives
internal import JSONBytes

/// Place of the conversation in the requests of an operation.
enum ConversationShape {
    /// Everything in `messages`.
    case chat
    /// The system text in `system`, the turns in `messages`.
    case messages
    /// The system text in `instructions`, the turns in `input`, which can be a plain text.
    case responses
    /// A single text in `prompt`.
    case completion

    /// Creates the shape of an operation; nil if the operation has no conversation.
    init?(_ operation: RelayOperation) {
        switch (operation.dialect, operation.response) {
        case (.openAI, .choices): self = operation.shape.needsMessages ? .chat : .completion
        case (.responses, _): self = .responses
        case (.anthropic, _): self = .messages
        case (.ollama, .choices): self = operation.format == .ollamaChat ? .chat : .completion
        default: return nil
        }
    }

    fileprivate var system: StaticString? {
        switch self {
        case .messages: "system"
        case .responses: "instructions"
        case .chat, .completion: nil
        }
    }

    static let all: [ConversationShape] = [.chat, .messages, .responses, .completion]

    var turns: StaticString {
        switch self {
        case .chat, .messages: "messages"
        case .responses: "input"
        case .completion: "prompt"
        }
    }
}

/// Finds the parts of a conversation that stay the same over its turns: its system text and the user's first message.
/// Each is a hash of the bytes as written. Makes one pass, which ends as soon as both are known.
struct ConversationScan {
    private let shape: ConversationShape
    private(set) var system: UInt64?
    private(set) var user: UInt64?

    init(_ shape: ConversationShape) { self.shape = shape }

    mutating func read(_ document: UnsafeRawBufferPointer) throws(JSONError) {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        while !isComplete, let key = try cursor.nextKey() {
            var value = cursor
            if cursor.equals(key, shape.turns) {
                try readTurns(&value)
            } else if let name = shape.system, cursor.equals(key, name) {
                system = try ConversationScan.hash(&value, isSystem: true)
            }
            if !isComplete { try cursor.skipValue() }
        }
    }

    private var isComplete: Bool { user != nil && (system != nil || shape.system == nil) }

    private mutating func readTurns(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .array = try cursor.kind(), shape.hasRoles else {
            user = try ConversationScan.hash(&cursor)
            return
        }
        try cursor.beginArray()
        while user == nil, try cursor.nextElement() { try readTurn(&cursor) }
    }

    private mutating func readTurn(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        var role: Role?
        var content: JSONCursor?
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "role"), try cursor.kind() == .string {
                role = Role(try cursor.string(), in: cursor)
            } else {
                if cursor.equals(key, "content") { content = cursor }
                try cursor.skipValue()
            }
        }
        guard let role, var content else { return }
        switch role {
        case .user: user = try ConversationScan.hash(&content)
        case .system where shape.system == nil && system == nil:
            system = try ConversationScan.hash(&content, isSystem: true)
        case .system: break
        }
    }

    private enum Role {
        case system
        case user

        init?(_ name: JSONString, in cursor: JSONCursor) {
            if cursor.equals(name, "user") {
                self = .user
            } else if cursor.equals(name, "system") || cursor.equals(name, "developer") {
                self = .system
            } else {
                return nil
            }
        }
    }

    // MARK: Content

    /// Hashes a text or its parts.
    ///
    /// - Parameter isSystem: whether to hash only what stays the same from turn to turn.
    private static func hash(_ cursor: inout JSONCursor, isSystem: Bool = false) throws(JSONError) -> UInt64 {
        var hash = StableHash()
        guard case .array = try cursor.kind() else {
            let range = try cursor.skipValue()
            combine(cursor.bytes(in: range), isSystem: isSystem, into: &hash)
            return hash.value
        }
        try cursor.beginArray()
        while try cursor.nextElement() {
            if case .object = try cursor.kind() {
                try combinePart(&cursor, isSystem: isSystem, into: &hash)
            } else {
                let range = try cursor.skipValue()
                hash.combine(cursor.bytes(in: range))
            }
        }
        return hash.value
    }

    /// Hashes only the text of a part, so that a plain text has the same hash as a single part with that text. Parts
    /// without text are hashed without `cache_control`, which clients move from turn to turn.
    private static func combinePart(
        _ cursor: inout JSONCursor, isSystem: Bool, into hash: inout StableHash
    ) throws(JSONError) {
        var text: Range<Int>?
        var others = hash
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            let isText = cursor.equals(key, "text")
            let isMarker = cursor.equals(key, "cache_control")
            let range = try cursor.skipValue()
            if isText { text = range }
            guard !isMarker else { continue }
            others.combine(cursor.bytes(in: key.literal))
            others.combine(cursor.bytes(in: range))
        }
        guard let text else {
            hash = others
            return
        }
        combine(cursor.bytes(in: text), isSystem: isSystem, into: &hash)
    }

    /// Hashes a text. Skips agents' notes and all digits in system texts, where many agents write the time.
    ///
    /// - Parameter text: a literal with its quotes.
    private static func combine(_ text: UnsafeRawBufferPointer, isSystem: Bool, into hash: inout StableHash) {
        guard isSystem, text.count > 2, text.first == UInt8(ascii: "\"") else { return hash.combine(text) }
        let contents = text.dropFirst().dropLast()
        let notes = AgentNotes.length(in: contents, isEscaped: true)
        guard notes < contents.count else { return }
        let steady = contents.dropFirst(notes).filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        steady.withUnsafeBytes { hash.combine($0) }
    }
}

extension ConversationShape {
    /// Whether the elements of an array are messages.
    fileprivate var hasRoles: Bool {
        if case .completion = self { false } else { true }
    }
}
