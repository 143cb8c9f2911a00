/// A schema of the supported subset.
struct Schema {
    indirect enum Shape {
        /// Name of a component schema.
        case reference(String)
        case scalar(ScalarType)
        /// Values of an `enum` or a `const`.
        case enumeration([String])
        /// Enumeration of integers, for libraries.
        case integers([Int])
        case array(Schema)
        /// An object with members of any name, whose values have one schema; for libraries.
        case map(Schema)
        case object([Property], others: Others)
        case oneOf([Schema], Discriminator?)
        /// At least one of several schemas; for libraries.
        case anyOf([Schema])
        /// All of several schemas that cannot be joined to one object; for libraries.
        case allOf([Schema])
        /// Any JSON or any object; for libraries.
        case any
        case anyObject
        /// Schema for bodies that are only carried as bytes. The text is the reason; nil if it is already reported.
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

    /// Whether null is the only value.
    var isNull: Bool {
        if case .untyped = shape { isNullable } else { false }
    }
}

struct Property {
    let name: String
    let schema: Schema
    let isRequired: Bool
    /// Swift name of the property, and name of a type that is declared for it.
    let member: String
    let payload: String

    /// Returns the properties of one object.
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

/// Component schemas in the order of the document.
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

    /// Returns the name of a schema's type.
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

    /// Returns whether a body of this schema is carried as bytes, because it can have members that the schema does not
    /// name.
    func isOpen(_ schema: Schema) -> Bool {
        if case .object(_, others: .any) = resolved(schema).shape { true } else { false }
    }
}

/// The member of an object that identifies its schema among several.
struct Discriminator {
    struct Value {
        let text: String
        /// Name of a component schema.
        let schema: String
    }

    let position: SourcePosition
    let property: String
    let mapping: [Value]

    /// Returns the discriminator values of a schema, by default its own name.
    func values(of schema: String) -> [String] {
        let texts = mapping.filter { $0.schema == schema }.map(\.text)
        return texts.isEmpty ? [schema] : texts
    }
}
