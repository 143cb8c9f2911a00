/// A schema of the supported subset.
struct Schema {
    indirect enum Shape {
        /// The name of a schema of the components.
        case reference(String)
        case scalar(ScalarType)
        /// The values of an `enum` or a `const`.
        case enumeration([String])
        /// Enumeration of integers, for libraries.
        case integers([Int])
        case array(Schema)
        /// An object whose members have any name and values of one schema; for libraries.
        case map(Schema)
        case object([Property], others: Others)
        case oneOf([Schema], Discriminator?)
        /// At least one of several; for libraries.
        case anyOf([Schema])
        /// All of several that cannot be joined to one object; for libraries.
        case allOf([Schema])
        /// Any JSON, and any object; for libraries.
        case any
        case anyObject
        /// Schema for bodies that are carried as bytes only; the text is the reason, unless it is reported already.
        case untyped(String?)
    }

    /// Additional properties of an object.
    indirect enum Others {
        case none
        case any
        case values(Schema)
    }

    let position: SourcePosition
    let description: String?
    let shape: Shape
    let isNullable: Bool

    /// Whether it is null and nothing else.
    var isNull: Bool {
        if case .untyped = shape { isNullable } else { false }
    }
}

struct Property {
    let name: String
    let schema: Schema
    let isRequired: Bool
    /// Its name in Swift, and that of a type that is declared for it.
    let member: String
    let payload: String

    /// Properties of one object.
    static func list(_ all: [(name: String, schema: Schema, isRequired: Bool)], _ names: SwiftNames) -> [Property] {
        let texts = all.map(\.name)
        let members = names.members(texts, besides: ["CodingKeys"])
        let payloads = names.payloads(texts)
        return all.enumerated().map { index, each in
            Property(
                name: each.name, schema: each.schema, isRequired: each.isRequired, member: members[index],
                payload: payloads[index])
        }
    }
}

/// The schemas of the components, in the order of the document.
struct SchemaTable {
    let names: [String]
    private var schemas: [String: Schema]
    private let types: [String: String]

    init(_ pairs: [(String, Schema)], _ style: CodeStyle) {
        names = pairs.map(\.0)
        schemas = Dictionary(pairs) { first, _ in first }
        let types = style.names.types(names, besides: style.isLibrary ? SwiftNames.used : [])
        self.types = Dictionary(zip(names, types)) { first, _ in first }
    }

    subscript(_ name: String) -> Schema? {
        get { schemas[name] }
        set { schemas[name] = newValue }
    }

    /// The name of a schema's type.
    func type(_ name: String) -> String { types[name] ?? name }

    /// Returns the final target of a reference; a circular reference is returned unchanged.
    func resolved(_ schema: Schema) -> Schema {
        var found = schema
        var passed: Set<String> = []
        while case .reference(let name) = found.shape, let named = schemas[name] {
            guard passed.insert(name).inserted else { return schema }
            found = named
        }
        return found
    }

    /// Whether a body of this schema may hold members that the schema does not name, and so is carried as bytes.
    func isOpen(_ schema: Schema) -> Bool {
        if case .object(_, others: .any) = resolved(schema).shape { true } else { false }
    }
}

/// The member of an object that says which of several schemas it has.
struct Discriminator {
    struct Value {
        let text: String
        /// A name of the components.
        let schema: String
    }

    let position: SourcePosition
    let property: String
    let mapping: [Value]

    /// Returns the values of a discriminator for a schema: its own name by default.
    func values(of schema: String) -> [String] {
        let texts = mapping.filter { $0.schema == schema }.map(\.text)
        return texts.isEmpty ? [schema] : texts
    }
}
