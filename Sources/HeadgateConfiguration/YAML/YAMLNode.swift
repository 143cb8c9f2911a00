/// A value in a YAML document with its position. Values are at most 64 levels deep.
struct YAMLNode {
    enum Content {
        /// A scalar. `isPlain` is false for quoted and block scalars, which are never null.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
        /// A node that is already reported. Reading it causes no further issue.
        case refused
    }

    let content: Content
    let position: SourcePosition

    init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }

    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// A key of a mapping with its value. The key is not interpolated.
struct YAMLEntry {
    let key: String
    let keyPosition: SourcePosition
    let value: YAMLNode
}
