/// Facts that a configuration does not contain: the time, and the addresses to which the gateway never connects. Checks
/// that need an ``unknown`` fact are skipped. Also reports which files are read.
package struct Surroundings: Sendable {
    /// Current time in seconds since 1970.
    private let now: Int64?
    /// Returns why an upstream at an IP address cannot be reached, with or without `allow_private`; nil if it can.
    private let refusal: @Sendable (_ address: String, _ allowsPrivate: Bool) -> String?

    /// Called with the path of each file before it is read, even if the file does not exist.
    package var willRead: @Sendable (_ path: String) -> Void = { _ in }

    /// Whether values from variables and secret files must be available. A command that talks to a running gateway does
    /// not have the gateway's environment. As another user, it cannot read the gateway's files either.
    package var hasSecrets = true

    package init(now: Int64? = nil, refusal: @escaping @Sendable (_ address: String, _ allowsPrivate: Bool) -> String?)
    {
        self.now = now
        self.refusal = refusal
    }

    static let unknown = Surroundings { _, _ in nil }

    func isPast(_ time: Int64) -> Bool { now.map { time <= $0 } ?? false }

    /// Returns why the URL is rejected; nil if it is accepted. Names are accepted, because their addresses are unknown
    /// before the request.
    func refusal(of url: UpstreamURL, allowsPrivate: Bool) -> String? {
        url.scheme == .unix ? nil : refusal(url.host, allowsPrivate)
    }
}

/// A complete and correct configuration, and its warnings.
package struct CheckedConfiguration: Sendable {
    package let configuration: Configuration
    /// Warnings by position.
    package let warnings: [ConfigurationIssue]

    package init(configuration: Configuration, warnings: [ConfigurationIssue]) {
        self.configuration = configuration
        self.warnings = warnings
    }
}
