extension Configuration {
    /// Reads and checks a file. The environment supplies `${VAR}`, `HEADGATE_LISTEN`, systemd credentials, and the
    /// upstreams of a file that names none.
    ///
    /// The path must name a regular file of at most 1 MiB, and so must the paths in the file. The error contains every
    /// problem, in the file's order.
    package static func load(
        path: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        try parse(text: try read(path: path), file: path, environment: environment)
    }

    /// Checks a text of at most 1 MiB of UTF-8. `file` is only the name that issues print.
    package static func parse(
        text: [UInt8], file: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        try decode(text, file: file, environment: environment).configuration
    }

    /// Checks a text of at most 1 MiB. `file` is only the name that issues print.
    package static func parse(
        text: String, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        try parse(text: Array(text.utf8), file: file, environment: environment)
    }

    /// Checks a file, or the environment alone if there is no path, including everything that can be known before the
    /// start.
    package static func check(
        path: String?, environment: [String: String], surroundings: Surroundings
    ) throws(ConfigurationError) -> CheckedConfiguration {
        let text = try path.map { (path) throws(ConfigurationError) -> [UInt8] in
            surroundings.willRead(path)
            return try read(path: path)
        }
        let decoded = try decode(
            text, file: path ?? ConfigurationIssue.environmentName, environment: environment, surroundings: surroundings
        )
        return CheckedConfiguration(configuration: decoded.configuration, warnings: decoded.warnings)
    }

    /// Checks a text. `file` is only the name that issues print.
    package static func check(
        text: String, file: String, environment: [String: String], surroundings: Surroundings
    ) throws(ConfigurationError) -> CheckedConfiguration {
        let decoded = try decode(Array(text.utf8), file: file, environment: environment, surroundings: surroundings)
        return CheckedConfiguration(configuration: decoded.configuration, warnings: decoded.warnings)
    }

    /// Returns the configuration for a gateway without a file.
    ///
    /// The upstreams come from the variables that the providers' libraries read: `OPENAI_API_KEY` or `OPENAI_BASE_URL`,
    /// `ANTHROPIC_API_KEY` (and `ANTHROPIC_BASE_URL`), `AZURE_OPENAI_API_KEY` with `AZURE_OPENAI_ENDPOINT` (and
    /// `OPENAI_API_VERSION`), and `OLLAMA_HOST`. A single upstream serves every model. Of several upstreams, Anthropic
    /// serves `claude-*`, and the first of the others serves the rest. Without any, the built-in model is served as
    /// `smollm2`. `HEADGATE_LISTEN` sets the address.
    package static func fromEnvironment(_ environment: [String: String]) throws(ConfigurationError) -> Configuration {
        try decode(nil, file: ConfigurationIssue.environmentName, environment: environment).configuration
    }

    /// Decodes a file's text, or the environment alone. The result has settings only if `settings` is a list to record
    /// them.
    static func decode(
        _ text: [UInt8]?, file: String, environment: [String: String], settings: SettingList? = nil,
        surroundings: Surroundings = .unknown
    ) throws(ConfigurationError) -> DecodedConfiguration {
        var issues = IssueList(file: file)
        let root = try compose(text, &issues)
        var decoder = ConfigurationDecoder(
            environment: environment, issues: issues, settings: settings, surroundings: surroundings)
        let configuration = try decoder.configuration(from: root)
        return DecodedConfiguration(
            configuration: configuration, settings: decoder.settings?.settings ?? [],
            secretVariables: decoder.secretVariables, warnings: decoder.warnings.sorted)
    }

    private static func compose(_ text: [UInt8]?, _ issues: inout IssueList) throws(ConfigurationError) -> YAMLNode {
        let start = SourcePosition(line: 1, column: 1)
        guard let text else { return YAMLNode(.scalar("", isPlain: true), at: start) }
        if text.count > ConfigurationFile.maximumBytes {
            issues.add(ConfigurationFile.tooLarge, at: start)
        } else if let root = YAMLComposer.compose(text, issues: &issues) {
            return root
        }
        throw ConfigurationError(issues: issues.sorted)
    }

    /// Returns the place of the ledger, and so of managed keys. Problems elsewhere in the configuration are ignored,
    /// and secrets of the gateway's environment can be missing.
    package static func ledgerPlace(
        path: String?, environment: [String: String]
    ) throws(ConfigurationError) -> LedgerConfiguration.Place {
        let text = try path.map { (path) throws(ConfigurationError) in try read(path: path) }
        var issues = IssueList(file: path ?? ConfigurationIssue.environmentName)
        let root = try compose(text, &issues)
        var decoder = ConfigurationDecoder(environment: environment, issues: issues)
        return try decoder.ledgerPlace(from: root)
    }

    /// Returns the names of the environment variables that contain secrets of the configuration, or paths of files with
    /// secrets. Without a path, this applies to ``fromEnvironment(_:)``. Variables of other values and unset variables
    /// are not included.
    package static func secretVariables(
        path: String?, environment: [String: String]
    ) throws(ConfigurationError) -> Set<String> {
        var surroundings = Surroundings.unknown
        surroundings.hasSecrets = false
        let text = try path.map { (path) throws(ConfigurationError) in try read(path: path) }
        return try decode(text, file: path ?? "", environment: environment, surroundings: surroundings).secretVariables
    }

    static func read(path: String) throws(ConfigurationError) -> [UInt8] {
        do {
            return try ConfigurationFile.read(path: path)
        } catch {
            let start = SourcePosition(line: 1, column: 1)
            throw ConfigurationError(issues: [.init(file: path, position: start, message: error.message)])
        }
    }
}

/// Result of decoding a configuration.
struct DecodedConfiguration {
    let configuration: Configuration
    let settings: [EffectiveSetting]
    let secretVariables: Set<String>
    let warnings: [ConfigurationIssue]
}
