/// A configuration from LiteLLM's `config.yaml`.
package struct LiteLLMImport {
    /// Commented YAML, without any secret that stood in the file.
    package let text: String
    /// Settings that were not carried over, with their positions.
    package let notes: [ConfigurationIssue]
    /// How many entries of `model_list` are not served at all.
    package let leftOut: Int

    /// - Parameters:
    ///   - bytes: at most 1 MiB.
    ///   - file: the name that notes print.
    ///   - environment: variables, one of which can contain a client key.
    ///   - digest: returns the SHA-256 of such a key, in hexadecimal digits; nil if the text cannot be a key.
    /// - Throws: if it is not YAML.
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
        // YAML features that this reader does not support are noted, and the rest is read.
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
