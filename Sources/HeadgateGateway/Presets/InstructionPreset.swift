internal import HeadgateConfiguration
internal import HeadgateDialects
internal import JSONBytes

/// Insertion of a model's configured instructions into requests. All other bytes stay unchanged.
struct InstructionPreset: Sendable {
    private let before: String
    private let after: String
    /// Instructions for a request that has none of its own.
    private let alone: String
    /// Instructions for a request that has its own in another place.
    private let around: String

    private static let paragraph = "\n\n"

    init(_ rules: InstructionRules) {
        before = rules.prepended ?? ""
        after = rules.appended ?? ""
        alone = InstructionPreset.joined(before, rules.standard ?? "", after)
        around = InstructionPreset.joined(before, after)
    }

    private static func joined(_ texts: String...) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: paragraph)
    }

    /// Returns the edits to a request.
    ///
    /// - Throws: ``JSONError`` if the member that holds instructions is repeated.
    func edits(for document: UnsafeRawBufferPointer, in format: ClientFormat) throws(JSONError) -> [JSONEdit] {
        switch format {
        case .chat, .ollamaChat: try messageEdits(for: document)
        case .messages, .ollamaGenerate: try memberEdits(for: document, "system", .part)
        case .responses: try memberEdits(for: document, "instructions", .item)
        }
    }

    // MARK: Instructions in a member of the request

    private func memberEdits(
        for document: UnsafeRawBufferPointer, _ member: StaticString, _ element: InstructionValue.Element
    ) throws(JSONError) -> [JSONEdit] {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        let opening = cursor.offset
        var (found, hasMember, hasMessage) = (InstructionValue?.none, false, false)
        while let key = try cursor.nextKey() {
            if cursor.equals(key, member) {
                // Another reader of the body might use the other value.
                guard !hasMember else { throw cursor.duplicateKey(key) }
                hasMember = true
                found = try InstructionValue(&cursor, element)
            } else if case .item = element, cursor.equals(key, "input") {
                hasMessage = try InstructionPreset.hasInstructions(cursor)
                try cursor.skipValue()
            } else {
                try cursor.skipValue()
            }
        }
        let text = hasMessage ? around : alone
        if let found { return edits(found, found, orAlone: text) }
        // The upstream refuses a value of another kind.
        guard !hasMember, !text.isEmpty else { return [] }
        let name = JSONEscaping.literal("\(member)")
        return [JSONEdit(opening..<opening, name + [0x3A] + JSONEscaping.literal(text) + [0x2C])]
    }

    /// Returns whether an array of messages or items has a message with instructions.
    private static func hasInstructions(_ cursor: JSONCursor) throws(JSONError) -> Bool {
        var cursor = cursor
        guard try cursor.kind() == .array else { return false }
        try cursor.beginArray()
        while try cursor.nextElement() {
            var message = cursor
            try cursor.skipValue()
            if try InstructionValue(ofMessage: &message) != nil { return true }
        }
        return false
    }

    // MARK: Instructions as messages

    private func messageEdits(for document: UnsafeRawBufferPointer) throws(JSONError) -> [JSONEdit] {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, "messages"), try cursor.kind() == .array else {
                try cursor.skipValue()
                continue
            }
            return try messageEdits(&cursor)
        }
        return []
    }

    /// Returns the edits that add instructions to the client's own, because many models accept only one system message.
    private func messageEdits(_ cursor: inout JSONCursor) throws(JSONError) -> [JSONEdit] {
        try cursor.beginArray()
        let opening = cursor.offset
        var (first, last) = (InstructionValue?.none, InstructionValue?.none)
        var (isLeading, hasMessages) = (true, false)
        while try cursor.nextElement() {
            hasMessages = true
            var message = cursor
            try cursor.skipValue()
            let instructions = try InstructionValue(ofMessage: &message)
            if let instructions, first == nil || isLeading { last = instructions }
            if first == nil { first = instructions }
            isLeading = isLeading && instructions != nil
        }
        if let first, let last { return edits(first, last, orAlone: alone) }
        guard !alone.isEmpty else { return [] }
        let message = Array(#"{"role":"system","content":"#.utf8) + JSONEscaping.literal(alone) + [0x7D]
        return [JSONEdit(opening..<opening, message + (hasMessages ? [0x2C] : []))]
    }

    /// - Parameter alone: instructions that replace a single empty value.
    private func edits(_ first: InstructionValue, _ last: InstructionValue, orAlone alone: String) -> [JSONEdit] {
        if first.isEmpty, first.range == last.range {
            return alone.isEmpty ? [] : [JSONEdit(first.range, first.filled(with: alone))]
        }
        var edits: [JSONEdit] = []
        if !before.isEmpty {
            edits.append(
                first.isEmpty
                    ? JSONEdit(first.range, first.filled(with: before)) : first.prepending(before, Self.paragraph))
        }
        if !after.isEmpty {
            edits.append(
                last.isEmpty
                    ? JSONEdit(last.range, last.filled(with: after)) : last.appending(after, Self.paragraph))
        }
        return edits
    }
}

/// The value in which a request holds instructions: a text, or an array of parts.
private struct InstructionValue {
    /// The form of an element of an array of instructions.
    enum Element { case part, item }

    private let element: Element
    /// Range of the whole value.
    let range: Range<Int>
    let isEmpty: Bool
    private let isText: Bool
    /// Range inside the quotes, or inside the brackets from the first part to the last.
    private let contents: Range<Int>

    /// Reads the value at the cursor; nil for a value of another kind, which the upstream refuses. Null is empty.
    init?(_ cursor: inout JSONCursor, _ element: Element) throws(JSONError) {
        self.element = element
        var value = cursor
        range = try cursor.skipValue()
        switch try value.kind() {
        case .string:
            contents = try value.string().contents
            (isText, isEmpty) = (true, contents.isEmpty)
        case .array:
            isText = false
            try value.beginArray()
            var (start, end) = (Int?.none, value.offset)
            while try value.nextElement() {
                let part = try value.skipValue()
                start = start ?? part.lowerBound
                end = part.upperBound
            }
            (contents, isEmpty) = ((start ?? end)..<end, start == nil)
        case .null: (isText, isEmpty, contents) = (true, true, range)
        default: return nil
        }
    }

    /// Reads the content of a message; nil if the message has no instructions.
    init?(ofMessage message: inout JSONCursor) throws(JSONError) {
        guard try message.kind() == .object else { return nil }
        try message.beginObject()
        var (value, isInstruction) = (InstructionValue?.none, false)
        while let key = try message.nextKey() {
            if message.equals(key, "content") {
                value = try InstructionValue(&message, .part)
            } else if message.equals(key, "role"), try message.kind() == .string {
                let role = message.decoded(try message.string())
                isInstruction = role == "system" || role == "developer"
            } else {
                try message.skipValue()
            }
        }
        guard isInstruction, let value else { return nil }
        self = value
    }

    /// Returns a value that replaces an empty one.
    func filled(with text: String) -> [UInt8] {
        isText ? JSONEscaping.literal(text) : [0x5B] + written(text) + [0x5D]
    }

    func prepending(_ text: String, _ separator: String) -> JSONEdit {
        let place = contents.lowerBound..<contents.lowerBound
        if isText { return JSONEdit(place, InstructionValue.escaped(text + separator)) }
        return JSONEdit(place, written(text) + [0x2C])
    }

    func appending(_ text: String, _ separator: String) -> JSONEdit {
        let place = contents.upperBound..<contents.upperBound
        if isText { return JSONEdit(place, InstructionValue.escaped(separator + text)) }
        return JSONEdit(place, [0x2C] + written(text))
    }

    private func written(_ text: String) -> [UInt8] {
        let start: String =
            switch element {
            case .part: #"{"type":"text","text":"#
            case .item: #"{"type":"message","role":"system","content":"#
            }
        return Array(start.utf8) + JSONEscaping.literal(text) + [0x7D]
    }

    /// Returns the text as it is written inside quotes.
    private static func escaped(_ text: String) -> [UInt8] { Array(JSONEscaping.literal(text).dropFirst().dropLast()) }
}
