internal import JSONBytes

/// A model in an upstream's list.
package struct ListedModel: Equatable, Sendable {
    let name: String
    let facts: ModelFacts

    package init(_ name: String, _ facts: ModelFacts = ModelFacts()) {
        self.name = name
        self.facts = facts
    }
}

/// Facts about a model, besides its name.
package struct ModelFacts: Equatable, Sendable {
    /// Members of the list's entry as the upstream wrote them, without those that the gateway writes itself.
    var members: [Member] = []
    /// Maximum tokens of prompt and completion together; nil if not known.
    package var context: Int?
    /// Whether the model accepts images; nil if not known.
    package var takesImages: Bool?
    /// Whether the model accepts tools; nil if not known.
    package var takesTools: Bool?

    struct Member: Equatable, Sendable {
        /// The name, without quotes and escapes.
        let name: String
        /// The value as JSON.
        let value: [UInt8]
    }

    /// Maximum bytes of a model's members.
    static let longestMembers = 16 * 1024

    package init(context: Int? = nil, takesImages: Bool? = nil, takesTools: Bool? = nil) {
        self.context = context
        self.takesImages = takesImages
        self.takesTools = takesTools
    }

    /// Creates the facts that hold for all of several targets: the smallest known context, and the capabilities of all.
    init(common targets: [ModelFacts?]) {
        if targets.count == 1 {
            self = targets[0] ?? ModelFacts()
            return
        }
        context = targets.compactMap(\.?.context).min()
        takesImages = ModelFacts.common(targets.map(\.?.takesImages))
        takesTools = ModelFacts.common(targets.map(\.?.takesTools))
        // OpenRouter's format, which most clients read.
        if takesImages == true { add("architecture", #"{"input_modalities":["text","image"]}"#) }
        if takesTools == true { add("supported_parameters", #"["tools"]"#) }
    }

    /// Replaces the description.
    mutating func describe(_ text: String) {
        members.removeAll { $0.name == "description" }
        members.append(Member(name: "description", value: JSONEscaping.literal(text)))
    }

    private mutating func add(_ name: String, _ value: String) {
        members.append(Member(name: name, value: Array(value.utf8)))
    }

    private static func common(_ answers: [Bool?]) -> Bool? {
        if answers.contains(false) { return false }
        return answers.contains(nil) ? nil : true
    }
}

extension ModelFacts {
    /// Members that the gateway writes itself, and members that reveal how an upstream runs and where it stores its
    /// files. In lower case, because some clients ignore the case.
    private static let own: Set = [
        "id", "object", "type", "speaks", "upstream", "root", "parent", "permission", "path", "status", "args",
        "preset",
    ]
    /// Maximum number of members of an entry that are stored.
    private static let most = 128

    /// Reads one member of an entry.
    mutating func read(_ key: JSONString, of cursor: inout JSONCursor) throws(JSONError) {
        let name = cursor.decoded(key)
        var value = cursor
        let range = try cursor.skipValue()
        guard !ModelFacts.own.contains(name.lowercased()), members.count < ModelFacts.most,
            !members.contains(where: { $0.name == name }), try ModelFacts.isUsable(name, value, cursor.bytes(in: range))
        else { return }
        members.append(Member(name: name, value: Array(cursor.bytes(in: range))))
        switch name {
        // vLLM; OpenRouter and Together; Groq; Mistral; Anthropic; Gemini.
        case "max_model_len", "context_length", "context_window", "max_context_length", "max_input_tokens",
            "inputTokenLimit":
            try note(context: &value)
        // llama.cpp: the model's own maximum is of no use if the server reserves less.
        case "meta":
            try value.members { name, value throws(JSONError) in if name == "n_ctx" { try note(context: &value) } }
        case "top_provider":
            try value.members { name, value throws(JSONError) in
                if name == "context_length" { try note(context: &value) }
            }
        case "architecture":
            try value.members { name, value throws(JSONError) in
                if name == "input_modalities" { takesImages = try value.strings()?.contains("image") }
            }
        case "supported_parameters": takesTools = try value.strings()?.contains("tools")
        case "capabilities": try value.members { name, value throws(JSONError) in try note(capability: name, &value) }
        default: break
        }
    }

    /// Returns whether the member's value is of the kind that clients expect.
    private static func isUsable(
        _ name: String, _ value: JSONCursor, _ written: UnsafeRawBufferPointer
    ) throws(JSONError) -> Bool {
        var value = value
        switch name {
        case "created": return written.allSatisfy { (0x30...0x39).contains($0) }
        case "owned_by", "display_name", "created_at", "lifecycle": return try value.kind() == .string
        default: return true
        }
    }

    /// Records a capability from the lists of Mistral and Anthropic.
    private mutating func note(capability name: String, _ value: inout JSONCursor) throws(JSONError) {
        switch name {
        case "vision", "image_input": takesImages = try value.isSupported()
        case "function_calling": takesTools = try value.isSupported()
        default: break
        }
    }

    /// Records the size of a context. If a list has several sizes, the smallest is the limit of the server.
    private mutating func note(context value: inout JSONCursor) throws(JSONError) {
        guard let size = try value.integer(), size > 0 else { return }
        context = min(size, context ?? size)
    }

    /// Drops the members if they are too large to repeat in every list.
    mutating func bound() {
        let size = members.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        if size > ModelFacts.longestMembers { members = [] }
    }
}

extension JSONCursor {
    /// Calls `body` with each member of an object; does nothing for a value of another kind.
    ///
    /// - Parameter body: gets the name and a cursor of its own on the value.
    fileprivate mutating func members(
        _ body: (String, inout JSONCursor) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard try kind() == .object else { return }
        try beginObject()
        while let key = try nextKey() {
            var value = self
            try body(decoded(key), &value)
            try skipValue()
        }
    }

    /// Reads the strings of an array; nil for a value of another kind.
    fileprivate mutating func strings() throws(JSONError) -> [String]? {
        guard try kind() == .array else { return nil }
        var strings: [String] = []
        try beginArray()
        while try nextElement() {
            if try kind() == .string { strings.append(decoded(try string())) } else { try skipValue() }
        }
        return strings
    }

    /// Reads a value such as `true` or `{"supported":true}`; nil for one of another kind.
    fileprivate mutating func isSupported() throws(JSONError) -> Bool? {
        switch try kind() {
        case .true, .false: return try bool()
        case .object:
            var result: Bool?
            try members { name, value throws(JSONError) in
                if name == "supported" { result = try value.isSupported() }
            }
            return result
        default: return nil
        }
    }
}
