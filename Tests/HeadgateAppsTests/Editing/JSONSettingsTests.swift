import Testing

@testable import HeadgateApps

/// Added and removed entries, which leave all other bytes of the document unchanged.
@Suite struct JSONSettingsTests {
    private let edit = SettingsEdit.json(
        JSONSettings(
            relaxed: true,
            [
                .init("provider", "headgate", value: ["url": "http://gateway", "list": [1, true]]),
                .init("model", value: "headgate/fast"),
            ]))

    private func apply(_ text: String) throws -> String { try edit.applying(to: text, app: "test") }

    @Test func newFileIsIndented() throws {
        #expect(
            try apply("") == """
                {
                  "provider": {
                    "headgate": {
                      "url": "http://gateway",
                      "list": [
                        1,
                        true
                      ]
                    }
                  },
                  "model": "headgate/fast"
                }

                """)
    }

    @Test func commentsAndStyleStay() throws {
        let text = """
            // Mine.
            {
            \t"theme": "dark", // good
            \t/* kept */
            \t"provider": {
            \t\t"other": {"a": [1, 2,]}, // last
            \t},
            \t"model": "other/big", // preferred
            }

            """
        let expected = """
            // Mine.
            {
            \t"theme": "dark", // good
            \t/* kept */
            \t"provider": {
            \t\t"other": {"a": [1, 2,]}, // last
            \t\t"headgate": {
            \t\t\t"url": "http://gateway",
            \t\t\t"list": [
            \t\t\t\t1,
            \t\t\t\ttrue
            \t\t\t]
            \t\t},
            \t},
            \t"model": "headgate/fast", // preferred
            }

            """
        let edited = try apply(text)
        #expect(edited == expected)
        #expect(try apply(edited) == edited)
        #expect(try edit.removing(from: edited, original: text, app: "test") == text)
    }

    @Test(arguments: [
        "{}", "{}\n", "{ }\n", "{\n}\n", "{\n  // nothing\n}\n", "{\"a\": 1}", "{\"a\":1}\n", "{\n  \"a\": 1\n}\n",
        "{\r\n  \"a\": 1\r\n}\r\n", "{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1 // c\n}\n",
        "{\n  \"a\": 1, // c\n  // d\n}\n",
        "{\"provider\": {}, \"model\": null}\n", "{\n  \"provider\": {\"headgate\": {\"mine\": 1}}\n}\n",
        "{\n    \"model\": \"x\",\n    \"provider\": {\n        \"b\": 1\n    },\n    \"z\": {}\n}", "", "\n",
        "\u{FEFF}{\n  \"a\": \"// no comment, }\"\n}\n",
    ])
    func undoRestoresEveryByte(text: String) throws {
        let edited = try apply(text)
        #expect(try apply(edited) == edited)
        #expect(edit.isPresent(in: edited))
        #expect(try edit.removing(from: edited, original: text, app: "test") == text)
        // The backup is needed only if a value was replaced or an object on one line was opened.
        if text.hasSuffix("\n}\n") && text.contains("\"a\"") {
            #expect(try edit.removing(from: edited, original: nil, app: "test") == text)
        }
    }

    @Test func laterChangesOfTheUserStay() throws {
        let text = "{\n  \"model\": \"mine\"\n}\n"
        let changed = try apply(text).replacing("\"model\"", with: "\"added\": [3],\n  \"model\"")
        #expect(
            try edit.removing(from: changed, original: text, app: "test")
                == "{\n  \"added\": [3],\n  \"model\": \"mine\"\n}\n")
    }

    @Test func objectOfOneLineIsOpened() throws {
        let edit = SettingsEdit.json(JSONSettings(relaxed: false, [.init("env", "B", value: "b")]))
        #expect(
            try edit.applying(to: "{\n  \"env\": {\"A\": \"a\"}\n}\n", app: "test")
                == "{\n  \"env\": {\"A\": \"a\",\n    \"B\": \"b\"\n  }\n}\n")
    }

    @Test func blankFileIsRecognized() throws {
        #expect(edit.isBlank(try edit.removing(from: try apply(""), original: nil, app: "test")))
    }

    @Test(arguments: [
        ("{\"a\": }", "line 1"), ("{\n\n  \"a\": 1 \"b\"\n}", "line 3"), ("{\"a\": 1", "line 1"), ("/* open", "line 1"),
        ("[]", "an object"), ("{\"provider\": 3}", "an object with \"headgate\""),
    ])
    func damagedFileIsRefused(text: String, reason: String) {
        let error = #expect(throws: EditRefusal.self) { try apply(text) }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func strictFileHasNoComments() {
        let edit = SettingsEdit.json(JSONSettings(relaxed: false, [.init("a", value: 1)]))
        #expect(throws: EditRefusal.self) { try edit.applying(to: "{} // no", app: "test") }
    }

    @Test func elementOfAListIsFoundByItsMember() throws {
        let value: SettingsValue = ["name": "Headgate", "models": [["id": "fast"]]]
        let edit = SettingsEdit.json(
            JSONSettings(relaxed: true, [.init([.element(where: "name", is: "Headgate")], value)]))
        for text in [
            "", "[]", "[\n  {\"name\": \"Other\"}\n]\n", "[\n  {\"name\": \"Headgate\", \"old\": 1},\n  2\n]\n",
        ] {
            let edited = try edit.applying(to: text, app: "test")
            #expect(edited.contains("\"fast\"") && !edited.contains("old"))
            #expect(try edit.applying(to: edited, app: "test") == edited)
            #expect(try edit.removing(from: edited, original: text, app: "test") == text)
        }
    }
}
