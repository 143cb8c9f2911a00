internal import HeadgatePrimitives

/// Rules for the names in a configuration.
enum Name {
    /// Checks the name of an upstream, which becomes a metric label and a log field: 1 to 64 letters, digits, `.`, `_`
    /// and `-`.
    static func checkUpstream(_ name: String) throws(InvalidValue) {
        let isValid = name.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "._-".utf8.contains(byte)
        }
        guard isValid, (1...64).contains(name.utf8.count) else {
            throw InvalidValue("expected a name of 1 to 64 letters, digits, '.', '_' or '-'")
        }
    }

    /// Checks the name of a key, which appears in the log: 1 to 64 bytes without control characters.
    static func checkKey(_ name: String) throws(InvalidValue) -> String {
        guard (1...64).contains(name.utf8.count), !containsControl(name) else {
            throw InvalidValue("expected a name of 1 to 64 bytes without control characters")
        }
        guard !isOfCallersWithoutKey(name) else {
            throw InvalidValue(
                "callers without a key are called that in the log and in the usage ledger: choose another name")
        }
        return name
    }

    /// Returns whether a listener uses the name for callers without a key.
    private static func isOfCallersWithoutKey(_ name: String) -> Bool {
        ["anyone", "keyless"].contains { name.isExactly($0) } || name.utf8.starts(with: "uid-".utf8)
    }

    /// Checks a name that clients can write as `model`, or a pattern for it: a prefix and `*`.
    static func checkModelPattern(_ pattern: String) throws(InvalidValue) -> String {
        try checkModelBytes(pattern)
        guard !pattern.utf8.dropLast().contains(UInt8(ascii: "*")) else {
            throw InvalidValue("'*' may only be the last character of a pattern, such as \"gpt-*\", or stand alone")
        }
        return pattern
    }

    /// Checks an upstream's name for a model: one name without substitutions.
    static func checkUpstreamModel(_ name: String) throws(InvalidValue) -> String {
        try checkModelBytes(name)
        guard !name.utf8.contains(UInt8(ascii: "*")) else {
            throw InvalidValue(
                "expected the one name that the upstream knows, without '*'; leave it out to pass the name on")
        }
        return name
    }

    private static func checkModelBytes(_ name: String) throws(InvalidValue) {
        guard (1...256).contains(name.utf8.count), !containsControl(name) else {
            throw InvalidValue("expected a model name of 1 to 256 bytes without control characters")
        }
    }
}
