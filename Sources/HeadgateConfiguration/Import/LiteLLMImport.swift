/// A configuration from LiteLLM's `config.yaml`.
package struct LiteLLMImport {
    /// Commented YAML, without any secret that stood in the file.
    package let text: String
    /// What was not carried over, by its place in the file.
    package let notes: [ConfigurationIssue]
    /// How many entries of `model_list` are not served at all.
    package let leftOut: Int

    /// - Parameters:
    ///   - bytes: at most 1 MiB.
    ///   - file: only the name that notes have.
    ///   - environment: where a key that clients have may stand.
    ///   - digest: SHA-256 of such a key, in hexadecimal digits; nil for what can be none.
    /// - Throws: for what is no YAML.
    package init(
        _ bytes: [UInt8], file: String, environment: [String: String] = [:],
        digest: @escaping (_ key: String) -> String?
    ) throws(ConfigurationError) {
        var issues = IssueList(file: file)
        guard bytes.count <= ConfigurationFile.maximumBytes else {
            issues.add(ConfigurationFile.tooLarge, at: SourcePosition(line: 1, column: 1))
            throw ConfigurationError(issues: issues.sorted)
        }
        guard let root = YAMLComposer.compose(bytes, issues: &issues) else {
            throw ConfigurationError(issues: issues.sorted)
        }
        var notes = IssueList(file: file, severity: .warning)
        // What YAML has and this reader has not: the rest is read all the same.
        for issue in issues.sorted { notes.add(issue.message, at: issue.position) }
        var reader = LiteLLMReader(root, notes: notes, environment: environment, digest: digest)
        let configuration = reader.read()
        let written = ImportedText(configuration, notes: reader.notes, positions: reader.secretPositions)
        text = written.text(from: file)
        self.notes = written.notes.sorted
        leftOut = reader.leftOut
    }

    package init(
        path: String, environment: [String: String], digest: @escaping (_ key: String) -> String?
    ) throws(ConfigurationError) {
        try self.init(try Configuration.read(path: path), file: path, environment: environment, digest: digest)
    }

    /// Whether the gateway could serve by the text, if every variable in it were set.
    package func check() throws(ConfigurationError) {
        var environment: [String: String] = [:]
        for part in text.split(separator: "${").dropFirst() {
            let name = String(part.prefix { $0 != "}" && $0 != ":" })
            // Good as an address, and as a key.
            environment[name] = "https://placeholder.example"
        }
        _ = try Configuration.parse(text: text, file: "the imported configuration", environment: environment)
    }
}
