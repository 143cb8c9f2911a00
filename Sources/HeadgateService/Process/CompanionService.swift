import Glibc
import HeadgateConfiguration
import HeadgateRelay

/// What is different about a gateway that another command of ours has started for itself: it serves that command alone,
/// on a free port of this machine, by a key that only the two of them know.
package struct CompanionService {
    /// The variable that hands the key over. A command line would show it to other users.
    package static let variable = "HEADGATE_SESSION_KEY"

    private let key: KeyConfiguration

    /// Takes the key out of the environment, so that no child finds it there. To be called before there is another
    /// thread.
    ///
    /// - Throws: ``Complaint`` where there is none.
    package static func adopt(_ environment: [String: String]) throws -> CompanionService {
        guard let key = environment[variable], !key.isEmpty else {
            throw Complaint("--companion is for gateways that other commands of headgate start")
        }
        unsetenv(variable)
        return CompanionService(key: KeyConfiguration(name: "session", digest: KeyDigest(of: key.utf8).bytes))
    }

    /// The same upstreams and models, on another address and with one more key.
    func adapt(_ configuration: Configuration) -> ServedConfiguration {
        var configuration = configuration
        configuration.listeners = [ListenerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))]
        configuration.loops = 1
        return ServedConfiguration(
            configuration: configuration, authentication: .configured(configuration.keys + [key]), warnings: [])
    }
}
