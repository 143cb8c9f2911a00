import ArgumentParser
import HeadgateConfiguration
import HeadgateService

/// Source of the configuration: `--config`, else `HEADGATE_CONFIG`, else the user's file, else the system's, else only
/// the environment.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "YAML file of the configuration (or HEADGATE_CONFIG); default: headgate.yaml in ~/.config/headgate, else "
                + "in /etc/headgate, else none."),
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    var source: ConfigurationSource {
        ConfigurationSource(file: file, environment: ProcessEnvironment.current)
    }
}

extension ConfigurationOptions {
    /// The managed keys of the gateway that the configuration is of.
    ///
    /// - Throws: ``Complaint``, or `ThreadShortage`.
    func keyRegister() throws -> KeyRegister {
        try KeyRegister(source.ledgerPlace(), environment: ProcessEnvironment.current)
    }
}

extension UpstreamURL {
    /// As it is written in a configuration.
    var text: String {
        switch scheme {
        case .unix: "unix:\(socketPath ?? ""):\(pathPrefix)"
        case .http, .https: "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)\(pathPrefix)"
        }
    }
}
