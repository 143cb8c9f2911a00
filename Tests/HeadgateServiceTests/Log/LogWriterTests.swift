import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import Testing

@testable import HeadgateService

@Suite struct LogWriterTests {
    /// A destination that accepts or refuses lines, as the test sets it.
    private struct Destination: LogDestination {
        struct State {
            var written = ""
            var isFull = false
            /// Number of writes that it accepts before it is full.
            var room = Int.max
            var reopened = 0
            var writes = 0
        }

        let state = Locked(State())
        let changed = Signal()

        func write(_ lines: [UInt8]) throws(LogLoss) {
            defer { changed.raise() }
            let isFull = state.withLock { state in
                state.writes += 1
                state.isFull = state.isFull || state.room == 0
                state.room -= 1
                if !state.isFull { state.written += String(decoding: lines, as: UTF8.self) }
                return state.isFull
            }
            guard isFull else { return }
            throw LogLoss(error: ENOSPC, lines: lines.count { $0 == 0x0A })
        }

        func reopen() {
            state.withLock { $0.reopened += 1 }
            changed.raise()
        }

        func wait(until condition: (State) -> Bool) {
            while !state.withLock({ condition($0) }) { changed.wait() }
        }
    }

    private func withWriter(
        complaining: @escaping @Sendable (String) -> Void = { _ in }, _ body: (LogWriter, Destination) throws -> Void
    ) throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let destination = Destination()
        let writer = try LogWriter(group: group, to: destination, complaining: complaining)
        try body(writer, destination)
        writer.close()
    }

    @Test func closeWritesPendingLines() throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let destination = Destination()
        let writer = try LogWriter(group: group, to: destination)
        try group.loops[0].performAndWait { writer.write { $0.bytes += Array("of a loop\n".utf8) } }
        writer.say("of people")
        writer.close()
        #expect(
            destination.state.withLock { $0.written.split(separator: "\n").sorted() } == ["of a loop", "of people"])
    }

    @Test func refusedLinesAreCountedAndReportedLater() throws {
        let complaints = Locked([String]())
        let complain = { @Sendable (reason: String) in complaints.withLock { $0.append(reason) } }
        try withWriter(complaining: complain) { writer, destination in
            destination.state.withLock { $0.isFull = true }
            writer.say("one")
            destination.wait { $0.writes == 1 }
            writer.say("two\nthree")
            destination.wait { $0.writes == 2 }
            destination.state.withLock { $0.isFull = false }
            writer.say("four")
            destination.wait { $0.writes == 4 }
            #expect(
                destination.state.withLock { $0.written }
                    == "four\nheadgate: 3 log lines were dropped: No space left on device\n")
            #expect(writer.droppedLines == 3)
        }
        #expect(complaints.withLock { $0 } == ["No space left on device"])
    }

    @Test func refusedNoticeIsWrittenWithTheNextLines() throws {
        try withWriter { writer, destination in
            destination.state.withLock { $0.isFull = true }
            writer.say("one")
            destination.wait { $0.writes == 1 }
            destination.state.withLock { ($0.isFull, $0.room) = (false, 1) }
            writer.say("two")
            destination.wait { $0.writes == 3 }
            destination.state.withLock { ($0.isFull, $0.room) = (false, .max) }
            writer.say("three")
            destination.wait { $0.writes == 5 }
            #expect(
                destination.state.withLock { $0.written }
                    == "two\nthree\nheadgate: 1 log lines were dropped: No space left on device\n")
            #expect(writer.droppedLines == 1)
        }
    }

    @Test func fileIsReopenedAfterPendingLines() throws {
        try withWriter { writer, destination in
            writer.say("one")
            destination.wait { $0.writes == 1 }
            writer.reopen()
            destination.wait { $0.reopened == 1 }
            #expect(destination.state.withLock { $0.writes } == 1)
        }
    }
}
