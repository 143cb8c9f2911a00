/// All that is wrong with a configuration; printed, one issue a line.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one, by position; problems of the environment come last. At most 100 and a note that there are more.
    package let issues: [ConfigurationIssue]

    package var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}
