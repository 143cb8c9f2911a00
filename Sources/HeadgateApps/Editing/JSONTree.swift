import JSONBytes

/// A JSON document as values with the ranges of their bytes.
struct JSONTree {
    struct Node {
        enum Content {
            case object([Child])
            case array([Child])
            case string(String)
            case other
        }

        let range: Range<Int>
        let content: Content

        var children: [Child]? {
            switch content {
            case .object(let children), .array(let children): children
            case .string, .other: nil
            }
        }
    }

    /// A member of an object or an element of an array.
    struct Child {
        /// The member's name; nil for an element.
        let name: String?
        /// The range from the first byte, that of the name's quote for a member, to the end of the value.
        let range: Range<Int>
        let value: Node
    }

    let root: Node
    /// The document with spaces instead of comments; commas stay, and all offsets are the same.
    let plain: [UInt8]

    /// - Parameter isRelaxed: Whether comments and trailing commas are allowed.
    init(_ document: [UInt8], isRelaxed: Bool) throws(JSONError) {
        plain = isRelaxed ? RelaxedJSON.withoutComments(document) : document
        let strict = isRelaxed ? RelaxedJSON.withoutTrailingCommas(plain) : plain
        let result = strict.withUnsafeBytes { bytes -> Result<Node, JSONError> in
            var cursor = JSONCursor(bytes)
            do throws(JSONError) {
                let root = try JSONTree.node(&cursor)
                try cursor.finish()
                return .success(root)
            } catch {
                return .failure(error)
            }
        }
        root = try result.get()
    }

    private static func node(_ cursor: inout JSONCursor) throws(JSONError) -> Node {
        let kind = try cursor.kind()
        let start = cursor.offset
        switch kind {
        case .object:
            var children: [Child] = []
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let value = try node(&cursor)
                let range = key.literal.lowerBound..<value.range.upperBound
                children.append(Child(name: cursor.decoded(key), range: range, value: value))
            }
            return Node(range: start..<cursor.offset, content: .object(children))
        case .array:
            var children: [Child] = []
            try cursor.beginArray()
            while try cursor.nextElement() {
                let value = try node(&cursor)
                children.append(Child(name: nil, range: value.range, value: value))
            }
            return Node(range: start..<cursor.offset, content: .array(children))
        case .string:
            let text = try cursor.string()
            return Node(range: text.literal, content: .string(cursor.decoded(text)))
        case .number, .true, .false, .null:
            return Node(range: try cursor.skipValue(), content: .other)
        }
    }
}

extension JSONTree.Node {
    /// Returns the index of the child that a step selects; nil if there is none.
    func index(of step: JSONStep) -> Int? {
        switch (step, content) {
        // Readers use the last of several members with the same name.
        case (.member(let name), .object(let members)): members.lastIndex { $0.name == name }
        case (.element(let name, let text), .array(let elements)):
            elements.firstIndex { element in
                guard case .object(let members) = element.value.content,
                    case .string(text)? = members.last(where: { $0.name == name })?.value.content
                else { return false }
                return true
            }
        default: nil
        }
    }

    /// Returns the value at a path; nil if there is none.
    func value(at path: some Collection<JSONStep>) -> JSONTree.Node? {
        guard let step = path.first else { return self }
        guard let index = index(of: step), let children else { return nil }
        return children[index].value.value(at: path.dropFirst())
    }
}

/// One step of a path in a JSON document, from the outermost value inward.
package enum JSONStep: Sendable, Equatable {
    case member(String)
    /// The element that is an object with this member.
    case element(where: String, is: String)

    /// Whether only this command writes at this step.
    var namesGateway: Bool {
        switch self {
        case .member(let name), .element(_, let name): name == "headgate" || name == "Headgate"
        }
    }
}
