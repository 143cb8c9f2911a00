/// One problem and what to do about it. Never contains the value of a variable or of a field that may hold a secret.
package struct ConfigurationIssue: Sendable, Equatable, CustomStringConvertible {
    /// The path as it was given, or `environment` for a problem of an environment variable.
    package let file: String
    /// nil for a problem of an environment variable, which has no place in a file.
    package let position: SourcePosition?
    package let message: String
    package var severity = Severity.error

    package enum Severity: String, Sendable {
        case error
        /// Works, and deserves a second look.
        case warning
    }

    static let environmentName = "environment"

    /// `file:line:column: error: message`, or `environment: error: message`.
    package var description: String {
        guard let position else { return "\(file): \(severity): \(message)" }
        return "\(file):\(position.line):\(position.column): \(severity): \(message)"
    }
}

/// All that is wrong with a configuration; printed, one issue a line.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one, by position; problems of the environment come last. At most 100 and a note that there are more.
    package let issues: [ConfigurationIssue]

    package var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}

/// A place in a text: line and column count from 1, the column in Unicode scalars.
package struct SourcePosition: Sendable, Hashable, Comparable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
