import HeadgateConfiguration
import HeadgateService

/// Address and key of a gateway for other programs, whether the gateway runs or not.
struct ProgramAddress {
    enum Key {
        /// A key from `--key-file` or `HEADGATE_KEY`.
        case given(String)
        /// The key that the gateway generated.
        case own(String)
        /// No key is needed: the gateway accepts any word.
        case notNeeded
        /// The key is unknown, because the gateway stores only digests.
        case unknown
    }

    /// Root URL without `/v1` and without a trailing slash.
    let root: String
    let key: Key

    /// Returns the address only. Unlike ``find(_:_:)``, it never creates a key.
    ///
    /// - Throws: ``Complaint``.
    static func root(_ options: GatewayOptions, _ environment: [String: String]) throws -> String {
        if let named = try ReachableGateway.named(options, environment) {
            guard let root = named.root.text else { throw socketOnly }
            return root
        }
        return try root(of: options.configuration.source.loadWithoutSecrets())
    }

    /// Finds the address and the key.
    ///
    /// - Throws: ``Complaint``.
    static func find(_ options: GatewayOptions, _ environment: [String: String]) throws -> ProgramAddress {
        let given = try options.givenKey(environment)
        if let named = try ReachableGateway.named(options, environment) {
            guard let root = named.root.text else { throw socketOnly }
            let key: Key = given.map(Key.given) ?? named.key.map(Key.own) ?? .notNeeded
            return ProgramAddress(root: root, key: key)
        }
        let configuration = try options.configuration.source.loadWithoutSecrets()
        let root = try root(of: configuration)
        return ProgramAddress(root: root, key: try given.map(Key.given) ?? key(of: configuration, environment))
    }

    private static func root(of configuration: Configuration) throws -> String {
        let endpoints = ListeningEndpoints(configuration)
        guard endpoints.curlOption.isEmpty else { throw socketOnly }
        return endpoints.preferred
    }

    private static func key(of configuration: Configuration, _ environment: [String: String]) throws -> Key {
        switch try ClientAuthentication(configuration, environment: environment) {
        // The gateway might run with a secret that is unknown to this shell; a keyless gateway accepts any key.
        case .keyless: try GatewayKey.load(environment: environment).map(Key.own) ?? .notNeeded
        case .generated(let key, _): .own(key)
        case .configured(let keys): GatewayKey.load(among: keys, environment: environment).map(Key.own) ?? .unknown
        case .managed: .unknown
        }
    }

    /// Placeholder key for programs that require one.
    static let anyWord = "none-needed"

    private static let socketOnly = Complaint(
        "the gateway listens on a Unix socket only, which no base URL can name")
}
