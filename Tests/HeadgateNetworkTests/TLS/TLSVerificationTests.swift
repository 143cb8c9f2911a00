import HeadgateNetwork
import HeadgateTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSVerificationTests {
    private let fixture: TLSFixture
    private let certificates: TestCertificates

    init() throws {
        fixture = try TLSFixture()
        certificates = fixture.certificates
    }

    /// Expects that the client refuses for this reason, notifies the server, and sends none of its data.
    private func expectRefusal(
        _ reason: String, of files: TestCertificates.Files, by client: TLSContext? = nil,
        hostName: String = "localhost",
        newest: TLSVersion = .v13, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let pair = try TLSPair(client ?? fixture.client(), fixture.server(files, newest: newest), hostName: hostName)
        let ends = try pair.handshake()
        let error = TLSError(.certificate, reason)
        #expect(ends.client == .failed(error), sourceLocation: sourceLocation)
        #expect(pair.client.write(Array("secret".utf8)) == .failed(error), sourceLocation: sourceLocation)
        #expect(pair.client.shutdown(), sourceLocation: sourceLocation)
        guard case .failed(let refusal) = ends.server == .bytes(0) ? pair.server.read(atMost: 10).progress : ends.server
        else {
            Issue.record("the server has not heard of the refusal: \(ends.server)", sourceLocation: sourceLocation)
            return
        }
        #expect(refusal.text == "the peer does not accept the certificate it was shown", sourceLocation: sourceLocation)
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func expiredCertificateIsRefused(version: TLSVersion) throws {
        try expectRefusal("the certificate has expired", of: certificates.expiredLeaf(), newest: version)
    }

    @Test func certificateOfTheFutureIsRefused() throws {
        let files = try certificates.leaf(validFrom: .seconds(3600), validUntil: .seconds(7200))
        try expectRefusal("the certificate is not valid yet", of: files)
    }

    @Test(arguments: ["other.example", "a.localhost", "ocalhost", "local"])
    func certificateForAnotherNameIsRefused(name: String) throws {
        try expectRefusal("the certificate is for another name", of: certificates.leaf(), hostName: name)
    }

    @Test func certificateForAnotherAddressIsRefused() throws {
        let files = try certificates.leaf(addresses: ["127.0.0.2"])
        try expectRefusal("the certificate is for another address", of: files, hostName: "127.0.0.1")
    }

    @Test func addressAmongTheNamesDoesNotCount() throws {
        let files = try certificates.leaf(names: ["127.0.0.1"], addresses: [])
        try expectRefusal("the certificate is for another address", of: files, hostName: "127.0.0.1")
    }

    @Test func wildcardMatchesOneWholeLabel() throws {
        let server = try fixture.server(certificates.leaf(names: ["*.example.com"]))
        try TLSPair(fixture.client(), server, hostName: "api.example.com").establish()
        for name in ["example.com", "a.b.example.com"] {
            try expectRefusal(
                "the certificate is for another name", of: certificates.leaf(names: ["*.example.com"]), hostName: name)
        }
        try expectRefusal(
            "the certificate is for another name", of: certificates.leaf(names: ["a*.example.com"]),
            hostName: "api.example.com")
    }

    @Test func selfSignedCertificateIsRefused() throws {
        let text = "the certificate is self-signed and not among the trusted ones"
        try expectRefusal(text, of: certificates.selfSignedLeaf())
    }

    @Test func selfSignedCertificateIsAcceptedOnceItIsTrusted() throws {
        let files = try certificates.selfSignedLeaf()
        let client = try TLSContext.client(authorities: files.certificate)
        try TLSPair(client, fixture.server(files)).establish()
    }

    @Test func unknownAuthorityIsRefused() throws {
        let client = try TLSContext.client(authorities: nil)
        try expectRefusal("the certificate's issuer is not trusted", of: certificates.leaf(), by: client)
    }

    @Test func authorityWithTheSameNameIsNotTrusted() throws {
        let other = try TLSFixture()
        #expect(throws: Never.self) {
            try TLSPair(other.client(), other.server()).establish()
        }
        let pair = try TLSPair(other.client(), fixture.server())
        guard case .failed(let error) = try pair.handshake().client else {
            Issue.record("a stranger's certificate was accepted")
            return
        }
        #expect(error.kind == .certificate)
    }

    @Test(arguments: ["", ".", "a b", "a\0b", String(repeating: "a", count: 300)])
    func uncertifiableHostIsRefusedAtOnce(hostName: String) throws {
        let client = try fixture.client()
        let sockets = connectedSockets()
        defer { closeAll(sockets.near, sockets.far) }
        let error = #expect(throws: TLSError.self) {
            try TLSSession(context: client, descriptor: sockets.near, role: .client(hostName: hostName, port: 443))
        }
        #expect(error?.kind == .configuration)
    }
}
