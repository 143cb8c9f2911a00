/// The JSON Schema (draft 2020-12) of the configuration file, for editors. The decoder also parses texts and compares
/// values, so the schema is weaker. It never rejects a file that the decoder accepts.
package enum ConfigurationSchema {
    /// The schema document, with a newline at its end.
    package static var json: String {
        let definitions = MappingDeclaration.all.map { ($0.name, $0.schema) }
        let document: [(String, SchemaValue)] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .text("urn:headgate:configuration")),
            ("title", .text("Headgate's configuration")),
            ("$ref", MappingDeclaration.file.reference),
            ("$defs", .members(definitions)),
        ]
        return SchemaValue.members(document).indented() + "\n"
    }
}

extension MappingDeclaration {
    /// All mappings with known keys.
    static let all = [
        file, listener, tls, upstream, secret, keyCommand, timeouts, parameters, command, programGroup, health, breaker,
        model,
        target,
        modelTimeouts, retry, hedge, key, responses, limits, record, faultInjection, faultRule, fault, cache,
        modelCache, instructions, condition, log, logRotation, streams, tracing, alerts, inspect, usageLimits, budget,
        group,
    ]

    var reference: SchemaValue { .text("#/$defs/\(name)") }

    /// Schema of the mapping. An empty file is a mapping without keys.
    var schema: SchemaValue {
        let properties = keys.map { ($0.name, $0.schema) }
        let replaceable = Set(keys.flatMap(\.replaced))
        let required = keys.filter {
            $0.isRequired && $0.kinds == UpstreamKind.allCases && !replaceable.contains($0.name)
        }
        var members: [(String, SchemaValue)] = [
            ("type", name == MappingDeclaration.file.name ? .texts(["object", "null"]) : .text("object")),
            ("additionalProperties", .flag(false)),
        ]
        if !required.isEmpty { members.append(("required", .texts(required.map(\.name)))) }
        if name == MappingDeclaration.secret.name {
            members += [("minProperties", .number(1)), ("maxProperties", .number(1))]
        }
        members.append(("properties", .members(properties)))
        let rules = UpstreamKind.allCases.compactMap { rule(of: $0) } + keys.flatMap { exclusions(of: $0) }
        if !rules.isEmpty { members.append(("allOf", .list(rules))) }
        return .members(members)
    }

    /// Returns rules that forbid a key next to those that it replaces, and require one of them if one is needed.
    private func exclusions(of key: KeyDeclaration) -> [SchemaValue] {
        guard !key.replaced.isEmpty else { return [] }
        let exclusion: [(String, SchemaValue)] = [
            ("if", .members([("required", .texts([key.name]))])),
            ("then", .members([("properties", .members(key.replaced.map { ($0, .flag(false)) }))])),
        ]
        let needed = keys.filter { $0.isRequired && key.replaced.contains($0.name) }
        return [.members(exclusion)]
            + needed.map { needed in
                let either = [needed.name, key.name].map { SchemaValue.members([("required", .texts([$0]))]) }
                return .members([("anyOf", .list(either))])
            }
    }

    /// Returns the rule for one kind of upstream: the keys that it does not accept, and those that it requires.
    private func rule(of kind: UpstreamKind) -> SchemaValue? {
        let foreign = keys.filter { !$0.kinds.contains(kind) }
        let needed = keys.filter { $0.isRequired && $0.kinds != UpstreamKind.allCases && $0.kinds.contains(kind) }
        guard !foreign.isEmpty || !needed.isEmpty else { return nil }
        let condition: [(String, SchemaValue)] = [
            ("properties", .members([("kind", .members([("const", .text(kind.rawValue))]))])),
            ("required", .texts(["kind"])),
        ]
        var consequence: [(String, SchemaValue)] = []
        if !foreign.isEmpty {
            consequence.append(("properties", .members(foreign.map { ($0.name, .flag(false)) })))
        }
        if !needed.isEmpty { consequence.append(("required", .texts(needed.map(\.name)))) }
        return .members([("if", .members(condition)), ("then", .members(consequence))])
    }
}

extension KeyDeclaration {
    var schema: SchemaValue {
        var members: [(String, SchemaValue)] = [("description", .text(description))]
        if case .value(let text) = standard { members.append(("default", value(of: text))) }
        return .members(members + (mayBeEmpty ? Form.anyOf([form, .null]) : form).schema)
    }

    private func value(of text: String) -> SchemaValue {
        switch form {
        case .flag: .flag(text == "true")
        case .wholeNumber: Int(text).map(SchemaValue.number) ?? .text(text)
        default: .text(text)
        }
    }

    private var description: String {
        guard case .described(let text) = standard else { return summary }
        return "\(summary) Default: \(text)."
    }
}
