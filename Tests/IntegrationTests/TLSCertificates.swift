import HeadgateHTTP
import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import HeadgateUpstream

/// Certificates for one test, which are removed with this object, and TLS contexts that use them.
final class TLSCertificates {
    let files: TestCertificates

    init() throws { files = try TestCertificates() }

    deinit { files.removeAll() }

    /// - Parameter leaf: certificate and key of the server; by default valid ones.
    func server(_ leaf: TestCertificates.Files? = nil, newest: TLSVersion = .v13) throws -> TLSContext {
        let leaf = try leaf ?? files.leaf()
        return try TLSContext.server(certificate: leaf.certificate, key: leaf.key, newest: newest)
    }

    /// Returns a client context that trusts the authority of these certificates.
    func client(newest: TLSVersion = .v13) throws -> TLSContext {
        try TLSContext.client(authorities: files.authority, newest: newest)
    }

    /// Returns the contexts of both ends of a listener.
    func listener() throws -> (server: TLSContext, client: TLSContext) { (try server(), try client()) }

    /// Returns the access to upstreams with these certificates.
    func access(newest: TLSVersion = .v13, proxy: Proxy? = nil, allowsPrivate: Bool = false) throws -> UpstreamAccess {
        UpstreamAccess(tls: try client(newest: newest), allowsPrivateAddresses: allowsPrivate, proxy: proxy)
    }
}

extension RunningGateway {
    /// Creates a gateway in front of a scripted upstream at `https://localhost`.
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
