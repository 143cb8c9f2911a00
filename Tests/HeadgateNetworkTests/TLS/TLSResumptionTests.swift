import HeadgateNetwork
import HeadgateTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSResumptionTests {
    private let fixture: TLSFixture

    init() throws { fixture = try TLSFixture() }

    /// Returns whether the connection resumed an earlier session, on which both sides must agree.
    private func isResumed(
        _ client: TLSContext, _ server: TLSContext, hostName: String = "localhost", port: UInt16 = 443
    ) throws -> Bool {
        let pair = try TLSPair(client, server, hostName: hostName, port: port)
        try pair.establish()
        #expect(pair.client.isResumed == pair.server.isResumed)
        return pair.client.isResumed
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func laterConnectionsResume(version: TLSVersion) throws {
        let client = try fixture.client(newest: version)
        let server = try fixture.server()
        #expect(try !isResumed(client, server))
        for _ in 0..<5 { #expect(try isResumed(client, server)) }
    }

    @Test func otherHostsPortsAndContextsDoNotResume() throws {
        let client = try fixture.client()
        let server = try fixture.server()
        #expect(try !isResumed(client, server))
        #expect(try !isResumed(client, server, hostName: "127.0.0.1"))
        #expect(try !isResumed(client, server, port: 8443))
        #expect(try !isResumed(fixture.client(), server))
        #expect(try isResumed(client, server, hostName: "LOCALHOST."))
    }

    @Test(arguments: [TLSVersion.v12, .v13])
    func serverWithNewKeysGetsAFullHandshake(version: TLSVersion) throws {
        let client = try fixture.client(newest: version)
        #expect(try !isResumed(client, fixture.server()))
        #expect(try !isResumed(client, fixture.server()))
    }

    @Test func failedHandshakeDropsItsSessions() throws {
        let client = try fixture.client()
        let server = try fixture.server()
        #expect(try !isResumed(client, server))
        let expired = try fixture.server(fixture.certificates.expiredLeaf())
        let error = TLSError(.certificate, "the certificate has expired")
        #expect(try TLSPair(client, expired).handshake().client == .failed(error))
        #expect(try !isResumed(client, server))
    }

    @Test func contextsServeManyThreads() async throws {
        let client = try fixture.client()
        let server = try fixture.server()
        let resumed = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var count = 0
                    for _ in 0..<20 {
                        let pair = try TLSPair(client, server)
                        try pair.establish()
                        if pair.client.isResumed { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        // Only the few connections that began while every ticket was in use are not resumed.
        #expect(resumed > 8 * 20 / 2)
    }
}
