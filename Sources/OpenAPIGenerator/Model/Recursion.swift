/// Component schemas that contain themselves, directly or through others.
///
/// Arrays and dictionaries have separate storage, so they can contain the type that contains them. A member of a struct
/// and a value of an enumeration cannot.
struct Recursion {
    /// Names of the schemas whose values each schema holds in place, directly or indirectly.
    private var held: [String: Set<String>] = [:]
    private let schemas: SchemaTable

    init(_ schemas: SchemaTable) {
        self.schemas = schemas
        let direct = Dictionary(schemas.names.map { ($0, schemas[$0].map(inPlace) ?? []) }) { first, _ in first }
        for name in schemas.names { held[name] = Recursion.closure(of: name, direct) }
    }

    /// Returns whether a value of `name` in a value of `owner` can contain another value of `owner`.
    func leads(from name: String, backTo owner: String) -> Bool {
        guard isHeldInPlace(name) else { return false }
        return name == owner || held[name]?.contains(owner) == true
    }

    /// Lists and dictionaries that only contain themselves. As types, they would only be aliases of each other.
    var endless: [String] {
        let items = Dictionary(schemas.names.map { ($0, schemas[$0].map(item) ?? []) }) { first, _ in first }
        return schemas.names.filter { Recursion.closure(of: $0, items).contains($0) }
    }

    private func isHeldInPlace(_ name: String) -> Bool {
        switch schemas[name].map(schemas.resolved)?.shape {
        case .object?, .oneOf?, .anyOf?, .allOf?: true
        default: false
        }
    }

    private func inPlace(_ schema: Schema) -> Set<String> {
        switch schema.shape {
        case .reference(let name): isHeldInPlace(name) ? [name] : []
        case .object(let properties, _): properties.reduce(into: []) { $0.formUnion(inPlace($1.schema)) }
        case .oneOf(let choices, _), .anyOf(let choices), .allOf(let choices):
            choices.reduce(into: []) { $0.formUnion(inPlace($1)) }
        case .array, .map, .scalar, .enumeration, .integers, .any, .anyObject, .untyped: []
        }
    }

    /// Returns the element of a list or a dictionary, if that is a named list or dictionary.
    private func item(_ schema: Schema) -> Set<String> {
        switch schema.shape {
        case .array(let items), .map(let items):
            guard case .reference(let name) = items.shape else { return item(items) }
            return names(of: name)
        case .reference(let name): return names(of: name)
        default: return []
        }
    }

    private func names(of name: String) -> Set<String> {
        switch schemas[name]?.shape {
        case .array?, .map?, .reference?: [name]
        default: []
        }
    }

    private static func closure(of name: String, _ direct: [String: Set<String>]) -> Set<String> {
        var found: Set<String> = []
        var waiting = Array(direct[name] ?? [])
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += direct[next] ?? [] }
        }
        return found
    }
}
