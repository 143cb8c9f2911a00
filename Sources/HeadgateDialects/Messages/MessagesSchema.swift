/// JSON Schemas in the form that the format requires.
enum MessagesSchema {
    /// Returns the schema of a tool, which is always that of an object. The provider accepts no alternatives at its
    /// top.
    ///
    /// - Parameter lost: Receives the keywords that are left out.
    static func parameters(_ schema: JSONValue?, losing lost: inout [String]) -> JSONValue {
        guard var object = schema?.object, !object.members.isEmpty else { return empty }
        for name in ["anyOf", "oneOf", "allOf"] {
            guard let branches = object[name]?.array else { continue }
            object[name] = nil
            lost.append(name)
            merge(branches, all: name == "allOf", into: &object)
        }
        if object["type"] != "object" { object["type"] = "object" }
        return .object(object)
    }

    static let empty: JSONValue = ["type": "object", "properties": .object([:])]

    /// Merges the members of several objects into one.
    ///
    /// - Parameter all: Whether a value must fit all branches, and so has the members that any of them requires.
    private static func merge(_ branches: [JSONValue], all: Bool, into object: inout JSONObject) {
        var properties = object["properties"]?.object ?? JSONObject()
        var required: [String]?
        for branch in branches {
            guard let branch = resolved(branch, in: object) else { continue }
            for member in branch["properties"]?.object?.members ?? [] {
                properties[member.name] = either(properties[member.name], or: member.value)
            }
            let names = (branch["required"]?.array ?? []).compactMap(\.string)
            required =
                required.map { known in
                    all ? known + names.filter { !known.contains($0) } : known.filter(names.contains)
                } ?? names
        }
        object["properties"] = .object(properties)
        let own = (object["required"]?.array ?? []).compactMap(\.string)
        let names = own + (required ?? []).filter { !own.contains($0) }
        if !names.isEmpty { object["required"] = .array(names.map(JSONValue.string)) }
    }

    private static func either(_ known: JSONValue?, or other: JSONValue) -> JSONValue {
        guard let known, known != other else { return other }
        guard let object = known.object, object.members.count == 1, let choices = object["anyOf"]?.array else {
            return ["anyOf": .array([known, other])]
        }
        return choices.contains(other) ? known : ["anyOf": .array(choices + [other])]
    }

    /// Returns the schema that a reference into the same document points to, or the schema itself.
    private static func resolved(_ schema: JSONValue, in root: JSONObject) -> JSONObject? {
        guard let reference = schema["$ref"]?.string else { return schema.object }
        return definition(reference, in: root)?.object
    }

    /// Returns the definition that a reference names; nil for any other reference.
    static func definition(_ reference: String, in root: JSONObject) -> JSONValue? {
        let words = reference.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "#", words[1] == "$defs" || words[1] == "definitions" else { return nil }
        return root[String(words[1])]?[String(words[2])]
    }

    /// Returns whether the provider can enforce the schema without changing its meaning. It cannot enforce an object
    /// with members of any name, whose arguments would always be empty, or a recursive schema.
    ///
    /// - Parameter schema: The schema of a tool.
    static func canBeStrict(_ schema: JSONValue) -> Bool {
        guard let root = schema.object else { return true }
        return !root.members.contains { hasFreeObject($0.value) } && !isRecursive(root)
    }

    private static func hasFreeObject(_ schema: JSONValue) -> Bool {
        switch schema {
        case .object(let object):
            if StrictSchema.isOfObjects(object), object["properties"] == nil, object["additionalProperties"] != false {
                return true
            }
            return object.members.contains { !literals.contains($0.name) && hasFreeObject($0.value) }
        case .array(let elements): return elements.contains(where: hasFreeObject)
        case .null, .bool, .number, .string: return false
        }
    }

    /// Members that hold values instead of schemas.
    static let literals: Set = ["enum", "const", "default", "examples", "required"]

    /// Returns whether a schema contains itself, which the provider rejects.
    static func isRecursive(_ root: JSONObject) -> Bool {
        var done: Set<String> = []
        var open: Set<String> = []
        func leadsBack(_ schema: JSONValue) -> Bool {
            switch schema {
            case .object(let object):
                if let reference = object["$ref"]?.string {
                    if reference == "#" || open.contains(reference) { return true }
                    guard done.insert(reference).inserted, let target = definition(reference, in: root) else {
                        return false
                    }
                    open.insert(reference)
                    defer { open.remove(reference) }
                    return leadsBack(target)
                }
                return object.members.contains { !literals.contains($0.name) && leadsBack($0.value) }
            case .array(let elements): return elements.contains(where: leadsBack)
            case .null, .bool, .number, .string: return false
            }
        }
        return leadsBack(.object(root))
    }
}
