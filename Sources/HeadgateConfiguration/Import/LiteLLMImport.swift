/// A configuration imported from LiteLLM's `config.yaml`.
package struct LiteLLMImport {
    /// Commented YAML, without any secret of the imported file.
    package let text: String
    /// Settings that were not imported, with their positions.
    package let notes: [ConfigurationIssue]
    /// Number of entries of `model_list` that are not served.
    package let leftOut: Int

    /// Imports a configuration.
    ///
    /// - Parameters:
    ///   - bytes: Contents of the file, at most 1 MiB.
    ///   - file: Name of the file in notes.
    ///   - environment: Variables, one of which can contain a client key.
    ///   - digest: Returns the SHA-256 of such a key in hexadecimal; nil if the text cannot be a key.
    /// - Throws: ``ConfigurationError`` if the bytes are not YAML or exceed 1 MiB.
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
        // Unsupported YAML features are noted, and the rest is read.
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

    /// Checks that the text would be a valid configuration if every variable in it were set.
    package func check() throws(ConfigurationError) {
        var environment: [String: String] = [:]
        for part in text.split(separator: "${").dropFirst() {
            let name = String(part.prefix { $0 != "}" && $0 != ":" })
            // The placeholder is valid as an address and as a key.
            environment[name] = "https://placeholder.example"
        }
        _ = try Configuration.parse(text: text, file: "the imported configuration", environment: environment)
    }
}
