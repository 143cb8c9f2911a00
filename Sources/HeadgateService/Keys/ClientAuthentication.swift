package import HeadgateConfiguration
import HeadgateRelay

/// Authentication of a configured gateway's clients.
package enum ClientAuthentication {
    /// No key is required, because no upstream holds a secret.
    case keyless
    /// Keys of the configuration, of which only the digests are known.
    case configured([KeyConfiguration])
    /// Key of the key file, and the file's path.
    case generated(String, path: String)
    /// Only managed keys, which other gateways share.
    case managed

    package init(_ configuration: Configuration, environment: [String: String]) throws {
        if !configuration.keys.isEmpty {
            self = .configured(configuration.keys)
        } else if ClientAuthentication.needsKey(configuration, environment) {
            do {
                self = .generated(
                    try GatewayKey.loadOrMake(environment: environment), path: try GatewayKey.path(environment))
            } catch {
                // A replica can lack a private folder, but an explicitly named file must be usable.
                guard (environment["HEADGATE_KEY_FILE"] ?? "").isEmpty,
                    ManagedKeyPlace(configuration.ledger.place, environment)?.isShared == true
                else { throw error }
                self = .managed
            }
        } else {
            self = .keyless
        }
    }

    /// Returns whether a gateway without configured keys needs one. It does if its clients use services that its owner
    /// pays for, or if the owner has named a key file or manages keys. It still needs one after the last managed key is
    /// revoked.
    package static func needsKey(_ configuration: Configuration, _ environment: [String: String]) -> Bool {
        if !(environment["HEADGATE_KEY_FILE"] ?? "").isEmpty { return true }
        if ManagedKeyPlace(configuration.ledger.place, environment)?.mayHoldKeys == true { return true }
        return needsKeyForUpstreams(configuration)
    }

    /// Returns whether clients use services that the gateway's owner pays for.
    package static func needsKeyForUpstreams(_ configuration: Configuration) -> Bool {
        configuration.upstreams.contains { upstream in
            !upstream.apiKeys.isEmpty || upstream.keyCommand != nil || upstream.proxy?.credential != nil
                || upstream.headers.contains { $0.mayBeCredential }
        }
    }

    /// Whether clients must present a key.
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
