import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateStores

/// TLS connections to a server, and the certificates that they accept.
@Suite struct PostgreSQLSecurityTests {
    @Test func certificateIsVerifiedWithItsAuthorityAndItsName() throws {
        let (certificates, others) = (try TestCertificates(), try TestCertificates())
        defer {
            certificates.removeAll()
            others.removeAll()
        }
        let port = try RedisServer.freePort()
        let server = try TestServer(tls: (try certificates.leaf(names: ["localhost"]), port))
        defer { server.end() }

        func connect(_ host: String, trusting authority: String) throws -> PostgreSQLConnection {
            let url = try PostgreSQLURL(
                parsing: "postgresql://owner:\(TestServer.writtenPassword)@\(host):\(port)/postgres?hostaddr=127.0.0.1"
                    + "&sslmode=verify-full&sslrootcert=\(authority)")
            return try PostgreSQLServer(url, patience: .forTests).connect()
        }
        let rows = try connect("localhost", trusting: certificates.authority).query(
            "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        #expect(rows.flag(0, 0))
        for (host, authority, words) in [
            ("localhost", others.authority, "certificate verify failed"),
            ("db.lan", certificates.authority, "does not match host name"),
            ("localhost", "/nowhere/authority.pem", "/nowhere/authority.pem"),
        ] {
            let error = #expect(throws: StoreError.self) { try connect(host, trusting: authority) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(words), "\(text)")
            #expect(!text.contains(TestServer.password) && !text.contains(TestServer.writtenPassword))
        }
    }
}
