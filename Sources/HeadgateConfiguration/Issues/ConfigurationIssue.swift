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
