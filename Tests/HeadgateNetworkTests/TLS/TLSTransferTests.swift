import COpenSSL
import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateNetwork

@Suite(.timeLimit(.minutes(10))) struct TLSTransferTests {
    private let fixture: TLSFixture

    init() throws { fixture = try TLSFixture() }

    private func establishedPair(
        newest: TLSVersion = .v13, sendBuffer: Int32? = nil, byteByByte: Bool = false
    ) throws -> TLSPair {
        let pair = try TLSPair(
            fixture.client(newest: newest), fixture.server(), sendBuffer: sendBuffer, byteByByte: byteByByte)
        try pair.establish()
        return pair
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func recordIsReadInPiecesWithoutTheSocket(version: TLSVersion) throws {
        let pair = try establishedPair(newest: version)
        let bytes = pattern(16 * 1024)
        #expect(pair.server.write(bytes) == .bytes(bytes.count))
        #expect(!pair.client.hasPending)
        var received = pair.client.read(atMost: 1000).bytes
        #expect(received.count == 1000)
        // OpenSSL has read everything, so no event would report the rest.
        #expect(!isReadable(pair.clientSocket))
        while pair.client.hasPending { received += pair.client.read(atMost: 1000).bytes }
        #expect(received == bytes)
        #expect(pair.client.read(atMost: 1000).progress == .wantsRead)
        #expect(!pair.client.hasPending)
    }

    @Test func recordsThatArriveTogetherAreReadTogether() throws {
        let pair = try establishedPair()
        for number in 0..<50 { #expect(pair.server.write([UInt8(number)]) == .bytes(1)) }
        #expect(pair.client.read(atMost: 64).bytes == (0..<50).map { UInt8($0) })
        #expect(!pair.client.hasPending)
    }

    @Test func partialRecordIsNotReadable() throws {
        let pair = try establishedPair(byteByByte: true)
        let participant = pair.writing(pattern(100), on: .server)
        #expect(participant.turn() == .done)
        // The bytes pass one by one, so the record is incomplete before the last one.
        var received: [UInt8] = []
        var hasSeenPart = false
        try pair.takeTurns([
            Participant(descriptor: pair.clientSocket) {
                let (progress, bytes) = pair.client.read(atMost: 1000)
                received += bytes
                guard case .bytes = progress else {
                    hasSeenPart = true
                    #expect(!pair.client.hasPending)
                    return .waits(progress)
                }
                return .done
            }
        ])
        #expect(hasSeenPart)
        #expect(received == pattern(100))
    }

    @Test(arguments: [TLSVersion.v12, .v13]) func bothDirectionsAtOnceDoNotBlockEachOther(version: TLSVersion) throws {
        let pair = try establishedPair(newest: version, sendBuffer: 4096)
        let up = pattern(4 * 1024 * 1024, seed: 2)
        let down = pattern(4 * 1024 * 1024, seed: 3)
        var received: (up: [UInt8], down: [UInt8]) = ([], [])
        try pair.takeTurns([
            pair.writing(up, on: .client), pair.writing(down, on: .server),
            pair.reading(up.count, on: .server, at: 64 * 1024) { received.up += $0 },
            pair.reading(down.count, on: .client, at: 64 * 1024) { received.down += $0 },
        ])
        #expect(received.up == up)
        #expect(received.down == down)
    }

    @Test func keysCanChangeDuringATransfer() throws {
        let pair = try establishedPair(sendBuffer: 4096)
        let bytes = pattern(200_000)
        for side in [TLSPair.Side.client, .server] {
            #expect(SSL_key_update(pair.session(side).connection, SSL_KEY_UPDATE_REQUESTED) == 1)
        }
        var received: (up: [UInt8], down: [UInt8]) = ([], [])
        try pair.takeTurns([
            pair.writing(bytes, on: .client), pair.writing(bytes, on: .server),
            pair.reading(bytes.count, on: .server) { received.up += $0 },
            pair.reading(bytes.count, on: .client) { received.down += $0 },
        ])
        #expect(received.up == bytes)
        #expect(received.down == bytes)
    }

    @Test func fullSocketTakesWhatItCanAndTheRestLater() throws {
        let pair = try establishedPair(sendBuffer: 100_000)
        let bytes = pattern(1024 * 1024)
        guard case .bytes(let taken) = pair.client.write(bytes) else {
            Issue.record("an empty socket takes nothing")
            return
        }
        #expect(taken < bytes.count)
        // The unsent bytes are passed again from another address, followed by bytes that OpenSSL has not seen.
        let rest = Array(bytes[taken...]) + [1, 2, 3]
        #expect(pair.client.write(rest) == .wantsWrite)
        var received: [UInt8] = []
        try pair.takeTurns([
            pair.writing(rest, on: .client), pair.reading(bytes.count + 3, on: .server) { received += $0 },
        ])
        #expect(received == bytes + [1, 2, 3])
    }

    @Test func nothingToWriteIsWrittenAtOnce() throws {
        let pair = try establishedPair()
        #expect(pair.client.write([]) == .bytes(0))
        #expect(!isReadable(pair.serverSocket))
    }

    @Test func byteChangedInTransitIsAFailure() throws {
        let pair = try establishedPair()
        let stray: [UInt8] = [0x17, 3, 3, 0, 32] + pattern(32)
        #expect(send(pair.serverSocket, stray, stray.count, 0) == stray.count)
        guard case .failed(let error) = pair.client.read(atMost: 100).progress else {
            Issue.record("a forged record was accepted")
            return
        }
        #expect(error.kind == .handshake)
        #expect(pair.client.write([1]) == .failed(error))
    }
}
