extension Configuration {
    /// Reads and checks a file. The environment feeds `${VAR}`, `HEADGATE_LISTEN`, and the upstreams of a file that
    /// names none.
    ///
    /// The path must name a regular file of at most 1 MiB. Every problem found is in the error, in the file's order.
    package static func load(
        path: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        let text: [UInt8]
        do {
            text = try ConfigurationFile.read(path: path)
        } catch {
            let start = SourcePosition(line: 1, column: 1)
            throw ConfigurationError(issues: [.init(file: path, position: start, message: error.message)])
        }
        return try parse(text: text, file: path, environment: environment)
    }

    /// Checks a text of at most 1 MiB of UTF-8; `file` is only the name that issues print.
    package static func parse(
        text: [UInt8], file: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        var issues = IssueList(file: file)
        guard text.count <= ConfigurationFile.maximumBytes else {
            issues.add(ConfigurationFile.tooLarge, at: SourcePosition(line: 1, column: 1))
            throw ConfigurationError(issues: issues.sorted)
        }
        guard let root = YAMLComposer.compose(text, issues: &issues) else {
            throw ConfigurationError(issues: issues.sorted)
        }
        var decoder = ConfigurationDecoder(environment: environment, issues: issues)
        return try decoder.configuration(from: root)
    }

    /// Checks a text of at most 1 MiB; `file` is only the name that issues print.
    package static func parse(
        text: String, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        try parse(text: Array(text.utf8), file: file, environment: environment)
    }

    /// The configuration when there is no file.
    ///
    /// `OPENAI_API_KEY` or `OPENAI_BASE_URL` make one upstream `openai` that serves every model; without both, the
    /// built-in model is served as `smollm2`. `HEADGATE_LISTEN` sets the address.
    package static func fromEnvironment(_ environment: [String: String]) throws(ConfigurationError) -> Configuration {
        let empty = YAMLNode(.scalar("", isPlain: true), at: SourcePosition(line: 1, column: 1))
        var decoder = ConfigurationDecoder(
            environment: environment, issues: IssueList(file: ConfigurationIssue.environmentName))
        return try decoder.configuration(from: empty)
    }
}
