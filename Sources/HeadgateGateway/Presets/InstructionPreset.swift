internal import HeadgateConfiguration
internal import HeadgateDialects
internal import JSONBytes

/// Insertion of a model's configured instructions into requests. All other bytes stay unchanged.
struct InstructionPreset: Sendable {
    private let before: String
    private let after: String
    /// Instructions for a request that has none of its own.
    private let alone: String

    private static let paragraph = "\n\n"

    init(_ rules: InstructionRules) {
        before = rules.prepended ?? ""
        after = rules.appended ?? ""
        alone = [before, rules.standard ?? "", after].filter { !$0.isEmpty }.joined(separator: Self.paragraph)
    }

    /// Returns the edits to a request.
    func edits(for document: UnsafeRawBufferPointer, in format: ClientFormat) throws(JSONError) -> [JSONEdit] {
        switch format {
        case .chat, .ollamaChat: try messageEdits(for: document, hasParts: format == .chat)
        case .messages, .ollamaGenerate: try memberEdits(for: document, "system")
        case .responses: try memberEdits(for: document, "instructions")
        }
    }

    // MARK: Instructions in a member of the request

    private func memberEdits(
        for document: UnsafeRawBufferPointer, _ member: StaticString
    ) throws(JSONError) -> [JSONEdit] {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        let opening = cursor.offset
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, member) else {
                try cursor.skipValue()
                continue
            }
            let value = try InstructionValue(&cursor)
            if value.isEmpty { return [JSONEdit(value.range, value.filled(with: alone))] }
            return edits(value, value)
        }
        let name = JSONEscaping.literal("\(member)")
        return alone.isEmpty ? [] : [JSONEdit(opening..<opening, name + [0x3A] + JSONEscaping.literal(alone) + [0x2C])]
    }

    // MARK: Instructions as messages

    private func messageEdits(
        for document: UnsafeRawBufferPointer, hasParts: Bool
    ) throws(JSONError) -> [JSONEdit] {
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

    /// Instructions become part of the client's own, since many models accept only one system message.
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
        if let first, let last {
            if first.isEmpty, first.range == last.range { return [JSONEdit(first.range, first.filled(with: alone))] }
            return edits(first, last)
        }
        guard !alone.isEmpty else { return [] }
        let message = Array(#"{"role":"system","content":"#.utf8) + JSONEscaping.literal(alone) + [0x7D]
        return [JSONEdit(opening..<opening, message + (hasMessages ? [0x2C] : []))]
    }

    private func edits(_ first: InstructionValue, _ last: InstructionValue) -> [JSONEdit] {
        var edits: [JSONEdit] = []
        if !before.isEmpty { edits.append(first.prepending(before, Self.paragraph)) }
        if !after.isEmpty { edits.append(last.appending(after, Self.paragraph)) }
        return edits
    }
}

/// The value in which a request holds instructions: a text, or an array of parts.
private struct InstructionValue {
    /// The whole value.
    let range: Range<Int>
    let isEmpty: Bool
    private let isText: Bool
    /// The inside of the quotes, or of the brackets from the first part to the last.
    private let contents: Range<Int>

    /// Reads the value at the cursor. A value of another kind counts as none, and is left to the upstream to refuse
    /// unless it is null.
    init(_ cursor: inout JSONCursor) throws(JSONError) {
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
        default: (isText, isEmpty, contents) = (true, true, range)
        }
    }

    /// Reads the content of a message; nil if the message has no instructions.
    init?(ofMessage message: inout JSONCursor) throws(JSONError) {
        guard try message.kind() == .object else { return nil }
        try message.beginObject()
        var (value, isInstruction) = (InstructionValue?.none, false)
        while let key = try message.nextKey() {
            if message.equals(key, "content") {
                value = try InstructionValue(&message)
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

    /// Returns the value in place of an empty one.
    func filled(with text: String) -> [UInt8] {
        isText ? JSONEscaping.literal(text) : [0x5B] + InstructionValue.part(text) + [0x5D]
    }

    func prepending(_ text: String, _ separator: String) -> JSONEdit {
        let place = contents.lowerBound..<contents.lowerBound
        if isText { return JSONEdit(place, InstructionValue.escaped(text + separator)) }
        return JSONEdit(place, InstructionValue.part(text) + [0x2C])
    }

    func appending(_ text: String, _ separator: String) -> JSONEdit {
        let place = contents.upperBound..<contents.upperBound
        if isText { return JSONEdit(place, InstructionValue.escaped(separator + text)) }
        return JSONEdit(place, [0x2C] + InstructionValue.part(text))
    }

    private static func part(_ text: String) -> [UInt8] {
        Array(#"{"type":"text","text":"#.utf8) + JSONEscaping.literal(text) + [0x7D]
    }

    /// The text as it is written within quotes.
    private static func escaped(_ text: String) -> [UInt8] { Array(JSONEscaping.literal(text).dropFirst().dropLast()) }
}
