/// Whether an issue may repeat the text that it is about.
enum Echo {
    case text
    /// For fields that may hold a secret.
    case nothing
}

extension ConfigurationDecoder {
    /// Interpolates a scalar and reads it as a value; anything else, or a text that does not parse, becomes an issue.
    /// Every scalar is text to begin with, quoted or not: the field decides what it must be.
    mutating func decode<Value>(
        _ node: YAMLNode, in place: String, as expectation: String, echo: Echo = .text,
        _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard case .scalar(let source, _) = node.content, !node.isNull else {
            expected(expectation, found: node, in: place)
            return nil
        }
        var variables: [String] = []
        do throws(InvalidValue) {
            let scalar = try Interpolation(source, environment: environment, limit: interpolationBudget)
            variables = scalar.variables
            if !variables.isEmpty {
                interpolationBudget -= scalar.text.utf8.count
                if let variable = variables.last, scalar.text.isEmpty {
                    variables = []
                    throw InvalidValue("the variable \(variable) is empty: give it a value")
                }
            }
            let found = echo == .text && variables.isEmpty ? "found \(quoted(scalar.text)), " : ""
            do throws(InvalidValue) {
                return try parse(scalar.text)
            } catch {
                throw InvalidValue(found + error.message)
            }
        } catch {
            let origin = variables.isEmpty ? "" : "the value of \(variables.joined(separator: " and ")): "
            issues.add("\(place): \(origin)\(error.message)", at: node.position)
            return nil
        }
    }

    /// The value of an entry; its key names the place.
    mutating func decode<Value>(
        _ entry: YAMLEntry, as expectation: String, echo: Echo = .text,
        _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        decode(entry.value, in: entry.key, as: expectation, echo: echo, parse)
    }

    /// nil also when there is no entry.
    mutating func wholeNumber(_ entry: YAMLEntry?, in range: ClosedRange<Int>) -> Int? {
        guard let entry else { return nil }
        return decode(entry, as: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            (text) throws(InvalidValue) in try WholeNumber.parse(text, in: range)
        }
    }

    /// Reads an environment variable, if it is set.
    mutating func variable<Value>(
        _ name: String, _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard let text = environment[name] else { return nil }
        do throws(InvalidValue) {
            guard !text.isEmpty else { throw InvalidValue("the variable is empty: give it a value, or unset it") }
            return try parse(text)
        } catch {
            issues.add("\(name): \(error.message)", at: nil)
            return nil
        }
    }
}
