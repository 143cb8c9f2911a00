import Testing

@testable import HeadgateServerTransport

@Suite struct BodyInboxTests {
    private struct Broken: Error {}

    private func receive(_ inbox: inout BodyInbox<Int>, _ count: Int) -> (Int?, [UInt8]?, BodyInbox<Int>.Demand) {
        let bytes = [UInt8](repeating: 1, count: count)
        let (reader, demand) = bytes.withUnsafeBytes { inbox.receive($0) }
        return (reader?.0, reader?.1, demand)
    }

    @Test func nothingIsReadBeforeTheFirstRead() throws {
        var inbox = BodyInbox<Int>()
        let (answer, demand) = inbox.ask(1)
        #expect(answer == nil)
        #expect(demand == .start)
        let (reader, bytes, next) = receive(&inbox, 3)
        #expect(reader == 1)
        #expect(bytes == [1, 1, 1])
        #expect(next == .nothing)
    }

    @Test func clientWaitsForASlowReader() throws {
        var inbox = BodyInbox<Int>()
        _ = inbox.ask(1)
        _ = receive(&inbox, 1)
        #expect(receive(&inbox, 64 * 1024).2 == .nothing)
        #expect(receive(&inbox, 1).2 == .pause)
        #expect(receive(&inbox, 1).2 == .nothing)
        let (answer, demand) = inbox.ask(2)
        #expect(try answer?.get()?.count == 64 * 1024 + 2)
        #expect(demand == .resume)
        #expect(receive(&inbox, 64 * 1024 + 1).2 == .pause)
    }

    @Test func endFollowsReceivedBytes() throws {
        var inbox = BodyInbox<Int>()
        _ = inbox.ask(1)
        _ = receive(&inbox, 1)
        _ = receive(&inbox, 2)
        #expect(inbox.finish(.success(())) == nil)
        #expect(try inbox.ask(2).answer?.get() == [1, 1])
        let (answer, demand) = inbox.ask(3)
        #expect(try #require(answer).get() == nil)
        #expect(demand == .nothing)
    }

    @Test func failureTakesPrecedenceAndEndsTheWait() {
        var inbox = BodyInbox<Int>()
        _ = inbox.ask(1)
        #expect(inbox.finish(.failure(Broken())) == 1)
        #expect(inbox.finish(.success(())) == nil)
        #expect(receive(&inbox, 1).0 == nil)
        #expect(throws: Broken.self) { _ = try inbox.ask(2).answer?.get() }
    }

    @Test func secondReaderIsRefusedAndTheFirstStays() {
        var inbox = BodyInbox<Int>()
        _ = inbox.ask(1)
        let (answer, demand) = inbox.ask(2)
        #expect(throws: ConcurrentReading.self) { _ = try answer?.get() }
        #expect(demand == .nothing)
        #expect(receive(&inbox, 1).0 == 1)
    }
}
