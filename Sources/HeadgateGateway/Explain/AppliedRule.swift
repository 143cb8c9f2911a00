internal import HeadgateHTTP
internal import HeadgateRelay
internal import JSONBytes

/// Rule of the configuration or of the gateway, with its effect on one request.
struct AppliedRule: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Sets a value if the client sends none.
        case `default`
        /// Sets a value and replaces the client's.
        case override
        /// Removes the member.
        case strip
        /// Replaces the model's name with its name at the upstream.
        case model
        /// Requests token counts, so that the gateway can record them.
        case usage
        /// Translates the request to the upstream's format.
        case format
        /// Drops a member that the upstream's format does not have.
        case drop
    }

    let kind: Kind
    /// Name of the member, or its path with dots.
    let member: String
    /// JSON as the client wrote it; nil if the request does not have the member.
    let before: [UInt8]?
    /// JSON as the gateway sends it; nil if it sends none.
    let after: [UInt8]?

    var changesRequest: Bool { kind == .drop || before != after }

    /// Returns all rules that apply to a request for a target.
    ///
    /// - Parameters:
    ///   - envelope: the request as the client sent it.
    ///   - prepared: the request after the parameter rules.
    static func all(
        for envelope: RequestEnvelope, _ prepared: RequestEnvelope, _ target: ModelTarget, _ operation: RelayOperation
    ) -> [AppliedRule] {
        // A body that cannot be parsed was refused when the request was prepared.
        var rules = (try? target.parameters?.applied(to: envelope.bytes)) ?? []
        if let model = target.model {
            rules.append(
                AppliedRule(
                    kind: .model, member: "model", before: JSONEscaping.literal(envelope.model),
                    after: JSONEscaping.literal(model)))
        }
        if operation.shape.asksUsage, prepared.isStream, !prepared.asksUsage {
            rules.append(
                AppliedRule(
                    kind: .usage, member: "stream_options.include_usage", before: nil, after: Array("true".utf8)))
        }
        return rules
    }
}

extension ParameterRewriting {
    /// Returns the effect of each rule on a body, in the order of the rules.
    ///
    /// - Parameter body: a JSON object.
    func applied(to body: [UInt8]) throws(JSONError) -> [AppliedRule] {
        var values = [[UInt8]?](repeating: nil, count: rules.count)
        try body.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            var cursor = JSONCursor(UnsafeRawBufferPointer(buffer))
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let rule = rule(for: key, in: cursor)
                let value = try cursor.skipValue()
                if let rule { values[rule] = Array(cursor.bytes(in: value)) }
            }
        }
        return zip(rules, values).map { rule, value in
            let member = String(decoding: rule.name, as: UTF8.self)
            switch rule.action {
            case .keep:
                let addition = Array(rule.addition.dropFirst(JSONEscaping.literal(member).count + 1))
                return AppliedRule(kind: .default, member: member, before: value, after: value ?? addition)
            case .replace(let json): return AppliedRule(kind: .override, member: member, before: value, after: json)
            case .remove: return AppliedRule(kind: .strip, member: member, before: value, after: nil)
            }
        }
    }
}
