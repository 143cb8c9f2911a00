internal import HeadgateHTTP
internal import JSONBytes

/// A rule of the configuration, or of the gateway's own, and what it does to one request.
struct AppliedRule: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Set where the client says nothing.
        case `default`
        /// Set whatever the client says.
        case override
        /// Taken out.
        case strip
        /// The model's name at the upstream.
        case model
        /// Token counts are asked for, so that the gateway knows them.
        case usage
        /// The request is translated to the format of the upstream.
        case format
        /// The upstream's format has no such member.
        case drop
    }

    let kind: Kind
    /// A name, or a path with dots.
    let member: String
    /// JSON, as the client wrote it; nil where the request has no such member.
    let before: [UInt8]?
    /// JSON, as it is sent; nil where nothing is.
    let after: [UInt8]?

    var changesRequest: Bool { kind == .drop || before != after }

    /// - Parameters:
    ///   - envelope: as the client sent it.
    ///   - prepared: after the rules for parameters.
    static func all(
        for envelope: RequestEnvelope, _ prepared: RequestEnvelope, _ target: ModelTarget, _ operation: RelayOperation
    ) -> [AppliedRule] {
        // What cannot be read was refused when the request was prepared.
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
    /// What each rule does to a body, in the order of the rules.
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
