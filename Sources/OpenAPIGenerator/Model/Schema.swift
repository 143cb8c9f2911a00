/// A schema of the supported subset.
struct Schema {
    indirect enum Shape {
        /// The name of a schema of the components.
        case reference(String)
        /// `cases` are the values of an `enum` or a `const`; nil for any text.
        case string(cases: [String]?)
        case integer
        case number
        case boolean
        case array(Schema)
        /// An object whose members have any name and values of one schema; for libraries.
        case map(Schema)
        case object([Property], isOpen: Bool)
        case oneOf([Schema], Discriminator?)
        /// At least one of several; for libraries.
        case anyOf([Schema])
        /// Fits only bodies that are carried as bytes; the text says why it is no type, unless that is reported
        /// already.
        case untyped(String?)
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
}

/// The schemas of the components, in the order of the document.
struct SchemaTable {
    let names: [String]
    private let schemas: [String: Schema]

    init(_ pairs: [(String, Schema)]) {
        names = pairs.map(\.0)
        schemas = Dictionary(pairs) { first, _ in first }
    }

    subscript(_ name: String) -> Schema? { schemas[name] }

    /// What a reference leads to in the end; one that leads in a circle stays what it is.
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
        if case .object(_, let isOpen) = resolved(schema).shape { isOpen } else { false }
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

    /// The values that stand for a schema: its own name where no other is given.
    func values(of schema: String) -> [String] {
        let texts = mapping.filter { $0.schema == schema }.map(\.text)
        return texts.isEmpty ? [schema] : texts
    }
}
