import HeadgateHTTP
import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import HeadgateUpstream

/// Certificates for one test, removed after it, and contexts with them.
final class TLSCertificates {
    let files: TestCertificates

    init() throws { files = try TestCertificates() }

    deinit { files.removeAll() }

    /// - Parameter files: the server's certificate and key; by default valid ones.
    func server(_ leaf: TestCertificates.Files? = nil, newest: TLSVersion = .v13) throws -> TLSContext {
        let leaf = try leaf ?? files.leaf()
        return try TLSContext.server(certificate: leaf.certificate, key: leaf.key, newest: newest)
    }

    /// Trusts the authority of these certificates.
    func client(newest: TLSVersion = .v13) throws -> TLSContext {
        try TLSContext.client(authorities: files.authority, newest: newest)
    }

    /// Both ends of a listener.
    func listener() throws -> (server: TLSContext, client: TLSContext) { (try server(), try client()) }

    /// The way to upstreams that these certificates belong to.
    func access(newest: TLSVersion = .v13, proxy: Proxy? = nil, allowsPrivate: Bool = false) throws -> UpstreamAccess {
        UpstreamAccess(tls: try client(newest: newest), allowsPrivateAddresses: allowsPrivate, proxy: proxy)
    }
}

extension RunningGateway {
    /// A gateway in front of a scripted upstream that it reaches by `https://localhost`.
    convenience init(
        tls certificates: TLSCertificates, _ script: UpstreamScript, loops: Int = 2,
        limits: ServerLimits = patientLimits, timeouts: TransferTimeouts = patientTimeouts,
        newest: TLSVersion = .v13, leaf: TestCertificates.Files? = nil, access: UpstreamAccess? = nil,
        upstreamPort: UInt16? = nil, clientTLS: (server: TLSContext, client: TLSContext)? = nil
    ) throws {
        try self.init(
            script, loops: loops, limits: limits, timeouts: timeouts, upstreamPort: upstreamPort,
            upstreamTLS: try certificates.server(leaf, newest: newest), endpoint: { .tls(host: "localhost", port: $0) },
            access: try access ?? certificates.access(newest: newest), clientTLS: clientTLS)
    }
}
