import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

@Suite struct ChunkInboxTests {
    /// A source that pushes on demand and records its calls.
    private final class Tap: BodySource {
        private var sink: (any BodySink)?
        private(set) var asked: [String] = []
        /// Number of bytes to push when the source is resumed.
        var backlog = 0
        var bytesAreProgress = true

        func start(_ sink: any BodySink) { self.sink = sink }
        func push(_ count: Int) { [UInt8](repeating: 7, count: count).withUnsafeBytes { sink?.receive($0) } }
        func end(_ error: TransportError? = nil) {
            if let error { sink?.fail(error) } else { sink?.finish(.complete) }
            sink = nil
        }

        func pause() { asked.append("pause") }
        func resume() {
            asked.append("resume")
            if backlog > 0 { push(backlog) }
        }
        func cancel() { leave("cancel") }
        func discardRest() { leave("discardRest") }

        private func leave(_ how: String) {
            asked.append(how)
            sink = nil
        }

        func note(_: BodyProgress) {}
    }

    @Test func fastSourceIsPausedAndResumedWhenAllIsRead() async throws {
        let tap = Tap()
        let inbox = ChunkInbox(tap)
        tap.push(64 << 10)
        #expect(tap.asked.isEmpty)
        tap.push(1)
        tap.push(1)
        #expect(tap.asked == ["pause"])
        #expect(try await inbox.next()?.count == 64 << 10 + 2)
        tap.end()
        #expect(try await inbox.next() == nil)
    }

    @Test func sourceIsPausedEachTimeItRunsAhead() async throws {
        let tap = Tap()
        let inbox = ChunkInbox(tap)
        tap.backlog = 64 << 10 + 1
        tap.push(tap.backlog)
        for _ in 1...3 { #expect(try await inbox.next()?.count == tap.backlog) }
        #expect(tap.asked == ["pause", "resume", "pause", "resume", "pause"])
        inbox.cancel()
    }

    @Test func bytesBeforeAFailureAreStillRead() async throws {
        let tap = Tap()
        let inbox = ChunkInbox(tap)
        tap.push(3)
        tap.end(TransportError(.truncatedBody))
        #expect(try await inbox.next() == [7, 7, 7])
        await #expect(throws: TransportError(.truncatedBody)) { _ = try await inbox.next() }
    }

    @Test func endedSourceIsNotCalled() {
        let tap = Tap()
        let inbox = ChunkInbox(tap)
        tap.end()
        inbox.cancel()
        inbox.discardRest()
        #expect(tap.asked.isEmpty)
    }

    @Test func droppedReaderCancels() {
        let tap = Tap()
        do { _ = BodyReader(.stream(tap)) }
        #expect(tap.asked == ["cancel"])
    }

    @Test func satisfiedReaderLeavesTheRest() {
        let tap = Tap()
        do { BodyReader(.stream(tap)).discardRest() }
        #expect(tap.asked == ["discardRest"])
    }
}
