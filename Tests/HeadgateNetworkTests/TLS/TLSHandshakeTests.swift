import HeadgateLibC
import HeadgateNetwork
import HeadgateTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSHandshakeTests {
    private let fixture: TLSFixture

    init() throws { fixture = try TLSFixture() }

    @Test(arguments: [TLSVersion.v12, .v13], [TLSVersion.v12, .v13])
    func newestCommonVersionIsAgreedOn(client: TLSVersion, server: TLSVersion) throws {
        let pair = try TLSPair(fixture.client(newest: client), fixture.server(newest: server))
        #expect(pair.client.protocolVersion == nil)
        try pair.establish()
        let expected = client == .v13 && server == .v13 ? TLSVersion.v13 : .v12
        #expect(pair.client.protocolVersion == expected)
        #expect(pair.server.protocolVersion == expected)
        #expect(!pair.client.isResumed)
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func itSucceedsByteByByte(version: TLSVersion) throws {
        let pair = try TLSPair(fixture.client(newest: version), fixture.server(), byteByByte: true)
        try pair.establish()
        let bytes = pattern(500)
        #expect(try pair.transfer(bytes, from: .client) == bytes)
        #expect(try pair.transfer(bytes, from: .server) == bytes)
    }

    @Test(arguments: [("localhost", "localhost"), ("LocalHost.", "localhost")])
    func serverSeesTheRequestedName(hostName: String, seen: String) throws {
        let pair = try TLSPair(fixture.client(), fixture.server(), hostName: hostName)
        try pair.establish()
        #expect(pair.server.serverName == seen)
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func addressIsVerifiedButNotSentAsAName(address: String) throws {
        let pair = try TLSPair(fixture.client(), fixture.server(), hostName: address)
        try pair.establish()
        #expect(pair.server.serverName == nil)
    }

    @Test func protocolIsAgreedOn() throws {
        let pair = try TLSPair(fixture.client(), fixture.server())
        try pair.establish()
        #expect(pair.client.applicationProtocol == "http/1.1")
        #expect(pair.server.applicationProtocol == "http/1.1")
    }

    @Test(arguments: [(["h2", "http/1.1"], "http/1.1"), ([], nil)] as [([String], String?)])
    func clientThatOffersMoreOrNothingIsServed(offered: [String], agreed: String?) throws {
        let (peer, server) = try shakeHands(with: OtherPeer(.client, newest: .v13, offering: offered))
        #expect(peer)
        #expect(server.handshake() == .bytes(0))
        #expect(server.applicationProtocol == agreed)
    }

    @Test func clientThatOffersOnlyOtherProtocolsIsRefused() throws {
        let (peer, server) = try shakeHands(with: OtherPeer(.client, newest: .v13, offering: ["h2", "http/1.0"]))
        #expect(!peer)
        let text = "the peer does not speak HTTP/1.1 (it was asked for by ALPN)"
        #expect(server.handshake() == .failed(TLSError(.handshake, text)))
    }

    @Test(arguments: [(OtherPeer.Version.v11, false), (.v12, true)])
    func serverRefusesOldVersions(newest: OtherPeer.Version, isAccepted: Bool) throws {
        let (peer, server) = try shakeHands(with: OtherPeer(.client, newest: newest))
        #expect(peer == isAccepted)
        let expected: TLSProgress = isAccepted ? .bytes(0) : .failed(TLSHandshakeTests.noCommonVersion)
        #expect(server.handshake() == expected)
    }

    @Test(arguments: [(OtherPeer.Version.v11, false), (.v12, true)])
    func clientRefusesOldVersions(newest: OtherPeer.Version, isAccepted: Bool) throws {
        let (peer, client) = try shakeHands(
            with: OtherPeer(.server(fixture.certificates.leaf()), newest: newest))
        #expect(peer == isAccepted)
        let expected: TLSProgress = isAccepted ? .bytes(0) : .failed(TLSHandshakeTests.noCommonVersion)
        #expect(client.handshake() == expected)
    }

    @Test func nonTLSResponseIsReportedAsSuch() throws {
        let (near, far) = connectedSockets()
        defer { closeAll(near, far) }
        let session = try TLSSession(
            context: fixture.client(), descriptor: near, role: .client(hostName: "localhost", port: 443))
        #expect(session.handshake() == .wantsRead)
        let answer = "HTTP/1.1 400 Bad Request\r\n\r\n"
        #expect(send(far, answer, answer.utf8.count, 0) == answer.utf8.count)
        let expected = TLSProgress.failed(TLSError(.handshake, "the peer answered with something that is not TLS"))
        #expect(session.handshake() == expected)
        #expect(session.handshake() == expected)
        #expect(session.read(atMost: 10).progress == expected)
    }

    @Test func plainRequestToATLSServerIsReportedAsSuch() throws {
        let (near, far) = connectedSockets()
        defer { closeAll(near, far) }
        let session = try TLSSession(context: fixture.server(), descriptor: near, role: .server)
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        #expect(send(far, request, request.utf8.count, 0) == request.utf8.count)
        let text = "the client spoke plain HTTP where TLS is expected"
        #expect(session.handshake() == .failed(TLSError(.handshake, text)))
    }

    @Test func peerDisconnectIsAFailure() throws {
        let (near, far) = connectedSockets()
        defer { close(near) }
        let session = try TLSSession(
            context: fixture.client(), descriptor: near, role: .client(hostName: "localhost", port: 443))
        #expect(session.handshake() == .wantsRead)
        // The greeting is read first, because a close with unread bytes would be a reset.
        var greeting = [UInt8](repeating: 0, count: 4096)
        #expect(recv(far, &greeting, greeting.count, 0) > 0)
        close(far)
        let text = "the peer closed the connection during the TLS handshake"
        #expect(session.handshake() == .failed(TLSError(.connection(ECONNRESET), text)))
    }

    @Test func resetIsNamedByItsError() throws {
        let (near, far) = connectedSockets()
        defer { close(near) }
        let session = try TLSSession(
            context: fixture.client(), descriptor: near, role: .client(hostName: "localhost", port: 443))
        #expect(session.handshake() == .wantsRead)
        close(far)
        #expect(session.handshake() == .failed(TLSError(.connection(ECONNRESET), "Connection reset by peer")))
    }

    @Test func nothingIsWrittenBeforeItIsOver() throws {
        let pair = try TLSPair(fixture.client(), fixture.server())
        let expected = TLSProgress.failed(TLSError(.handshake, "the TLS handshake has not been completed"))
        #expect(pair.client.write(Array("secret".utf8)) == expected)
        #expect(pair.client.read(atMost: 10).progress == expected)
        #expect(pair.client.shutdown())
        #expect(!isReadable(pair.serverSocket))
        try pair.establish()
        #expect(try pair.transfer([7], from: .client) == [7])
    }

    // MARK: Other implementations

    private static let noCommonVersion = TLSError(
        .handshake, "the peer and Headgate have no TLS version in common (Headgate speaks 1.2 and 1.3)")

    /// Returns whether the handshake succeeded for the other peer, and Headgate's session after it.
    private func shakeHands(with peer: OtherPeer) throws -> (peer: Bool, session: TLSSession) {
        let session =
            try peer.isServer
            ? TLSSession(
                context: fixture.client(), descriptor: peer.otherSocket, role: .client(hostName: "localhost", port: 443)
            )
            : TLSSession(context: fixture.server(), descriptor: peer.otherSocket, role: .server)
        var isContent = false
        try takeTurns([
            Participant(descriptor: peer.socket) {
                let (turn, result) = peer.handshake()
                if let result { isContent = result }
                return turn
            },
            Participant(descriptor: peer.otherSocket) {
                let progress = session.handshake()
                return progress == .wantsRead || progress == .wantsWrite ? .waits(progress) : .done
            },
        ])
        return (isContent, session)
    }
}
