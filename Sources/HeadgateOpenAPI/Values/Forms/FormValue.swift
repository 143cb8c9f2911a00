/// A value in a query or a form: a text, a list, or values by name. Only the reader distinguishes numbers from text.
enum FormValue: Hashable, Sendable {
    case text(String)
    case list([FormValue])
    case members([String: FormValue])

    /// Creates the value that represents a JSON value; nil for null.
    init?(_ value: OpenAPIValueContainer) {
        switch value.storage {
        case .null: return nil
        case .boolean(let flag): self = .text(flag.parameterText)
        case .integer(let number): self = .text(number.parameterText)
        case .number(let number): self = .text(Int(exactly: number).map(\.parameterText) ?? number.parameterText)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.compactMap(FormValue.init))
        case .object(let members): self = .members(members.compactMapValues(FormValue.init))
        }
    }

    /// - Throws: An error of encoding.
    static func of(_ value: some JSONWritable) throws -> FormValue? {
        FormValue(try JSONBody.decode(try JSONBody.write(value)) as OpenAPIValueContainer)
    }

    // MARK: Names and texts

    /// Returns the pairs of a value in brackets: `name[key]=text`.
    func bracketed(_ name: String) -> [(String, String)] {
        switch self {
        case .text(let text): [(name, text)]
        case .list(let elements): elements.enumerated().flatMap { $1.bracketed("\(name)[\($0)]") }
        case .members(let members): sorted(members).flatMap { $1.bracketed("\(name)[\($0)]") }
        }
    }

    /// Texts without names: the elements of a list, or the names and values of an object in turn.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let elements): elements.flatMap(\.texts)
        case .members(let members): sorted(members).flatMap { [$0] + $1.texts }
        }
    }

    /// Returns the pairs of an exploded value, in which nested members are in brackets.
    func exploded(_ name: String) -> [(String, String)] {
        switch self {
        case .text(let text): [(name, text)]
        case .list(let elements): elements.flatMap { $0.exploded(name) }
        case .members(let members):
            sorted(members).flatMap { key, value in
                guard case .list(let elements) = value, elements.allSatisfy(\.isText) else {
                    return value.bracketed(key)
                }
                return elements.flatMap { $0.bracketed(key) }
            }
        }
    }

    private var isText: Bool { if case .text = self { true } else { false } }

    private func sorted(_ members: [String: FormValue]) -> [(key: String, value: FormValue)] {
        members.sorted { $0.key < $1.key }
    }

    // MARK: Reading

    /// Returns the values of names and texts. A repeated name has a list.
    static func members(of pairs: [(String, String)]) -> [String: FormValue] {
        let root = Branch()
        for (name, text) in pairs {
            let keys = path(name)
            root.insert(text, at: keys[...])
        }
        return root.members.mapValues { $0.value.withLists }
    }

    /// The values of a name while they are read. It is a class, so that a name that occurs a million times is not
    /// copied as often.
    private final class Branch {
        var texts: [FormValue] = []
        var members: [String: Branch] = [:]

        func insert(_ text: String, at path: ArraySlice<String>) {
            // `a[]=1&a[]=2` is a list like `a=1&a=2`.
            guard let first = path.first, path != [""] else { return texts.append(.text(text)) }
            let inner = members[first] ?? Branch()
            members[first] = inner
            inner.insert(text, at: path.dropFirst())
        }

        var value: FormValue {
            if !members.isEmpty { return .members(members.mapValues(\.value)) }
            return texts.count == 1 ? texts[0] : .list(texts)
        }
    }

    /// Splits `a[b][c]` into `a`, `b` and `c`; any other name is one key.
    private static func path(_ name: String) -> [String] {
        guard let bracket = name.firstIndex(of: "["), bracket != name.startIndex, name.hasSuffix("]") else {
            return [name]
        }
        let inner = name[bracket...].dropFirst().dropLast()
        // The limit is far above any real nesting depth.
        let keys = inner.split(separator: "][", maxSplits: 32, omittingEmptySubsequences: false).map(String.init)
        return [String(name[..<bracket])] + keys
    }

    /// The value with members named 0, 1, 2 and so on converted to lists.
    private var withLists: FormValue {
        guard case .members(let members) = self else { return self }
        let values = members.mapValues(\.withLists)
        let elements = (0..<values.count).compactMap { values["\($0)"] }
        return elements.count == values.count && !elements.isEmpty ? .list(elements) : .members(values)
    }
}
