package import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import JSONBytes

/// A rule that groups requests. All requests of a group go to the same target, whose prompt cache then holds their
/// common prefix.
package enum AffinityRule: Sendable {
    /// The model, the system text and the first user message.
    case conversation
    /// The user that the request names, or the caller if it names none.
    case user
    /// The member `prompt_cache_key` of the request body.
    case promptCacheKey
    /// A request header.
    case header(HTTPField.Name)

    /// Creates the rule of a configured affinity; nil if the affinity is `none` or its header name is invalid.
    init?(_ affinity: Affinity) {
        switch affinity {
        case .none: return nil
        case .conversation: self = .conversation
        case .user: self = .user
        case .promptCacheKey: self = .promptCacheKey
        case .header(let name):
            guard let name = HTTPField.Name(name) else { return nil }
            self = .header(name)
        }
    }
}

/// The affinity key of a request: a hash that is the same in every process.
struct AffinityKey {
    /// Computes the key of a request under a rule.
    ///
    /// - Parameters:
    ///   - body: the request body, already validated.
    ///   - model: the public name of the model.
    ///   - caller: the name of the caller.
    /// - Returns: nil if the request lacks the value that the rule uses.
    static func of(
        _ rule: AffinityRule, body: [UInt8], of operation: RelayOperation, model: String, fields: HeadFields,
        caller: String
    ) -> UInt64? {
        switch rule {
        case .conversation: conversation(body, of: operation, model: model)
        case .user: user(body, of: operation) ?? StableHash.of(caller)
        case .promptCacheKey: member("prompt_cache_key", of: body)
        case .header(let name): fields.value(named: name).flatMap { $0.isEmpty ? nil : StableHash.of($0) }
        }
    }

    private static func conversation(_ body: [UInt8], of operation: RelayOperation, model: String) -> UInt64? {
        guard let shape = ConversationShape(operation) else { return nil }
        return body.withUnsafeBytes { bytes in
            var scan = ConversationScan(shape)
            guard (try? scan.read(bytes)) != nil, let user = scan.user else { return nil }
            var hash = StableHash()
            hash.combine(model)
            hash.combine(scan.system ?? 0)
            hash.combine(user)
            return hash.value
        }
    }

    private static func user(_ body: [UInt8], of operation: RelayOperation) -> UInt64? {
        guard case .anthropic = operation.dialect else { return member("user", of: body) }
        return body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            guard let metadata = try? AffinityKey.find("metadata", &cursor), metadata == .object else { return nil }
            return AffinityKey.string("user_id", &cursor)
        }
    }

    private static func member(_ name: StaticString, of body: [UInt8]) -> UInt64? {
        body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            return AffinityKey.string(name, &cursor)
        }
    }

    /// Hashes a string member as written, escapes included; nil if it is missing, empty or not a string.
    private static func string(_ name: StaticString, _ cursor: inout JSONCursor) -> UInt64? {
        guard let kind = try? find(name, &cursor), kind == .string, let text = try? cursor.string(),
            !text.contents.isEmpty
        else { return nil }
        var hash = StableHash()
        hash.combine(cursor.bytes(in: text.contents))
        return hash.value
    }

    /// Enters an object and moves the cursor to the value of a member.
    private static func find(_ name: StaticString, _ cursor: inout JSONCursor) throws(JSONError) -> JSONKind? {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, name) { return try cursor.kind() }
            try cursor.skipValue()
        }
        return nil
    }
}
