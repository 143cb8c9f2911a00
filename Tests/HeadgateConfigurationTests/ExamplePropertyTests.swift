import Foundation
import Testing

@testable import HeadgateConfiguration

/// Every key of the example file is removed, misspelled, and given values of other types. The schema determines the
/// expected result, so that the decoder, the schema and the example stay consistent.
@Suite struct ExamplePropertyTests {
    private let example: Example
    private let schema: JSONSchema
    private let keys: [ExampleKey]

    init() throws {
        example = try Example()
        schema = try JSONSchema.ofConfiguration()
        keys = try ExampleKey.all(of: example.text, schema: schema)
    }

    private func issues(_ text: String) -> [String] {
        HeadgateConfigurationTests.issues(text, environment: example.environment)
    }

    private func isValid(_ text: String) -> Bool {
        var issues = IssueList(file: "")
        guard let root = YAMLComposer.compose(Array(text.utf8), issues: &issues), issues.isEmpty else { return false }
        return schema.accepts(JSONInstance(root))
    }

    @Test func bothFilesAreValid() throws {
        #expect(isValid(example.text))
        #expect(isValid(try String(contentsOfFile: Example.minimalPath, encoding: .utf8)))
        #expect(isValid(""))
    }

    @Test func theExampleShowsEveryKey() {
        for declaration in MappingDeclaration.all {
            // The example shows keys that exclude others, or need a file, in comments.
            let inComments = ["cache.redis", "key.passthrough", "upstream.model"]
            for key in declaration.keys where !inComments.contains("\(declaration.name).\(key.name)") {
                let isShown = keys.contains { shown in
                    shown.isDeclared && shown.name == key.name && shown.schema["description"] != nil
                        && "\(shown.schema["description"] ?? "")".hasPrefix(key.summary)
                }
                #expect(isShown, "\(declaration.name).\(key.name)")
            }
        }
    }

    @Test func aMisspeltKeyIsFoundAtItsPlace() {
        for key in keys where key.isDeclared {
            let text = key.renamed("\(key.name)x", in: example.text)
            let place = "t.yaml:\(key.position.line):\(key.position.column)"
            #expect(
                issues(text) == ["\(place): error: unknown key \"\(key.name)x\": did you mean \"\(key.name)\"?"])
            #expect(!isValid(text), "\(key.name)")
        }
    }

    @Test func aValueOfAnotherTypeIsFoundAtItsLine() {
        for key in keys {
            var wrong = 0
            for value in ["[[wrong]]", "{wrong: [wrong]}", "wrong", "-1"] {
                let text = key.with(value: value, in: example.text)
                let found = issues(text)
                let isValid = isValid(text)
                #expect(isValid || !found.isEmpty, "line \(key.position.line): \(key.name): \(value) loads")
                if isValid { continue }
                wrong += 1
                let line = "t.yaml:\(key.position.line):"
                #expect(found.contains { $0.hasPrefix(line) }, "\(key.name): \(value): \(found)")
            }
            let takesAnything = key.schema.isEmpty
            #expect(takesAnything || wrong > 0, "line \(key.position.line): \(key.name) has no wrong value")
            if takesAnything {
                let found = issues(key.with(value: "[.nan]", in: example.text))
                #expect(found.first?.hasPrefix("t.yaml:\(key.position.line):") == true, "\(key.name): \(found)")
            }
        }
    }

    @Test func aMissingRequiredKeyIsReportedAtItsMapping() {
        for key in keys where key.isDeclared {
            let text = key.removed(from: example.text)
            let found = issues(text)
            if isValid(text) {
                // The key's mapping does not require it, but another setting can, and its message then names the key.
                let stem = key.name.hasSuffix("s") ? String(key.name.dropLast()) : key.name
                let isNeededElsewhere = found.allSatisfy { $0.contains(stem) && !$0.contains(" has no ") }
                #expect(isNeededElsewhere, "line \(key.position.line): \(key.name): \(found)")
            } else {
                // Without the first key of an item, the mapping begins at the second key, one line below.
                let isFirstOfItem = key.position.line == key.mappingLine
                let line = "t.yaml:\(key.mappingLine + (isFirstOfItem ? 1 : 0)):"
                #expect(found.contains { $0.hasPrefix(line) }, "\(key.name): \(found)")
            }
        }
    }
}
