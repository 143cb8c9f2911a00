import Foundation
import Testing

@testable import HeadgateConfiguration

/// A value that a schema validates.
enum JSONInstance: Equatable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONInstance])
    case members([String: JSONInstance])

    /// Creates a value from a YAML node as an editor would read it.
    init(_ node: YAMLNode) {
        switch node.content {
        case .scalar(_, _) where node.isNull: self = .null
        case .scalar(let text, let isPlain):
            let json = isPlain ? (try? CoreSchema.json(text)) ?? "\"" : "\""
            switch json {
            case "true", "false": self = .flag(json == "true")
            default: self = json.hasPrefix("\"") ? .text(text) : Double(json).map(JSONInstance.number) ?? .null
            }
        case .sequence(let items): self = .list(items.map(JSONInstance.init))
        case .mapping(let entries):
            self = .members(Dictionary(entries.map { ($0.key, JSONInstance($0.value)) }) { first, _ in first })
        case .refused: self = .null
        }
    }

    var type: String {
        switch self {
        case .null: "null"
        case .flag: "boolean"
        case .number: "number"
        case .text: "string"
        case .list: "array"
        case .members: "object"
        }
    }
}

/// The part of JSON Schema (draft 2020-12) that the schema of the configuration uses; any other keyword fails the test.
struct JSONSchema {
    let document: [String: Any]

    /// Returns the schema that the command prints.
    static func ofConfiguration() throws -> JSONSchema {
        let object = try JSONSerialization.jsonObject(with: Data(ConfigurationSchema.json.utf8))
        return JSONSchema(document: try #require(object as? [String: Any]))
    }

    func accepts(_ instance: JSONInstance) -> Bool {
        accepts(instance, document)
    }

    /// Returns the schemas of which a value must meet one, with references and nested alternatives resolved.
    func alternatives(_ schema: [String: Any]) -> [[String: Any]] {
        if let reference = schema["$ref"] as? String { return alternatives(definition(reference)) }
        if let alternatives = schema["anyOf"] as? [[String: Any]] { return alternatives.flatMap(self.alternatives) }
        return [schema]
    }

    private func definition(_ reference: String) -> [String: Any] {
        let definitions = document["$defs"] as? [String: Any]
        let definition = definitions?[String(reference.dropFirst("#/$defs/".count))] as? [String: Any]
        if definition == nil { Issue.record("\(reference) leads nowhere") }
        return definition ?? [:]
    }

    private func accepts(_ instance: JSONInstance, _ schema: Any) -> Bool {
        if let flag = schema as? Bool { return flag }
        guard let schema = schema as? [String: Any] else { return false }
        return schema.allSatisfy { accepts(instance, $0.key, $0.value, of: schema) }
    }

    private func accepts(_ instance: JSONInstance, _ keyword: String, _ value: Any, of schema: [String: Any]) -> Bool {
        switch (keyword, instance) {
        case ("$schema", _), ("$id", _), ("$defs", _), ("title", _), ("description", _), ("default", _), ("then", _):
            true
        case ("$ref", _): accepts(instance, definition(value as? String ?? ""))
        case ("type", _): (value as? [String] ?? [value as? String ?? ""]).contains { hasType($0, instance) }
        case ("enum", _): (value as? [String] ?? []).contains { instance == .text($0) }
        case ("const", _): instance == .text(value as? String ?? "")
        case ("anyOf", _): (value as? [Any] ?? []).contains { accepts(instance, $0) }
        case ("allOf", _): (value as? [Any] ?? []).allSatisfy { accepts(instance, $0) }
        case ("if", _): !accepts(instance, value) || accepts(instance, schema["then"] ?? true)
        case ("pattern", .text(let text)):
            text.range(of: value as? String ?? "", options: .regularExpression) != nil
        case ("minimum", .number(let number)): number >= (value as? Double ?? .infinity)
        case ("maximum", .number(let number)): number <= (value as? Double ?? -.infinity)
        case ("minItems", .list(let items)): items.count >= (value as? Int ?? .max)
        case ("items", .list(let items)): items.allSatisfy { accepts($0, value) }
        case ("minProperties", .members(let members)): members.count >= (value as? Int ?? .max)
        case ("maxProperties", .members(let members)): members.count <= (value as? Int ?? 0)
        case ("required", .members(let members)):
            (value as? [String] ?? [""]).allSatisfy { members[$0] != nil }
        case ("properties", .members(let members)):
            (value as? [String: Any] ?? [:]).allSatisfy { name, schema in
                members[name].map { accepts($0, schema) } ?? true
            }
        case ("additionalProperties", .members(let members)):
            members.allSatisfy { name, member in
                (schema["properties"] as? [String: Any])?[name] != nil || accepts(member, value)
            }
        case ("pattern", _), ("minimum", _), ("maximum", _), ("minItems", _), ("items", _), ("minProperties", _),
            ("maxProperties", _), ("required", _), ("properties", _), ("additionalProperties", _):
            true
        default:
            unknown(keyword)
        }
    }

    private func unknown(_ keyword: String) -> Bool {
        Issue.record("the schema has a keyword that this test cannot check: \(keyword)")
        return false
    }

    private func hasType(_ type: String, _ instance: JSONInstance) -> Bool {
        if type == "integer", case .number(let number) = instance { return number == number.rounded() }
        return type == instance.type
    }
}
