extension StoreError {
    /// - Parameter message: the message of libpq.
    init(connecting message: String, _ server: PostgreSQLServer) {
        let text = server.shown(message)
        // A failed connection has no SQLSTATE, so its message is matched. A translated message matches nothing, which
        // only makes the error less specific.
        let refusals = [
            "authentication failed", "no password supplied", "pg_hba.conf", "does not exist", "not permitted",
        ]
        let isRefused = message.contains("FATAL:") && refusals.contains { message.contains($0) }
        self.init(isRefused ? .refused : .unreachable, server.name, text)
    }

    /// - Parameters:
    ///   - state: SQLSTATE of the error.
    ///   - text: the server's message.
    init(state: String, _ text: String, _ name: String) {
        let cause: Cause =
            switch state {
            case "25006": .readOnly
            case "42501": .forbidden
            case "53100": .full
            case "57014": .cancelled
            case "55P03", "40001", "40P01": .busy
            case _ where state.hasPrefix("08") || state.hasPrefix("57P") || state == "53300": .unreachable
            case _ where state.hasPrefix("28"): .refused
            default: .failed
            }
        self.init(cause, name, "\(text), SQLSTATE \(state)")
    }

    /// Whether the error is permanent: the configuration or the database must be corrected.
    package var isLasting: Bool {
        switch cause {
        case .noLibrary, .noPostgreSQL, .refused, .forbidden, .foreign, .newer, .notUTF8, .noTables: true
        default: false
        }
    }
}
