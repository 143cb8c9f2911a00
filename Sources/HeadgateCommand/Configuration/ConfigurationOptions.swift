import ArgumentParser
import HeadgateConfiguration
import HeadgateService

/// Source of the configuration, in this order: `--config`, `HEADGATE_CONFIG`, the user's file, the system's file, the
/// environment alone.
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
    /// Returns the managed keys of the gateway with this configuration.
    ///
    /// - Throws: ``Complaint``, or `ThreadShortage`.
    func keyRegister() throws -> KeyRegister {
        try KeyRegister(source.ledgerPlace(), environment: ProcessEnvironment.current)
    }
}

extension UpstreamURL {
    /// The URL as a configuration writes it.
    var text: String {
        switch scheme {
        case .unix: "unix:\(socketPath ?? ""):\(pathPrefix)"
        case .http, .https: "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)\(pathPrefix)"
        }
    }
}
