package import HeadgateConfiguration
import HeadgateNetwork

/// A configuration that has passed every check, with the authentication of callers.
package struct ServedConfiguration {
    package let configuration: Configuration
    package let authentication: ClientAuthentication
    /// Warnings, one line each.
    package let warnings: [String]

    /// Reads and checks the configuration, and creates the gateway's own key if it needs one and has none.
    ///
    /// - Parameters:
    ///   - inherited: listening sockets that replace the configured addresses.
    ///   - companion: settings of a gateway that another command has started for itself.
    ///   - sightings: records the state of each file before it is read.
    ///   - confirm: called when all files are read, before anything is changed.
    /// - Throws: ``Complaint``, or the error of `confirm`.
    static func load(
        _ source: ConfigurationSource, environment: [String: String], inherited: [InheritedSocket] = [],
        companion: CompanionService? = nil, noting sightings: FileSightings? = nil,
        confirm: () throws -> Void = {}
    ) throws -> ServedConfiguration {
        let checked = try source.check(noting: sightings)
        try confirm()
        let configuration = checked.configuration
        if let companion {
            try configuration.checkServable(isKeyed: true, environment: environment)
            return companion.adapt(configuration)
        }
        let authentication =
            source.isOfRecordingsAlone ? .keyless : try ClientAuthentication(configuration, environment: environment)
        try configuration.checkServable(isKeyed: authentication.isKeyed, environment: environment)
        for socket in inherited where !authentication.isKeyed { try socket.checkKeylessUse() }
        return ServedConfiguration(
            configuration: configuration, authentication: authentication,
            warnings: checked.warnings.map(\.description) + configuration.warnings.map { "warning: \($0)" })
    }
}
