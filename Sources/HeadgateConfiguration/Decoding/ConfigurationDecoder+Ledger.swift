extension ConfigurationDecoder {
    private static let expectedLedger = "sqlite: and an absolute path, memory or none"

    /// What `HEADGATE_LEDGER` says, else the file, else the default.
    mutating func ledger(in fields: Fields) -> LedgerConfiguration {
        let path = fields.path.key("ledger")
        let isReplaced = !(environment["HEADGATE_LEDGER"] ?? "").isEmpty
        let outer = settings
        // The file is checked all the same, but its value does not hold.
        if isReplaced { settings = nil }
        var place = value("ledger", of: fields, as: Self.expectedLedger, echo: .onceValid) {
            (text) throws(InvalidValue) in try Self.ledgerPlace(text)
        }
        if isReplaced {
            settings = outer
            place = variable("HEADGATE_LEDGER", at: path) { (text) throws(InvalidValue) in
                try Self.ledgerPlace(text)
            }
        }
        let lifetime = value("ledger_keep", of: fields, as: DurationText.expectedLifetime) {
            (text) throws(InvalidValue) in try DurationText.parseLifetime(text)
        }
        return LedgerConfiguration(
            place: place ?? .standard, lifetime: lifetime ?? LedgerConfiguration.standardLifetime)
    }

    private static func ledgerPlace(_ text: String) throws(InvalidValue) -> LedgerConfiguration.Place {
        switch text {
        case "none": return .none
        case "memory": return .memory
        default: break
        }
        if text.hasPrefix("postgresql:") || text.hasPrefix("postgres:") {
            throw InvalidValue("PostgreSQL is not supported yet: expected \(expectedLedger)")
        }
        let file = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : ""
        guard file.hasPrefix("/"), !file.hasSuffix("/"), !file.utf8.contains(0), file.utf8.count <= 4000 else {
            throw InvalidValue("expected \(expectedLedger)")
        }
        return .file(file)
    }
}
