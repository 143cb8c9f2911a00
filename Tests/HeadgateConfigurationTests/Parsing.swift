import HeadgateConfiguration
import Testing

/// Returns the issues of a text as they are printed; empty if the text loads.
func issues(_ text: String, environment: [String: String] = [:]) -> [String] {
    do throws(ConfigurationError) {
        _ = try Configuration.parse(text: text, file: "t.yaml", environment: environment)
        return []
    } catch {
        return error.issues.map(\.description)
    }
}

func parse(_ text: String, environment: [String: String] = [:]) throws -> Configuration {
    try Configuration.parse(text: text, file: "t.yaml", environment: environment)
}

/// Returns the warnings of a text that loads, as they are printed.
func warnings(_ text: String, environment: [String: String] = [:]) throws -> [String] {
    try Configuration.check(
        text: text, file: "t.yaml", environment: environment, surroundings: Surroundings { _, _ in nil }
    ).warnings.map(\.description)
}

/// An invalid text and its only expected issue, without the file name.
struct BadInput: CustomTestStringConvertible, Sendable {
    let text: String
    let issue: String

    init(_ text: String, _ issue: String) {
        self.text = text
        self.issue = issue
    }

    var testDescription: String { text.debugDescription }

    func check(environment: [String: String] = [:]) {
        #expect(issues(text, environment: environment) == ["t.yaml:" + issue])
    }
}
