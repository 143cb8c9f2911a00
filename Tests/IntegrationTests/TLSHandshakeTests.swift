import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import HeadgateUpstream
import Testing

/// Failed TLS handshakes with upstreams: the client receives the reason, and neither key nor prompt is sent.
@Suite struct TLSHandshakeTests {
    private static let prompt = "a prompt that nobody may read"

    /// Sends a stream request and a whole request through a tap in front of the upstream, and expects the same refusal
    /// of both.
    ///
    /// - Parameter reason: text in the message to the client and in the log.
    private func expectRefusal(
        _ certificates: TLSCertificates, through tap: WireTap, reason: String
    ) async throws {
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatCompletion("never")), upstreamPort: tap.port)
        for isStream in [false, true] {
            let answer = try await running.ask(
                RunningGateway.body(stream: isStream, extra: #","user":"\#(TLSHandshakeTests.prompt)""#))
            #expect(answer.status == 502)
            #expect(answer.text.contains(#""code":"upstream_tls""#), "\(answer.text)")
            #expect(answer.text.contains(reason), "\(answer.text)")
            let line = await running.log.next()
            #expect(line.contains(#""error":"upstream_tls""#) && line.contains(reason), "\(line)")
            #expect(!(answer.text + line).contains(RunningGateway.upstreamKey))
        }
        expectNothingSaid(tap)
        #expect(running.upstream.requests.isEmpty)
    }

    /// Expects that the peer received the beginning of handshakes and no protected data.
    private func expectNothingSaid(_ tap: WireTap) {
        #expect(tap.bytes.prefix(2) == [22, 3], "the capture begins with a handshake record")
        for secret in [RunningGateway.upstreamKey, "Authorization", "authorization", TLSHandshakeTests.prompt, "POST "]
        {
            #expect(!tap.contains(secret), "\(secret)")
        }
        // An encrypted request would be invisible, but two handshakes and their alerts are shorter than its head.
        let encrypted = TLSRecord.all(in: tap.bytes).filter { $0.kind == 23 }.reduce(0) { $0 + $1.length }
        #expect(encrypted < 200, "\(encrypted)")
    }

    enum BadCertificate: CaseIterable, Sendable {
        case expired, notYetValid, wrongName, selfSigned, unknownAuthority

        var reason: String {
            switch self {
            case .expired: "the certificate has expired"
            case .notYetValid: "the certificate is not valid yet"
            case .wrongName: "the certificate is for another name"
            case .selfSigned: "the certificate is self-signed"
            case .unknownAuthority: "the certificate's issuer is not trusted"
            }
        }
    }

    @Test(arguments: BadCertificate.allCases, [TLSVersion.v12, .v13])
    func invalidCertificateIsRefused(_ fault: BadCertificate, _ version: TLSVersion) async throws {
        let certificates = try TLSCertificates()
        let others = try TLSCertificates()
        let leaf =
            switch fault {
            case .expired: try certificates.files.expiredLeaf()
            case .notYetValid: try certificates.files.leaf(validFrom: .seconds(3600))
            case .wrongName: try certificates.files.leaf(names: ["elsewhere.test"])
            case .selfSigned: try certificates.files.selfSignedLeaf()
            case .unknownAuthority: try others.files.leaf()
            }
        let server = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatCompletion("never")), newest: version, leaf: leaf)
        let tap = try WireTap(.forwards(to: server.upstream.port))
        try await expectRefusal(certificates, through: tap, reason: fault.reason)
        #expect(server.upstream.requests.isEmpty)
    }

    @Test func peerOfTLS11IsRefused() async throws {
        let certificates = try TLSCertificates()
        let peer = try OldTLSPeer(certificates.files.leaf())
        let tap = try WireTap(.forwards(to: peer.port))
        try await expectRefusal(certificates, through: tap, reason: "no TLS version in common")
    }

    @Test func plainTextPeerIsRefused() async throws {
        let certificates = try TLSCertificates()
        let tap = try WireTap(.answers("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
        try await expectRefusal(certificates, through: tap, reason: "something that is not TLS")
    }

    @Test func peerClosingDuringTheHandshakeIsRefused() async throws {
        let certificates = try TLSCertificates()
        let tap = try WireTap(.closes)
        try await expectRefusal(certificates, through: tap, reason: "closed the connection during the TLS handshake")
    }

    @Test func contextlessUpstreamIsNeverReachedInPlainText() async throws {
        let certificates = try TLSCertificates()
        let tap = try WireTap(.silent)
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatCompletion("never")), access: UpstreamAccess(),
            upstreamPort: tap.port)
        let answer = try await running.ask()
        #expect(answer.status == 502 && answer.text.contains("upstream_tls"))
        #expect(tap.bytes.isEmpty)
    }

    @Test func unansweredHandshakeEndsAtTheConnectDeadline() async throws {
        let certificates = try TLSCertificates()
        let tap = try WireTap(.silent)
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatCompletion("never")),
            timeouts: TransferTimeouts(connect: .milliseconds(300)), upstreamPort: tap.port)
        for isStream in [false, true] {
            let answer = try await running.ask(
                RunningGateway.body(stream: isStream, extra: #","user":"\#(TLSHandshakeTests.prompt)""#))
            #expect(answer.status == 502 && answer.text.contains("upstream_connect"), "\(answer.text)")
            #expect(await running.log.next().contains("the TLS handshake took too long"))
        }
        expectNothingSaid(tap)
    }

    @Test func disconnectDuringTheHandshakeEndsIt() async throws {
        let certificates = try TLSCertificates()
        let tap = try WireTap(.silent)
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatCompletion("never")),
            timeouts: TransferTimeouts(connect: .seconds(60)), upstreamPort: tap.port)
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        try await tap.firstBytes()
        connection.close()
        #expect(await running.log.next().contains(#""outcome":"client_gone""#))
        try await tap.departure()
    }
}

/// A record of a TLS connection, as visible to an observer.
struct TLSRecord {
    /// Type of the record, 20 to 23: change of cipher, alert, handshake, application data.
    let kind: UInt8
    let length: Int

    static func all(in bytes: [UInt8]) -> [TLSRecord] {
        var records: [TLSRecord] = []
        var index = 0
        while index + 5 <= bytes.count {
            let length = Int(bytes[index + 3]) << 8 | Int(bytes[index + 4])
            records.append(TLSRecord(kind: bytes[index], length: length))
            index += 5 + length
        }
        return records
    }
}
