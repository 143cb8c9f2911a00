internal import HeadgateDialects
package import HeadgateRelay
internal import JSONBytes

/// Digest that identical requests have in common.
package struct CacheKey: Hashable, Sendable {
    package let digest: KeyDigest

    package init(_ digest: KeyDigest) { self.digest = digest }
}

/// Keys of one request, one for each form of its response.
struct CacheKeys {
    private let base: KeyDigest

    /// - Parameters:
    ///   - scope: the caller whose requests share entries; empty if all callers do.
    ///   - targets: the request's targets, with everything that changes the request on its way.
    ///   - fields: names and values of the client's headers that are forwarded.
    init(operation: String, scope: String, targets: [String], fields: [String] = [], _ request: CacheableRequest) {
        var text: [UInt8] = []
        for part in [operation, scope, "\(targets.count)"] + targets + fields {
            JSONEscaping.append(part, to: &text)
        }
        request.normalized.append(to: &text)
        base = KeyDigest(of: text)
    }

    func key(of form: CacheForm) -> CacheKey { CacheKey(KeyDigest(of: base.bytes + form.rawValue.utf8)) }
}

/// Form of a response.
enum CacheForm: String, Sendable {
    case document
    /// Event stream. It includes usage if the format lets the client choose.
    case stream

    var other: CacheForm {
        switch self {
        case .document: .stream
        case .stream: .document
        }
    }
}

/// Request as the cache compares it.
struct CacheableRequest {
    /// Request without the parts that do not change the reply, with the members of all objects sorted by name.
    let normalized: JSONValue
    private let document: JSONValue
    private let effects: SideEffects
    /// Whether no string contains a lone surrogate, which the key would lose.
    private let isText: Bool

    /// Members that describe the caller; they do not change the reply.
    private static let asking: Set = ["user", "safety_identifier", "prompt_cache_key", "metadata"]

    /// - Parameters:
    ///   - bytes: body of a request that was parsed before.
    ///   - isEchoed: whether the response repeats the members that describe the caller.
    init(_ bytes: [UInt8], isEchoed: Bool = false) throws(JSONError) {
        document = try JSONValue(bytes)
        effects = try SideEffects(bytes)
        isText = try !bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            var cursor = JSONCursor(UnsafeRawBufferPointer(bytes))
            return try cursor.nextValueHasLoneSurrogate()
        }
        var object = JSONObject(
            (document.object?.members ?? []).filter { member in
                member.name != "stream" && (isEchoed || !CacheableRequest.asking.contains(member.name))
            })
        // These options affect only how the response is sent; usage is added or removed when the response is served.
        if let options = document["stream_options"], options.isNull || options.object != nil {
            let others = options.object?.members.filter { $0.name != "include_usage" } ?? []
            object["stream_options"] = nil
            if !others.isEmpty { object["stream_options"] = .object(JSONObject(others)) }
        }
        normalized = CacheableRequest.sorted(.object(AgentNotes.removed(from: object)))
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

    /// Returns whether the response can be reused for an identical request.
    ///
    /// - Parameters:
    ///   - storesUnlessTold: whether the upstream stores a response by default.
    ///   - anyTemperature: whether a request with a temperature above 0 can get the same reply again.
    func mayBeCached(storesUnlessTold: Bool, anyTemperature: Bool) -> Bool {
        guard isText, !effects.acts, !(effects.store ?? storesUnlessTold) else { return false }
        if anyTemperature { return true }
        // Ollama's requests have the temperature among the options.
        return [document["temperature"], document["options"]?["temperature"]].allSatisfy { ($0?.double ?? 0) <= 0 }
    }
}
