import HeadgateConfiguration
import HeadgateLibC
import HeadgateRelay

/// Settings of a gateway that another Headgate command started for itself. It serves only that command, on a free
/// loopback port, with a key that only the two know.
package struct CompanionService {
    /// Variable that passes the key. A command line would show it to other users.
    package static let variable = "HEADGATE_SESSION_KEY"

    private let key: KeyConfiguration

    /// Takes the key out of the environment, so that no child inherits it. Must be called before there is another
    /// thread.
    ///
    /// - Throws: ``Complaint`` if there is no key.
    package static func adopt(_ environment: [String: String]) throws -> CompanionService {
        guard let key = environment[variable], !key.isEmpty else {
            throw Complaint("--companion is for gateways that other commands of headgate start")
        }
        unsetenv(variable)
        return CompanionService(key: KeyConfiguration(name: "session", digest: KeyDigest(of: key.utf8).bytes))
    }

    /// Returns the configuration with another address and one more key.
    func adapt(_ configuration: Configuration) -> ServedConfiguration {
        var configuration = configuration
        configuration.listeners = [ListenerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))]
        configuration.loops = 1
        return ServedConfiguration(
            configuration: configuration, authentication: .configured(configuration.keys + [key]), warnings: [])
    }
}
