package import HeadgateConfiguration
import HeadgateNetwork

/// What a gateway serves by: a configuration that has passed every check, and how callers prove who they are.
package struct ServedConfiguration {
    package let configuration: Configuration
    package let authentication: ClientAuthentication
    /// What deserves a second look, one line each.
    package let warnings: [String]

    /// Reads and checks; makes the gateway's own key where it needs one and has none.
    ///
    /// - Parameters:
    ///   - inherited: listening sockets that take the place of the configured addresses.
    ///   - companion: what is different where another command has started the gateway for itself.
    ///   - sightings: where to note what the files were, before each is read.
    ///   - confirm: asked when all files are read and nothing has been done about them.
    /// - Throws: ``Complaint``, or what `confirm` throws.
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
