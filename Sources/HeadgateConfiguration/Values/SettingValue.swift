internal import HeadgatePrimitives

/// A configuration value that does not come from a file.
package indirect enum SettingValue: Sendable, Equatable {
    case null
    case flag(Bool)
    /// A number in decimal digits.
    case number(String)
    case text(String)
    case list([SettingValue])
    case mapping([Member])

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: SettingValue

        package init(_ name: String, _ value: SettingValue) {
            self.name = name
            self.value = value
        }
    }
}

extension SettingValue {
    /// Returns the path of a repeated member; nil if there is none.
    ///
    /// - Parameter path: Path of this value.
    func repetition(at path: String) -> String? {
        switch self {
        case .list(let items): return items.lazy.compactMap { $0.repetition(at: path) }.first
        case .mapping(let members):
            var names: Set<ExactText> = []
            for member in members {
                let place = path.isEmpty ? member.name : "\(path).\(member.name)"
                guard names.insert(ExactText(member.name)).inserted else { return place }
                if let found = member.value.repetition(at: place) { return found }
            }
            return nil
        default: return nil
        }
    }

    /// Returns the value as a node of a file. A dollar sign in it does not begin a variable.
    func node(at position: SourcePosition) -> YAMLNode {
        switch self {
        case .null: YAMLNode(.scalar("", isPlain: true), at: position)
        case .flag(let value): YAMLNode(.scalar(value ? "true" : "false", isPlain: true), at: position)
        case .number(let text): YAMLNode(.scalar(text, isPlain: true), at: position)
        case .text(let text):
            YAMLNode(.scalar(text.replacing("$", with: "$$"), isPlain: false), at: position)
        case .list(let items): YAMLNode(.sequence(items.map { $0.node(at: position) }), at: position)
        case .mapping(let members):
            YAMLNode(
                .mapping(
                    members.map {
                        YAMLEntry(key: $0.name, keyPosition: position, value: $0.value.node(at: position))
                    }), at: position)
        }
    }
}
