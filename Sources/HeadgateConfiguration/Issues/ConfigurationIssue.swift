/// A problem and its remedy. Never contains the value of a variable, or of a setting that can contain a secret.
package struct ConfigurationIssue: Sendable, Equatable, CustomStringConvertible {
    /// Path as the user gave it, or `environment` for a problem of an environment variable.
    package let file: String
    /// Position in the file; nil for a problem of an environment variable.
    package let position: SourcePosition?
    package let message: String
    package var severity = Severity.error

    package enum Severity: String, Sendable {
        case error
        /// A setting that works, but deserves a second look.
        case warning
    }

    static let environmentName = "environment"

    /// `file:line:column: error: message`, or `environment: error: message`.
    package var description: String {
        guard let position else { return "\(file): \(severity): \(message)" }
        return "\(file):\(position.line):\(position.column): \(severity): \(message)"
    }
}

/// All problems of a configuration. The description has one issue per line.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Issues by position, with those of the environment last; never empty. At most 100, and a note if there are more.
    package let issues: [ConfigurationIssue]

    package var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}

/// A position in a text. Lines and columns count from 1, and columns count Unicode scalars.
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
