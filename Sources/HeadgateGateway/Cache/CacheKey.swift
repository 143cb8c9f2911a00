internal import HeadgateDialects
internal import JSONBytes

/// What identical requests have in common.
struct CacheKey: Hashable, Sendable {
    let digest: KeyDigest
}

extension CacheKey {
    /// - Parameters:
    ///   - scope: whose requests they are.
    ///   - targets: where they go.
    ///   - form: how the response comes.
    ///   - fields: of the client that are sent on, names and values.
    init(
        operation: String, scope: String, targets: [String], form: String, fields: [String] = [],
        _ request: CacheableRequest
    ) {
        var text: [UInt8] = []
        for part in [operation, scope, form, "\(targets.count)"] + targets + fields {
            JSONEscaping.append(part, to: &text)
        }
        request.normalized.append(to: &text)
        digest = KeyDigest(of: text)
    }
}

/// A request as a cache looks at it.
struct CacheableRequest {
    /// Without what does not change the answer, and with the members of all objects in one order.
    let normalized: JSONValue
    private let document: JSONValue

    /// How the response comes, and who asks: neither changes what is answered.
    private static let ignored: Set = [
        "stream", "stream_options", "user", "safety_identifier", "prompt_cache_key", "metadata",
    ]

    /// - Parameter bytes: of a request that was read before.
    init(_ bytes: [UInt8]) throws(JSONError) {
        document = try JSONValue(bytes)
        normalized = CacheableRequest.sorted(
            .object(
                JSONObject(
                    (document.object?.members ?? []).filter { !CacheableRequest.ignored.contains($0.name) })))
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            var members = object.members
            for index in members.indices { members[index].value = sorted(members[index].value) }
            return .object(JSONObject(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }))
        case .array(let elements): return .array(elements.map(sorted))
        case .null, .bool, .number, .string: return value
        }
    }

    /// Whether the answer may stand for that of an identical request.
    ///
    /// - Parameters:
    ///   - storesUnlessTold: whether a request is kept by the upstream where it does not say.
    ///   - anyTemperature: whether one that is to vary may be answered the same.
    func mayBeCached(storesUnlessTold: Bool, anyTemperature: Bool) -> Bool {
        if document["store"]?.bool ?? storesUnlessTold { return false }
        for member in ["previous_response_id", "conversation", "background"] {
            if let value = document[member], !value.isNull, value != .bool(false) { return false }
        }
        if anyTemperature { return true }
        // Ollama's requests have theirs among the options.
        return [document["temperature"], document["options"]?["temperature"]].allSatisfy { ($0?.double ?? 0) <= 0 }
    }
}
