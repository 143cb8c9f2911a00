import Testing

@testable import HeadgateApps

@Suite struct TOMLSettingsTests {
    private let edit = SettingsEdit.toml(
        TOMLSettings(
            keys: [("model", "fast"), ("model_provider", "headgate")], table: "model_providers.headgate",
            members: [("base_url", "http://gateway/v1"), ("env_key", "HEADGATE_KEY")]))

    private func apply(_ text: String) throws -> String { try edit.applying(to: text, app: "codex") }

    @Test func keysAreAtTheTopAndTheTableIsAtTheEnd() throws {
        let text = """
            # Mine.
            model = "gpt-5" # old
            notify = [
              "a", # ]
            ]
            note = '''
            model = "not a key"
            '''

            [projects."/work"]
            model = "inside"

            """
        let begin = MarkedLines.begin("codex")
        let expected = """
            \(begin)
            model = "fast"
            model_provider = "headgate" # <<< headgate
            # Mine.
            # headgate set this aside: model = "gpt-5" # old
            notify = [
              "a", # ]
            ]
            note = '''
            model = "not a key"
            '''

            [projects."/work"]
            model = "inside"
            \(begin)
            [model_providers.headgate]
            base_url = "http://gateway/v1"
            env_key = "HEADGATE_KEY" # <<< headgate

            """
        let edited = try apply(text)
        #expect(edited == expected)
        #expect(try apply(edited) == edited)
        #expect(try edit.removing(from: edited, original: nil, app: "codex") == text)
    }

    @Test(arguments: [
        "", "model = \"x\"", "a = 1\r\nmodel = 'x'\r\n", "[t]\nmodel = 1\n\n\n",
        "[model_providers.headgate]\nname = 1\nheaders = {\n}\n\n[model_providers.headgate.auth]\na = 1\n[z]\nb = 2\n",
        "\"model\" = 3\n[[lists]]\n[[lists]]\n",
    ])
    func undoRestoresEveryByte(text: String) throws {
        let edited = try apply(text)
        #expect(try apply(edited) == edited)
        #expect(edit.isPresent(in: edited) && !edit.isPresent(in: text))
        #expect(try edit.removing(from: edited, original: text, app: "codex") == text)
        if text.hasSuffix("\n") { #expect(try edit.removing(from: edited, original: nil, app: "codex") == text) }
    }

    @Test func laterChangesOfTheUserStay() throws {
        let edited = try apply("a = 1\n") + "[added]\nb = 2\n"
        #expect(try edit.removing(from: edited, original: "a = 1\n", app: "codex") == "a = 1\n[added]\nb = 2\n")
    }

    @Test(arguments: [
        ("model = \"\"\"\nx\n\"\"\"\n", "'model' at line 1"),
        ("model_providers = {headgate = {name = 1}}\n", "'model_providers' at line 1"),
        ("[model_providers]\nheadgate = {}\n", "'model_providers.headgate' at line 2"),
        ("model_providers.headgate.name = 1\n", "at line 1"), ("a = '''\nopen\n", "not closed"),
        ("just words\n", "line 1"), ("[table\n", "line 1"),
        ("# >>> headgate: damaged\nmodel = 1\n", "damaged headgate block"),
        ("# <<< headgate\n", "damaged headgate block"),
    ])
    func unclearFileIsRefused(text: String, reason: String) {
        let error = #expect(throws: EditRefusal.self) { try apply(text) }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }
}
