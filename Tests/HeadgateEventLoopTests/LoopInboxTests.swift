import HeadgateLibC
import Testing

@testable import HeadgateEventLoop

@Suite struct LoopInboxTests {
    /// Returns the number of signals on the descriptor since the last call.
    private func signals(_ inbox: LoopInbox) -> Int {
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = read(inbox.descriptor, &bytes, 8)
        // An eventfd has a number of eight bytes, and a pipe has one byte for each wake-up.
        return count == 8 ? Int(bytes.withUnsafeBytes { $0.load(as: UInt64.self) }) : max(0, count)
    }

    @Test func manyEntriesAreOneWakeUp() {
        let inbox = LoopInbox()
        #expect(signals(inbox) == 0)
        for _ in 0..<100 { inbox.append(.work {}) }
        #expect(signals(inbox) == 1)
    }

    @Test func takingMakesRoomForTheNextWakeUp() {
        let inbox = LoopInbox()
        inbox.append(.work {})
        inbox.append(.work {})
        #expect(inbox.takeAll().count == 2)
        #expect(signals(inbox) == 0)
        #expect(inbox.takeAll().isEmpty)
        inbox.append(.work {})
        #expect(signals(inbox) == 1)
        #expect(inbox.takeAll().count == 1)
    }

    @Test func entriesComeOutInOrder() {
        let inbox = LoopInbox()
        let journal = Journal()
        for number in 0..<10 { inbox.append(.work { journal.note("\(number)") }) }
        for case .work(let work) in inbox.takeAll() { work() }
        #expect(journal.all == (0..<10).map(String.init))
    }
}
