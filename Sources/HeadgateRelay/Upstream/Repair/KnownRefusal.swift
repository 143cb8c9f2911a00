internal import HeadgateConfiguration
internal import JSONBytes

/// Request member that some upstreams refuse, and its replacement. ``all`` is the only table of them. Pure.
package struct KnownRefusal: Sendable {
    enum Mending: Sendable {
        case removal(ParameterRewriting?)
        case renaming(to: StaticString)
        /// Replaces the `developer` role of messages with `system`.
        case role
        /// Removes the named members whose value is -1.
        case unlimited(names: [StaticString])
    }

    /// Values that an upstream accepts if it supports the member. Any other value can itself be the cause of the
    /// refusal, so the request is not repaired.
    package enum Value: Sendable {
        case flag
        case object
        case number(ClosedRange<Double>)
        case anything
    }

    let repair: Repair
    /// Shapes of the requests that are repaired; nil stands for embeddings.
    let shapes: [ConversationShape?]
    let value: Value
    let mending: Mending

    /// All known refusals except that of token counting, which is not a request member. Earlier ones are tried first.
    static let all: [KnownRefusal] = [
        removal(.streamOptions, of: [.chat, .completion, .responses], .object),
        KnownRefusal(
            repair: .unlimitedTokens, shapes: [.chat, .completion, .responses], value: .anything,
            mending: .unlimited(names: ["max_tokens", "max_completion_tokens", "max_output_tokens"])),
        removal(.parallelToolCalls, of: [.chat, .responses], .flag),
        KnownRefusal(
            repair: .maxTokens, shapes: [.chat], value: .number(0...1e12),
            mending: .renaming(to: "max_completion_tokens")),
        KnownRefusal(
            repair: .maxCompletionTokens, shapes: [.chat], value: .number(0...1e12),
            mending: .renaming(to: "max_tokens")),
        KnownRefusal(repair: .developerRole, shapes: [.chat, .responses], value: .anything, mending: .role),
        removal(.topP, of: ConversationShape.all, .number(0...1)),
        removal(.topK, of: ConversationShape.all, .number(0...1e6)),
        removal(.presencePenalty, of: [.chat, .completion], .number(-2...2)),
        removal(.frequencyPenalty, of: [.chat, .completion], .number(-2...2)),
        removal(.temperature, of: ConversationShape.all, .number(0...2)),
        removal(.encodingFormat, of: [nil], .anything),
    ]

    private static func removal(_ repair: Repair, of shapes: [ConversationShape?], _ value: Value) -> KnownRefusal {
        KnownRefusal(
            repair: repair, shapes: shapes, value: value,
            mending: .removal(ParameterRewriting(ParameterRules(strip: [repair.rawValue]))))
    }

    /// Statuses of refusals that a change of the request can repair.
    private static let statuses = [400, 422, 500, 501]

    /// Returns the first repair that matches a refusal, and the repaired body; nil if none matches.
    ///
    /// - Parameters:
    ///   - body: validated body of the refused request.
    ///   - shape: shape of the refused request.
    ///   - done: repairs to skip, such as those already tried.
    static func mended(
        _ body: [UInt8], of shape: ConversationShape?, after refusal: UpstreamRefusal, status: Int,
        besides done: Repairs
    ) -> (repair: Repair, body: [UInt8])? {
        guard statuses.contains(status) else { return nil }
        for known in all
        where !done.contains(known.repair) && known.shapes.contains(shape) && known.isMeant(by: refusal) {
            guard known.hasKnownValue(in: body), let mended = known.mended(body, of: shape) else { continue }
            return (known.repair, mended)
        }
        return nil
    }

    /// Applies repairs to a body.
    ///
    /// - Returns: the repaired body, and the repairs that removed a member from it.
    static func mended(_ body: [UInt8], of shape: ConversationShape?, by repairs: Repairs) -> (
        body: [UInt8], removed: [Repair]
    ) {
        var body = body
        var removed: [Repair] = []
        for known in all where repairs.contains(known.repair) && known.shapes.contains(shape) {
            guard let mended = known.mended(body, of: shape) else { continue }
            body = mended
            if known.isRemoval { removed.append(known.repair) }
        }
        return (body, removed)
    }

    /// Returns whether a refusal means that the upstream has no route to count tokens, or to compact a conversation.
    static func lacksRoute(of operation: RelayOperation, _ refusal: UpstreamRefusal, status: Int) -> Bool {
        switch status {
        case 405, 501: true
        // Upstreams of the Responses API also report a model or a stored response as not found.
        case 404:
            operation.dialect != .responses
                || !refusal.hasAny(of: ["model_not_found", "previous_response", "previous response", "conversation"])
        case 400:
            refusal.isOfSomethingUnknown
                && refusal.hasAny(of: [
                    "count_tokens", "count tokens", "token count", "input_tokens", "compact", "endpoint", "route",
                    "url", "path",
                ])
        default: false
        }
    }

    /// Returns whether the repair removes a member without a replacement.
    static func removes(_ repair: Repair) -> Bool { all.contains { $0.repair == repair && $0.isRemoval } }

    private var isRemoval: Bool {
        // The gateway itself encodes the vectors in the requested format.
        if case .removal = mending { repair != .encodingFormat } else { false }
    }

    // MARK: Recognition

    private func isMeant(by refusal: UpstreamRefusal) -> Bool {
        if case .unlimited(let names) = mending { return names.contains { refusal.names("\($0)") } }
        if let named = refusal.parameter.flatMap(Repair.init(rawValue:)), named != repair { return false }
        if case .role = mending {
            // "invalid" alone would match every refusal: their type is `invalid_request_error`.
            let isInvalid = refusal.hasAny(of: ["invalid value", "invalid role"])
            if refusal.names(repair.rawValue) { return isInvalid || refusal.isOfSomethingUnknown }
            return (refusal.names("role") || refusal.names("roles"))
                && (isInvalid || refusal.hasAny(of: ["unexpected", "unknown", "supported"]))
        }
        let isNamed =
            refusal.names(repair.rawValue)
            || repair == .streamOptions && refusal.hasAny(of: ["stream options", "include_usage"])
            || repair == .encodingFormat && refusal.hasAny(of: ["base64", "encoding format"])
        return isNamed && refusal.isOfSomethingUnknown && !refusal.isOfARange
    }

    private func hasKnownValue(in body: [UInt8]) -> Bool {
        if case .anything = value { return true }
        return body.withUnsafeBytes { document in
            var cursor = JSONCursor(document)
            guard (try? find(&cursor)) != nil, let kind = try? cursor.kind() else { return false }
            switch (kind, value) {
            case (.null, _), (.true, .flag), (.false, .flag), (.object, .object): return true
            case (.number, .number(let range)):
                guard let literal = try? cursor.skipValue() else { return false }
                return Double(String(decoding: cursor.bytes(in: literal), as: UTF8.self)).map(range.contains) ?? false
            default: return false
            }
        }
    }

    /// Advances to the member's value.
    ///
    /// - Returns: the range of the member's key; nil if there is no such member.
    private func find(_ cursor: inout JSONCursor) throws(JSONError) -> Range<Int>? {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.decoded(key) == repair.rawValue { return key.literal }
            try cursor.skipValue()
        }
        return nil
    }

    // MARK: Repairs

    /// Returns the repaired body; nil if there is nothing to repair.
    private func mended(_ body: [UInt8], of shape: ConversationShape?) -> [UInt8]? {
        let mended: [UInt8]?
        switch mending {
        case .removal(let rewriting): mended = try? rewriting?.rewritten(body)
        case .renaming(let name): mended = try? renamed(body, to: name)
        case .unlimited(let names): mended = try? withoutUnlimited(body, names)
        case .role:
            mended = try? shape.map { (shape) throws(JSONError) in try KnownRefusal.withoutDeveloper(body, shape) }
        }
        return mended == body ? nil : mended
    }

    /// Renames the member, or removes it if the body already has a member of the new name.
    private func renamed(_ body: [UInt8], to name: StaticString) throws(JSONError) -> [UInt8] {
        try body.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            let document = UnsafeRawBufferPointer(buffer)
            var cursor = JSONCursor(document)
            guard let key = try find(&cursor) else { return body }
            var other = JSONCursor(document)
            try other.beginObject()
            while let key = try other.nextKey() {
                if other.equals(key, name) {
                    return try ParameterRewriting(ParameterRules(strip: [repair.rawValue]))?.rewritten(body) ?? body
                }
                try other.skipValue()
            }
            return JSONSplice.applying([JSONEdit(key, JSONEscaping.literal("\(name)"))], to: document)
        }
    }

    private func withoutUnlimited(_ body: [UInt8], _ names: [StaticString]) throws(JSONError) -> [UInt8] {
        let unlimited = try body.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            var cursor = JSONCursor(UnsafeRawBufferPointer(buffer))
            var found: [String] = []
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let value = try cursor.skipValue()
                guard cursor.bytes(in: value).elementsEqual("-1".utf8) else { continue }
                if let name = names.first(where: { cursor.equals(key, $0) }) { found.append("\(name)") }
            }
            return found
        }
        return try ParameterRewriting(ParameterRules(strip: unlimited))?.rewritten(body) ?? body
    }

    private static func withoutDeveloper(_ body: [UInt8], _ shape: ConversationShape) throws(JSONError) -> [UInt8] {
        try body.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            let document = UnsafeRawBufferPointer(buffer)
            var cursor = JSONCursor(document)
            var edits: [JSONEdit] = []
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                guard cursor.equals(key, shape.turns), try cursor.kind() == .array else {
                    try cursor.skipValue()
                    continue
                }
                try cursor.beginArray()
                while try cursor.nextElement() { try readTurn(&cursor, &edits) }
            }
            return JSONSplice.applying(edits, to: document)
        }
    }

    private static func readTurn(_ cursor: inout JSONCursor, _ edits: inout [JSONEdit]) throws(JSONError) {
        guard try cursor.kind() == .object else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, "role"), try cursor.kind() == .string else {
                try cursor.skipValue()
                continue
            }
            let role = try cursor.string()
            if cursor.equals(role, "developer") { edits.append(JSONEdit(role.literal, Array("\"system\"".utf8))) }
        }
    }
}
