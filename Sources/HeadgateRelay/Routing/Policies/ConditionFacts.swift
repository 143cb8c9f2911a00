internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import JSONBytes

/// Facts about a request that the conditions of targets depend on. Pure.
struct ConditionFacts {
    private let tokens: Int
    private let caller: String
    private let group: String?
    private let fields: HeadFields
    private var hasImages = false
    private var hasTools = false

    /// Maximum nesting of content in content, such as a part of a tool's result in a message.
    private static let deepest = 4

    /// - Parameters:
    ///   - envelope: strict JSON.
    ///   - caller: name of the caller's key.
    ///   - group: name of the key's group.
    init(_ envelope: RequestEnvelope, _ fields: HeadFields, caller: String, group: String?) {
        tokens = UsageEstimate.prompt(envelope.bytes)
        self.caller = caller
        self.group = group
        self.fields = fields
        envelope.bytes.withUnsafeBytes { document in
            // The envelope of a multipart form has no body to read.
            try? read(document)
        }
    }

    func meet(_ condition: TargetCondition) -> Bool {
        if let least = condition.tokensAbove, tokens <= least { return false }
        if let images = condition.images, images != hasImages { return false }
        if let tools = condition.tools, tools != hasTools { return false }
        if !condition.keys.isEmpty, !condition.keys.contains(where: caller.isExactly) { return false }
        if !condition.groups.isEmpty {
            guard let group, condition.groups.contains(where: group.isExactly) else { return false }
        }
        return condition.headers.allSatisfy { header in
            HTTPField.Name(header.name).flatMap(fields.value(named:)) == header.value
        }
    }

    private mutating func read(_ document: UnsafeRawBufferPointer) throws(JSONError) {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            var value = cursor
            if cursor.equals(key, "tools"), try value.kind() == .array {
                try value.beginArray()
                hasTools = try value.nextElement()
            } else if cursor.equals(key, "messages") || cursor.equals(key, "input") || cursor.equals(key, "images") {
                if try ConditionFacts.holdsImage(key, &value, in: cursor) { hasImages = true }
            }
            try cursor.skipValue()
        }
    }

    /// Returns whether the value of a member is an image, or contains one.
    private static func holdsImage(
        _ key: JSONString, _ value: inout JSONCursor, in document: JSONCursor
    ) throws(JSONError) -> Bool {
        // Ollama's format has a list of images beside the text.
        if document.equals(key, "images") {
            guard try value.kind() == .array else { return false }
            try value.beginArray()
            return try value.nextElement()
        }
        return try holdsImage(&value, depth: 0)
    }

    private static func holdsImage(_ value: inout JSONCursor, depth: Int) throws(JSONError) -> Bool {
        guard depth <= deepest, try value.kind() == .array else { return false }
        try value.beginArray()
        while try value.nextElement() {
            guard try value.kind() == .object else {
                try value.skipValue()
                continue
            }
            if try partHoldsImage(&value, depth: depth) { return true }
        }
        return false
    }

    /// Reads a message, an item or a part.
    private static func partHoldsImage(_ part: inout JSONCursor, depth: Int) throws(JSONError) -> Bool {
        try part.beginObject()
        while let key = try part.nextKey() {
            var value = part
            if part.equals(key, "type"), try value.kind() == .string {
                let type = try value.string()
                if types.contains(where: { value.equals(type, $0) }) { return true }
            } else if part.equals(key, "content") || part.equals(key, "output") {
                if try holdsImage(&value, depth: depth + 1) { return true }
            } else if part.equals(key, "images"), try holdsImage(key, &value, in: part) {
                return true
            }
            try part.skipValue()
        }
        return false
    }

    private static let types: [StaticString] = ["image_url", "input_image", "image"]
}
