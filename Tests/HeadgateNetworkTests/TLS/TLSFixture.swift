import HeadgateNetwork
import HeadgateTesting

/// Certificates for one test, which are removed with this object, and the contexts that most tests need.
final class TLSFixture {
    let certificates: TestCertificates

    init() throws { certificates = try TestCertificates() }

    deinit { certificates.removeAll() }

    /// Returns a context for clients that trust the test's authority.
    func client(newest: TLSVersion = .v13) throws -> TLSContext {
        try TLSContext.client(authorities: certificates.authority, newest: newest)
    }

    /// - Parameter files: certificate and key of the server; by default valid ones.
    func server(_ files: TestCertificates.Files? = nil, newest: TLSVersion = .v13) throws -> TLSContext {
        let files = try files ?? certificates.leaf()
        return try TLSContext.server(certificate: files.certificate, key: files.key, newest: newest)
    }
}
