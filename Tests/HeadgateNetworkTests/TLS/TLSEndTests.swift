import HeadgateLibC
import HeadgateNetwork
import HeadgateTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSEndTests {
    private let fixture: TLSFixture

    init() throws { fixture = try TLSFixture() }

    private func establishedPair(_ version: TLSVersion, sendBuffer: Int32? = nil) throws -> TLSPair {
        let pair = try TLSPair(fixture.client(newest: version), fixture.server(), sendBuffer: sendBuffer)
        try pair.establish()
        return pair
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func announcedEndIsClean(version: TLSVersion) throws {
        let pair = try establishedPair(version)
        #expect(pair.server.write([1, 2, 3]) == .bytes(3))
        #expect(pair.server.shutdown())
        pair.closeServerSocket()
        // The bytes are read first, although the end arrived with them.
        #expect(pair.client.read(atMost: 100).bytes == [1, 2, 3])
        #expect(pair.client.hasPending)
        #expect(pair.client.read(atMost: 100).progress == .closed)
        #expect(!pair.client.hasPending)
        #expect(pair.client.read(atMost: 100).progress == .closed)
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func unannouncedEndIsATruncation(version: TLSVersion) throws {
        let pair = try establishedPair(version)
        #expect(pair.server.write([1, 2, 3]) == .bytes(3))
        pair.closeServerSocket()
        #expect(pair.client.read(atMost: 100).bytes == [1, 2, 3])
        #expect(pair.client.read(atMost: 100).progress == .cut)
        #expect(pair.client.read(atMost: 100).progress == .cut)
        #expect(!pair.client.hasPending)
        guard case .failed(let error) = pair.client.write([1]) else {
            Issue.record("a connection that was cut takes bytes")
            return
        }
        #expect(error.systemError == ECONNRESET)
    }

    @Test func endInsideARecordIsATruncation() throws {
        let pair = try establishedPair(.v13)
        // The header announces a record of 100 bytes, and only one byte follows.
        #expect(send(pair.serverSocket, [0x17, 3, 3, 0, 100, 1] as [UInt8], 6, 0) == 6)
        #expect(pair.client.read(atMost: 100).progress == .wantsRead)
        pair.closeServerSocket()
        #expect(pair.client.read(atMost: 100).progress == .cut)
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func otherDirectionContinuesAfterAnEnd(version: TLSVersion) throws {
        let pair = try establishedPair(version)
        #expect(pair.client.shutdown())
        #expect(pair.client.shutdown())
        #expect(pair.server.read(atMost: 10).progress == .closed)
        let bytes = pattern(100_000)
        #expect(try pair.transfer(bytes, from: .server) == bytes)
        guard case .failed = pair.client.write([1]) else {
            Issue.record("something was sent after the end")
            return
        }
    }

    @Test func bytesSentBeforeAPeersCloseAreRead() throws {
        let pair = try establishedPair(.v13)
        #expect(pair.server.write(Array("too large".utf8)) == .bytes(9))
        pair.closeServerSocket()
        let expected = TLSProgress.failed(TLSError(.connection(EPIPE), "Broken pipe"))
        #expect(pair.client.write([1]) == expected)
        #expect(pair.client.write([1]) == expected)
        #expect(pair.client.shutdown())
        #expect(pair.client.read(atMost: 100).bytes == Array("too large".utf8))
        #expect(pair.client.read(atMost: 100).progress == .cut)
    }

    @Test func writingToALostPeerRaisesNoSignal() throws {
        let pair = try establishedPair(.v13)
        pair.closeServerSocket()
        // An ignored signal would not be noticed, but a blocked one stays pending for this thread.
        signal(SIGPIPE) { _ in }
        var pipe = sigset_t()
        var previous = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        #expect(pair.client.write([1]) == .failed(TLSError(.connection(EPIPE), "Broken pipe")))
        var pending = sigset_t()
        sigpending(&pending)
        #expect(sigismember(&pending, SIGPIPE) == 0)
    }

    @Test func endWaitsForRoom() throws {
        let pair = try establishedPair(.v13, sendBuffer: 4096)
        // The socket is filled outside the session, which is therefore between two records.
        var filled = 0
        let filling = [UInt8](repeating: 0, count: 1)
        while send(pair.serverSocket, filling, 1, 0) == 1 { filled += 1 }
        #expect(filled > 0)
        #expect(!pair.server.shutdown())
        var drained = [UInt8](repeating: 0, count: filled)
        var rest = filled
        while rest > 0 { rest -= recv(pair.clientSocket, &drained, rest, 0) }
        #expect(pair.server.shutdown())
        #expect(pair.client.read(atMost: 10).progress == .closed)
    }

    @Test func endIsNotSentInsideARecord() throws {
        let pair = try establishedPair(.v13, sendBuffer: 100_000)
        let bytes = pattern(1024 * 1024)
        guard case .bytes(let taken) = pair.server.write(bytes) else {
            Issue.record("an empty socket takes nothing")
            return
        }
        #expect(pair.server.shutdown())
        var received: [UInt8] = []
        try pair.takeTurns([pair.reading(taken, on: .client) { received += $0 }])
        #expect(received == Array(bytes[..<taken]))
        pair.closeServerSocket()
        var end = TLSProgress.wantsRead
        while case .wantsRead = end { end = pair.client.read(atMost: 100).progress }
        #expect(end == .cut)
    }
}
