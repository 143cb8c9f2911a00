import Testing

@testable import HeadgateApps

@Suite struct YAMLSettingsTests {
    private let keys = SettingsEdit.yaml(YAMLSettings(.keys([("model", "openai/fast"), ("show", false)])))
    private let item = SettingsEdit.yaml(
        YAMLSettings(
            .item(["name: \"Headgate\"", "options:", "  size: 3"], under: "models", identity: "name"),
            heading: ["name: Local", "schema: v1"]))
    private let root = SettingsEdit.yaml(YAMLSettings(.rootItem(["id: \"h/fast\"", "base: x"], identity: "id")))

    private func check(_ edit: SettingsEdit, _ text: String, _ expected: String) throws {
        let edited = try edit.applying(to: text, app: "test")
        #expect(edited == expected.replacing("BEGIN", with: MarkedLines.begin("test")))
        #expect(try edit.applying(to: edited, app: "test") == edited)
        #expect(edit.isPresent(in: edited))
        #expect(try edit.removing(from: edited, original: text, app: "test") == text)
        if text.hasSuffix("\n") { #expect(try edit.removing(from: edited, original: nil, app: "test") == text) }
    }

    @Test func keysAreAtTheEnd() throws {
        try check(
            keys, "# Mine.\nmodel: gpt # old\nread: [a,\n  b]\n",
            "# Mine.\n# headgate set this aside: model: gpt # old\nread: [a,\n  b]\n"
                + "BEGIN\nmodel: \"openai/fast\"\nshow: false # <<< headgate\n")
    }

    @Test func itemIsTheFirstOfItsList() throws {
        try check(
            item, "name: X\nmodels: # all\n  # one\n  - name: a\n    b: &c 1\n  - <<: *c\nrules:\n- d\n",
            "name: X\nmodels: # all\n  BEGIN\n  - name: \"Headgate\"\n    options:\n      size: 3 # <<< headgate\n"
                + "  # one\n  - name: a\n    b: &c 1\n  - <<: *c\nrules:\n- d\n")
    }

    @Test func itemOfAListWithoutIndentation() throws {
        try check(
            item, "models:\n- name: a\n",
            "models:\nBEGIN\n- name: \"Headgate\"\n  options:\n    size: 3 # <<< headgate\n- name: a\n")
    }

    @Test func listThatIsMissingComesWithItsKey() throws {
        try check(
            item, "name: X\n",
            "name: X\nBEGIN\nmodels:\n  - name: \"Headgate\"\n    options:\n      size: 3 # <<< headgate\n")
        try check(
            item, "models:\nname: X\n",
            "models:\n  BEGIN\n  - name: \"Headgate\"\n    options:\n      size: 3 # <<< headgate\nname: X\n")
    }

    @Test func newFileHasItsHeading() throws {
        let edited = try item.applying(to: "", app: "test")
        #expect(edited.hasPrefix("name: Local\nschema: v1\n"))
        #expect(item.isBlank(try item.removing(from: edited, original: nil, app: "test")))
    }

    @Test func itemOfAFileThatIsAList() throws {
        let block = "BEGIN\n- id: \"h/fast\"\n  base: x # <<< headgate\n"
        try check(root, "", block)
        try check(root, "# Mine.\n- id: a\n", "# Mine.\n\(block)- id: a\n")
        try check(root, "---\r\n- id: a\r\n", "---\r\n\(block.replacing("\n", with: "\r\n"))- id: a\r\n")
        try check(root, "- id: a", "\(block)- id: a\n")
    }

    @Test(arguments: [
        ("a: [", "not valid YAML at line"), ("- a\n", "settings"), ("{a: 1}\n", "settings"),
        ("a: 1\n---\nb: 2\n", "document"),
        ("model: |\n  x\n", "'model' at line 1"), ("model: a\n  b\n", "'model' at line 1"),
        ("a: 1\n...\n", "layout"), ("# >>> headgate\n", "damaged"),
    ])
    func unclearFileIsRefused(text: String, reason: String) {
        let error = #expect(throws: EditRefusal.self) { try keys.applying(to: text, app: "test") }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("models: [{name: a}]\n", "'models' at line 1"), ("models: text\n", "'models' at line 1"),
        ("models:\n  - name: Headgate\n", "did not write"), ("models: {}\n", "'models' at line 1"),
    ])
    func otherListIsRefused(text: String, reason: String) {
        let error = #expect(throws: EditRefusal.self) { try item.applying(to: text, app: "test") }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }
}
