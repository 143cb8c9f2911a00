import HeadgateApps
import HeadgateConfiguration
import HeadgateService

extension AppSettings {
    /// Placeholder for a key that the gateway does not know.
    static let keyPlaceholder = "YOUR_GATEWAY_KEY"

    /// - Throws: ``Complaint`` if the gateway's key cannot be read.
    init(
        _ address: ProgramAddress, _ choice: ModelChoice.Result, context: Int?, _ options: GatewayOptions,
        _ environment: [String: String]
    ) throws {
        let (source, key) = try AppSettings.key(address, options, environment)
        self.init(
            url: address.root, isLoopback: AppSettings.isLoopback(address.root), model: choice.name,
            context: context ?? choice.context, keySource: source, key: key)
    }

    /// Settings that name the entries of an app's files. Their values do not matter.
    ///
    /// - Parameter url: Address of the gateway, if it is known.
    static func placeless(url: String?) -> AppSettings {
        AppSettings(
            url: url ?? "http://127.0.0.1:8686", isLoopback: true, model: "model", keySource: .unknown,
            key: keyPlaceholder)
    }

    /// Settings with a placeholder instead of the key, for printing.
    var withoutKey: AppSettings {
        AppSettings(
            url: url, isLoopback: isLoopback, model: model, context: context, keySource: keySource,
            key: keySource == .notNeeded ? key : AppSettings.keyPlaceholder)
    }

    private static func key(
        _ address: ProgramAddress, _ options: GatewayOptions, _ environment: [String: String]
    ) throws -> (KeySource, String) {
        switch address.key {
        case .given(let key):
            guard let file = options.keyFile.map(FilePath.absolute) else { return (.variable, key) }
            return (.file(file, command: "cat \(file.asShellWord)"), key)
        case .own(let key):
            let file = FilePath.absolute(try GatewayKey.path(environment))
            return (.file(file, command: "headgate key show"), key)
        case .notNeeded: return (.notNeeded, ProgramAddress.anyWord)
        case .unknown: return (.unknown, keyPlaceholder)
        }
    }

    private static func isLoopback(_ url: String) -> Bool {
        (try? UpstreamURL(parsing: url, allowingPlainHTTP: true))?.isLoopback ?? false
    }
}
