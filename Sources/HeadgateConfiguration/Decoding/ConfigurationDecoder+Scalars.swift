internal import HeadgatePrimitives

/// Places where the text of a scalar can be repeated.
enum Echo {
    /// Issues and the explanation.
    case text
    /// The explanation, and issues if the text is a word.
    case word
    /// The explanation, if the text is valid: an invalid text can contain a secret.
    case onceValid
    /// The explanation, as written in the file: a variable in the text can contain a secret.
    case asWritten
    /// No place, because the text is a secret.
    case nothing

    /// Returns whether an invalid text is repeated.
    fileprivate func repeats(_ text: String) -> Bool {
        switch self {
        case .text: true
        case .word:
            text.utf8.count <= 32
                && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0) }
        case .onceValid, .asWritten, .nothing: false
        }
    }

    fileprivate func shown(_ scalar: Interpolation, source: String) -> String {
        switch self {
        case .text, .word, .onceValid: scalar.text
        case .asWritten: source
        case .nothing: redactedText
        }
    }
}

extension ConfigurationDecoder {
    /// Interpolates a scalar and parses it. Any other node, or a text that does not parse, becomes an issue. Every
    /// scalar is text, quoted or not, and the key determines its type. With a path, the value is recorded there.
    mutating func decode<Value>(
        _ node: YAMLNode, in place: String, as expectation: String, echo: Echo = .text, at path: SettingPath? = nil,
        _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard case .scalar(let source, _) = node.content, !node.isNull else {
            expected(expectation, found: node, in: place)
            return nil
        }
        var variables: [String] = []
        var isSecret = false
        if case .nothing = echo { isSecret = true }
        do throws(InvalidValue) {
            let scalar = try Interpolation(
                source, environment: environment, limit: interpolationBudget, isSecret: isSecret)
            variables = scalar.variables
            if isSecret { secretVariables.formUnion(variables) }
            if !variables.isEmpty {
                interpolationBudget -= scalar.text.utf8.count
                if let variable = variables.last, scalar.text.isEmpty {
                    variables = []
                    throw InvalidValue("the variable \(variable) is empty: give it a value")
                }
            }
            let found = variables.isEmpty && echo.repeats(scalar.text) ? "found \(quoted(scalar.text)), " : ""
            do throws(InvalidValue) {
                let value = try parse(scalar.text)
                if let path {
                    let origin = origin(of: node, variables: scalar.taken)
                    settings?.record(path, echo.shown(scalar, source: source), origin: origin)
                }
                return value
            } catch {
                throw InvalidValue(found + error.message)
            }
        } catch {
            if leavesOut(source, isSecret: isSecret) {
                // Variables that are set are still parts of a secret.
                if isSecret { secretVariables.formUnion(Interpolation.names(in: source)) }
                return nil
            }
            let origin = variables.isEmpty ? "" : "the value of \(variables.joined(separator: " and ")): "
            issues.add("\(place): \(origin)\(error.message)", at: node.position)
            return nil
        }
    }

    /// Returns the value of a declared key, or else its default; nil without either, and after an issue.
    mutating func value<Value>(
        _ key: String, of fields: Fields, as expectation: String, echo: Echo = .text,
        _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        let path = fields.path.key(key)
        if let entry = fields[key] {
            return decode(entry.value, in: key, as: expectation, echo: echo, at: path, parse)
        }
        if let inherited = fields.inherited {
            settings?.inherit(path, from: inherited.key(key))
            return nil
        }
        return recordStandard(key, of: fields).flatMap { try? parse($0) }
    }

    /// Records the default of a missing key and returns its text, if it can be decoded.
    @discardableResult
    mutating func recordStandard(_ key: String, of fields: Fields) -> String? {
        guard !fields.leftOut.contains(key), let standard = fields.declaration[key]?.standard else { return nil }
        let path = fields.path.key(key)
        switch standard {
        case .value(let text):
            settings?.record(path, text, origin: SettingList.standardOrigin)
            return text
        case .described(let text):
            settings?.record(path, text, origin: SettingList.standardOrigin)
            return nil
        }
    }

    mutating func wholeNumber(_ key: String, of fields: Fields, in range: ClosedRange<Int>) -> Int? {
        value(key, of: fields, as: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            (text) throws(InvalidValue) in try WholeNumber.parse(text, in: range)
        }
    }

    mutating func duration(_ key: String, of fields: Fields) -> Duration? {
        value(key, of: fields, as: DurationText.expected) { (text) throws(InvalidValue) in
            try DurationText.parse(text)
        }
    }

    mutating func flag(_ key: String, of fields: Fields) -> Bool? {
        value(key, of: fields, as: "true or false") { (text) throws(InvalidValue) in
            switch text {
            case "true": return true
            case "false": return false
            default: throw InvalidValue("expected true or false")
            }
        }
    }

    mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: String, of fields: Fields, as type: Value.Type
    ) -> Value? {
        let known = type.allCases.map(\.rawValue)
        let expectation = alternatives(known)
        return value(key, of: fields, as: expectation, echo: .word) { (text) throws(InvalidValue) in
            if let value = type.init(rawValue: text) { return value }
            let advice = nearest(text, in: known).map { "; did you mean \(quoted($0))?" } ?? ""
            throw InvalidValue("expected \(expectation)\(advice)")
        }
    }

    /// Reads a list of scalars and records it as one value; nil if the key is missing. `content` describes the list,
    /// and `expectation` each value.
    mutating func values<Value>(
        _ key: String, of fields: Fields, list content: String, each expectation: String, echo: Echo = .text,
        _ parse: (String) throws(InvalidValue) -> Value
    ) -> [Value]? {
        guard let entry = fields[key] else {
            recordStandard(key, of: fields)
            return nil
        }
        return values(
            entry.value, in: key, list: content, each: expectation, echo: echo, at: fields.path.key(key), parse)
    }

    mutating func values<Value>(
        _ node: YAMLNode, in place: String, list content: String, each expectation: String, echo: Echo = .text,
        at path: SettingPath, _ parse: (String) throws(InvalidValue) -> Value
    ) -> [Value]? {
        guard let items = list(node, place: place, of: content) else { return nil }
        // The items are recorded one by one, but the setting is recorded as one list.
        let outer = settings
        settings = outer.map { _ in SettingList() }
        let values = items.compactMap {
            decode($0, in: place, as: expectation, echo: echo, at: path, parse)
        }
        let texts = settings?.settings.map(\.value) ?? []
        settings = outer
        let origin = origin(of: node)
        settings?.record(path, listText(texts), origin: origin)
        return values
    }

    /// Reads an environment variable, if it is set. With a path, the value is recorded there.
    mutating func variable<Value>(
        _ name: String, echo: Echo = .text, at path: SettingPath? = nil, _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard let text = environment[name] else { return nil }
        if case .nothing = echo { secretVariables.insert(name) }
        do throws(InvalidValue) {
            guard !text.isEmpty else { throw InvalidValue("the variable is empty: give it a value, or unset it") }
            let value = try parse(text)
            if let path {
                let shown = echo == .nothing ? redactedText : text
                settings?.record(path, shown, origin: Self.origin(ofVariables: [name]))
            }
            return value
        } catch {
            issues.add("\(name): \(error.message)", at: nil)
            return nil
        }
    }

    /// Returns the origin of a value of the file, for the explanation.
    func origin(of node: YAMLNode, variables: [String] = []) -> String {
        let preset = presets.isEmpty ? "" : presets[node.position].map { "kind: \($0), " } ?? ""
        let place = "\(preset)\(issues.file):\(node.position.line)"
        return variables.isEmpty ? place : "\(Self.origin(ofVariables: variables)) (\(place))"
    }

    static func origin(ofVariables names: [String]) -> String {
        "environment \(names.joined(separator: " and "))"
    }
}
