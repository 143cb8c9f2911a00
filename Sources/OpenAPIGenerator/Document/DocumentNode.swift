/// A value of the document with its position.
struct DocumentNode {
    struct Member {
        let key: String
        let keyPosition: SourcePosition
        let value: DocumentNode
    }

    enum Value {
        case null
        case boolean(Bool)
        /// A number in JSON's notation, as written.
        case number(String)
        case string(String)
        case sequence([DocumentNode])
        case mapping([Member])
    }

    let position: SourcePosition
    let value: Value

    /// Returns whether the node is exactly this string.
    func isText(_ text: String) -> Bool {
        if case .string(text) = value { true } else { false }
    }

    /// The first member of a mapping with a name; nil if there is none.
    subscript(name: String) -> DocumentNode? {
        guard case .mapping(let members) = value else { return nil }
        return members.first { $0.key == name }?.value
    }

    var text: String? { if case .string(let text) = value { text } else { nil } }
    var items: [DocumentNode] { if case .sequence(let items) = value { items } else { [] } }

    /// Kind of the node with its article, for messages.
    var kind: String {
        switch value {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
