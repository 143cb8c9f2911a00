import HeadgateEventLoop
import HeadgatePrimitives
import Testing

@Suite struct LockedTests {
    private struct Failure: Error {}

    @Test func noIncrementIsLost() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<10_000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 40_000)
    }

    @Test func lockIsReleasedWhenTheBodyThrows() {
        let value = Locked(1)
        #expect(throws: Failure.self) { try value.withLock { _ in throw Failure() } }
        #expect(value.withLock { $0 } == 1)
    }
}
