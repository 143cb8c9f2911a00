internal import HeadgateDialects
internal import JSONBytes

/// What identical requests have in common.
package struct CacheKey: Hashable, Sendable {
    package let digest: KeyDigest

    package init(_ digest: KeyDigest) { self.digest = digest }
}

/// The keys of one request, for each form that its response may come in.
struct CacheKeys {
    private let base: KeyDigest

    /// - Parameters:
    ///   - scope: whose requests they are.
    ///   - targets: where they go, and what is made of them on the way.
    ///   - fields: of the client that are sent on, names and values.
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

/// How a response comes.
enum CacheForm: String, Sendable {
    case document
    /// With its usage, wherever the format leaves that to the client.
    case stream

    var other: CacheForm {
        switch self {
        case .document: .stream
        case .stream: .document
        }
    }
}

/// A request as a cache looks at it.
struct CacheableRequest {
    /// Without what does not change the answer, and with the members of all objects in one order.
    let normalized: JSONValue
    private let document: JSONValue
    private let effects: SideEffects
    /// Whether the text of each string says all of it.
    private let isText: Bool

    /// Who asks: that does not change what is answered.
    private static let asking: Set = ["user", "safety_identifier", "prompt_cache_key", "metadata"]

    /// - Parameters:
    ///   - bytes: of a request that was read before.
    ///   - isEchoed: whether the answer says again who asked.
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
        // How the response comes; whether with its usage is seen to when it is given.
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

    /// Whether the answer may stand for that of an identical request.
    ///
    /// - Parameters:
    ///   - storesUnlessTold: whether a request is kept by the upstream where it does not say.
    ///   - anyTemperature: whether one that is to vary may be answered the same.
    func mayBeCached(storesUnlessTold: Bool, anyTemperature: Bool) -> Bool {
        guard isText, !effects.acts, !(effects.store ?? storesUnlessTold) else { return false }
        if anyTemperature { return true }
        // Ollama's requests have theirs among the options.
        return [document["temperature"], document["options"]?["temperature"]].allSatisfy { ($0?.double ?? 0) <= 0 }
    }
}
