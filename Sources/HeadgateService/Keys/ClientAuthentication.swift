package import HeadgateConfiguration
import HeadgateRelay

/// How callers of a configured gateway prove who they are.
package enum ClientAuthentication {
    /// No upstream holds a secret.
    case keyless
    /// The keys of the configuration; only their digests are known.
    case configured([KeyConfiguration])
    /// The key file's key, and its path.
    case generated(String, path: String)
    /// Managed keys alone, which other gateways share.
    case managed

    package init(_ configuration: Configuration, environment: [String: String]) throws {
        if !configuration.keys.isEmpty {
            self = .configured(configuration.keys)
        } else if ClientAuthentication.needsKey(configuration, environment) {
            do {
                self = .generated(
                    try GatewayKey.loadOrMake(environment: environment), path: try GatewayKey.path(environment))
            } catch {
                // A replica can lack a private folder; an explicitly named file is used.
                guard (environment["HEADGATE_KEY_FILE"] ?? "").isEmpty,
                    ManagedKeyPlace(configuration.ledger.place, environment)?.isShared == true
                else { throw error }
                self = .managed
            }
        } else {
            self = .keyless
        }
    }

    /// Returns whether a gateway without configured keys needs one: its clients use services that its owner pays for,
    /// or the owner has named a key file, or manages keys. It still needs one after the last managed key is revoked.
    package static func needsKey(_ configuration: Configuration, _ environment: [String: String]) -> Bool {
        if !(environment["HEADGATE_KEY_FILE"] ?? "").isEmpty { return true }
        if ManagedKeyPlace(configuration.ledger.place, environment)?.mayHoldKeys == true { return true }
        return needsKeyForUpstreams(configuration)
    }

    /// Whether clients use what the gateway's owner pays for.
    package static func needsKeyForUpstreams(_ configuration: Configuration) -> Bool {
        configuration.upstreams.contains { upstream in
            !upstream.apiKeys.isEmpty || upstream.keyCommand != nil || upstream.proxy?.credential != nil
                || upstream.headers.contains { $0.mayBeCredential }
        }
    }

    /// Whether clients have to present a key.
    var isKeyed: Bool {
        if case .keyless = self { false } else { true }
    }

    var keys: [KeyConfiguration] {
        switch self {
        case .keyless, .managed: []
        case .configured(let keys): keys
        case .generated(let key, _):
            [KeyConfiguration(name: "generated", digest: KeyDigest(of: key.utf8).bytes, isAdmin: true)]
        }
    }
}
