/// Facts that a configuration does not contain: the time, and the addresses to which the gateway never connects. Checks
/// that depend on them are skipped if they are ``unknown``. Also reports which files are read.
package struct Surroundings: Sendable {
    /// Seconds since 1970.
    private let now: Int64?
    /// Why an upstream at an IP address, with or without `allow_private`, cannot be reached; nil when it can.
    private let refusal: @Sendable (_ address: String, _ allowsPrivate: Bool) -> String?

    /// Called with the path of each file before it is read, also of those that are not there.
    package var willRead: @Sendable (_ path: String) -> Void = { _ in }

    /// Whether values that come from variables and secret files must be there. A command that talks to a running
    /// gateway has neither the gateway's environment nor, as another user, its files.
    package var hasSecrets = true

    package init(now: Int64? = nil, refusal: @escaping @Sendable (_ address: String, _ allowsPrivate: Bool) -> String?)
    {
        self.now = now
        self.refusal = refusal
    }

    static let unknown = Surroundings { _, _ in nil }

    func isPast(_ time: Int64) -> Bool { now.map { time <= $0 } ?? false }

    /// Returns why the URL is refused; nil for names too, since their addresses are only known at the request.
    func refusal(of url: UpstreamURL, allowsPrivate: Bool) -> String? {
        url.scheme == .unix ? nil : refusal(url.host, allowsPrivate)
    }
}

/// A configuration that is complete and correct, and what deserves a second look all the same.
package struct CheckedConfiguration: Sendable {
    package let configuration: Configuration
    /// By position.
    package let warnings: [ConfigurationIssue]

    package init(configuration: Configuration, warnings: [ConfigurationIssue]) {
        self.configuration = configuration
        self.warnings = warnings
    }
}
