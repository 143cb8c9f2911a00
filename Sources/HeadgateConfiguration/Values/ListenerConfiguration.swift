/// An address on which the gateway serves, and the authentication of its callers.
package struct ListenerConfiguration: Sendable, Hashable {
    package enum Authentication: String, Sendable, CaseIterable {
        /// A client key is required, unless the gateway is keyless.
        case key
        /// The process at the other end of a Unix socket must run as the gateway's own user, or as one of ``uids``.
        case peer
        /// No key is required. Allowed only on addresses that other machines cannot reach.
        case none
    }

    /// Routes that a listener serves.
    package enum API: String, Sendable, CaseIterable {
        /// All routes.
        case all
        /// Ollama's routes, for apps that look for Ollama.
        case ollama
        /// `/metrics` and the health checks.
        case metrics
    }

    package var address: ListenAddress
    package var api: API
    /// Certificate and private key; nil for plain HTTP.
    package var tls: TLSFiles?
    /// Authentication; by default `peer` on a Unix socket and `key` elsewhere.
    package var authentication: Authentication
    /// File mode of a Unix socket, from 0 to 0o777.
    package var mode: UInt32
    /// Users that `peer` admits in addition to the gateway's own.
    package var uids: [UInt32]

    package init(
        address: ListenAddress, tls: TLSFiles? = nil, authentication: Authentication? = nil, mode: UInt32 = 0o600,
        uids: [UInt32] = [], api: API = .all
    ) {
        self.address = address
        self.api = api
        self.tls = tls
        self.authentication = authentication ?? address.standardAuthentication
        self.mode = mode
        self.uids = uids
    }
}

/// A certificate chain and its private key, as PEM files.
package struct TLSFiles: Sendable, Hashable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

extension [ListenerConfiguration] {
    /// Listeners that serve all routes.
    package var withEveryRoute: [ListenerConfiguration] { filter { $0.api == .all } }

    /// Returns the number of distinguishable callers without a key: each user of a socket, and one for all others.
    ///
    /// - Parameter owner: Id of the user that runs the gateway.
    package func callersWithoutKey(owner: UInt32) -> Int {
        let peers = filter { $0.authentication == .peer }.flatMap { [owner] + $0.uids }
        return Set(peers).count + (contains { $0.authentication == .none } ? 1 : 0)
    }
}
