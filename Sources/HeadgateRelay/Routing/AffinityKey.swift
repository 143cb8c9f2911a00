package import HTTPTypes
package import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import JSONBytes

/// What requests have in common that are to go to the same target, whose prompt cache then has their beginning.
package enum AffinityRule: Sendable {
    /// The model, the system text and the first message of the user.
    case conversation
    /// The user that the request names, else the caller.
    case user
    /// The member `prompt_cache_key`.
    case promptCacheKey
    /// A field of the request.
    case header(HTTPField.Name)

    /// Nil where there is none.
    package init?(_ affinity: Affinity) {
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

/// The key of a request under a rule: a hash that is the same in every process.
struct AffinityKey {
    /// - Parameters:
    ///   - body: has been validated.
    ///   - model: the public name.
    ///   - caller: its name.
    /// - Returns: nil for a request without what the rule asks for.
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

    /// A string that is not empty, as it is written.
    private static func string(_ name: StaticString, _ cursor: inout JSONCursor) -> UInt64? {
        guard let kind = try? find(name, &cursor), kind == .string, let text = try? cursor.string(),
            !text.contents.isEmpty
        else { return nil }
        var hash = StableHash()
        hash.combine(cursor.bytes(in: text.contents))
        return hash.value
    }

    /// Steps into an object, to the value of a member.
    private static func find(_ name: StaticString, _ cursor: inout JSONCursor) throws(JSONError) -> JSONKind? {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, name) { return try cursor.kind() }
            try cursor.skipValue()
        }
        return nil
    }
}
