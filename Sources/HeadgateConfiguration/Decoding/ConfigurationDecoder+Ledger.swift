extension ConfigurationDecoder {
    private static let expectedLedger = "sqlite: and an absolute path, \(PostgreSQLURL.example), memory or none"

    /// Reads the ledger from `HEADGATE_LEDGER`, or else from the file, or else returns the default.
    mutating func ledger(in fields: Fields) -> LedgerConfiguration {
        let path = fields.path.key("ledger")
        let isReplaced = !(environment["HEADGATE_LEDGER"] ?? "").isEmpty
        let outer = settings
        // The file's value is checked, although the variable replaces it.
        if isReplaced { settings = nil }
        var place = value("ledger", of: fields, as: Self.expectedLedger, echo: .nothing) {
            (text) throws(InvalidValue) in try Self.ledgerPlace(text)
        }
        if isReplaced {
            settings = outer
            place = variable("HEADGATE_LEDGER", echo: .nothing, at: path) { (text) throws(InvalidValue) in
                try Self.ledgerPlace(text)
            }
            // Only the URL of a server can contain a password.
            if let place, !place.isServer { secretVariables.remove("HEADGATE_LEDGER") }
        }
        if let place { settings?.show(place.shown, at: path) }
        let lifetime = value("ledger_keep", of: fields, as: DurationText.expectedLifetime) {
            (text) throws(InvalidValue) in try DurationText.parseLifetime(text)
        }
        return LedgerConfiguration(
            place: place ?? .standard, lifetime: lifetime ?? LedgerConfiguration.standardLifetime)
    }

    /// Returns the place of the ledger and ignores problems elsewhere in the file.
    mutating func ledgerPlace(from root: YAMLNode) throws(ConfigurationError) -> LedgerConfiguration.Place {
        let fields =
            root.isNull
            ? Fields(.file, at: .root) : fields(of: root, as: .file, at: .root, in: "the file")
        guard let fields else { throw ConfigurationError(issues: issues.sorted) }
        issues = IssueList(file: issues.file)
        let place = ledger(in: fields).place
        guard issues.isEmpty else { throw ConfigurationError(issues: issues.sorted) }
        return place
    }

    private static func ledgerPlace(_ text: String) throws(InvalidValue) -> LedgerConfiguration.Place {
        switch text {
        case "none": return .none
        case "memory": return .memory
        default: break
        }
        if PostgreSQLURL.isMeant(text) { return .postgreSQL(try PostgreSQLURL(parsing: text)) }
        let file = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : ""
        guard file.hasPrefix("/"), !file.hasSuffix("/"), !file.utf8.contains(0), file.utf8.count <= 4000 else {
            throw InvalidValue("expected \(expectedLedger)")
        }
        return .file(file)
    }
}

extension LedgerConfiguration.Place {
    fileprivate var isServer: Bool { if case .postgreSQL = self { true } else { false } }

    /// Text for the explanation of settings, without secrets.
    fileprivate var shown: String {
        switch self {
        case .standard: "usage.db in the data folder"
        case .file(let path): "sqlite:\(path)"
        case .postgreSQL(let url): url.shown
        case .memory: "memory"
        case .none: "none"
        }
    }
}

extension ConfigurationDecoder {
    /// Reads the place of the counters for limits and budgets. Its URL can contain a password.
    mutating func counters(in fields: Fields) -> CountersConfiguration {
        let counters = value("counters", of: fields, as: CountersConfiguration.expected, echo: .nothing) {
            (text) throws(InvalidValue) in try CountersConfiguration.parse(text)
        }
        let path = fields.path.key("counters")
        switch counters {
        case .memory? where fields["counters"] != nil: settings?.show("memory", at: path)
        case .redis(let location)?:
            settings?.show(location.description, at: path)
            if location.showsPassword {
                warnings.add(
                    "counters: the password travels to the server in the clear: write rediss:// if it has TLS",
                    at: fields["counters"]?.value.position)
            }
        default: break
        }
        return counters ?? .memory
    }
}
