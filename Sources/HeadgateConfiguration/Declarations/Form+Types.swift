internal import HeadgatePrimitives

extension Form {
    /// Returns the path of a value with a wrong type and the expected type; nil if all types are correct. Files are
    /// read more leniently, because their scalars are text.
    ///
    /// - Parameter path: Path of the value, such as `limits.in_flight`.
    func mismatch(of value: SettingValue, at path: String) -> (path: String, expectation: String)? {
        switch (self, value) {
        case (.text, .text), (.amount, .text), (.pattern, .text), (.choice, .text), (.flag, .flag),
            (.fraction, .number), (.json, _),
            (.null, .null):
            return nil
        // Amounts can be whole numbers, too.
        case (.wholeNumber, .number(let text)), (.amount, .number(let text)), (.pattern, .number(let text)):
            return text.utf8.allSatisfy(ASCII.isDigit) ? nil : (path, expectation)
        case (.list(let form, _), .list(let items)):
            return items.lazy.compactMap { form.mismatch(of: $0, at: path) }.first
        case (.mapping(let declaration), .mapping(let members)):
            // Unknown members are reported by name.
            return members.lazy.compactMap { member in
                declaration[member.name]?.form.mismatch(of: member.value, at: "\(path).\(member.name)")
            }.first
        case (.named(let form), .mapping(let members)):
            return members.lazy.compactMap { form.mismatch(of: $0.value, at: "\(path).\($0.name)") }.first
        case (.anyOf(let forms), _):
            let mismatches = forms.map { $0.mismatch(of: value, at: path) }
            if mismatches.contains(where: { $0 == nil }) { return nil }
            // The form that matched furthest is the one that was meant.
            return mismatches.compactMap(\.self).first { !$0.path.isExactly(path) } ?? (path, expectation)
        default: return (path, expectation)
        }
    }

    /// Expected type, for messages.
    private var expectation: String {
        switch self {
        case .text, .pattern, .choice: "a text"
        case .flag: "true or false"
        case .wholeNumber: "a whole number"
        case .fraction: "a number"
        case .amount: "a whole number or a text such as \"0.50\""
        case .null: "null"
        case .list: "a list"
        case .mapping, .named: "an object"
        case .anyOf(let forms): forms.map(\.expectation).joined(separator: " or ")
        case .json: "a value"
        }
    }
}
