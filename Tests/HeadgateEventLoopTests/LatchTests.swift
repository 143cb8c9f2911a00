import HeadgateEventLoop
import HeadgatePrimitives
import Testing

@Suite(.timeLimit(.minutes(10))) struct LatchTests {
    private struct Failure: Error {}

    @Test func signalLetsOneWaiterPassPerRaise() {
        let signal = Signal()
        signal.raise()
        signal.raise()
        signal.wait()
        signal.wait()
    }

    @Test func openLatchReleasesAllWaiters() {
        let latch = Latch()
        latch.open()
        latch.wait()
        latch.wait()
        let copy = latch
        copy.wait()
    }

    @Test func latchOpenedOnALoopReleasesAThread() async {
        await withLoops { loops in
            let (latch, ran) = (Latch(), Locked(false))
            loops[0].execute {
                ran.withLock { $0 = true }
                latch.open()
            }
            latch.wait()
            #expect(ran.withLock { $0 })
        }
    }

    @Test func resultOfWorkOnALoopIsReturned() async throws {
        try await withLoops { loops in
            let loop = loops[0]
            let isCurrent = try loop.performAndWait { loop.isCurrent }
            #expect(isCurrent)
            #expect(throws: Failure.self) { try loop.performAndWait { throw Failure() } }
        }
    }
}
