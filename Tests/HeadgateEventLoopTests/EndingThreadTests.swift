import HeadgateLibC
import Synchronization
import Testing

@testable import HeadgateEventLoop

struct EndingThreadTests {
    final class Work: Sendable {
        let thread = EndingThread()
        let begins = Latch()
        let isLeft = Atomic(false)

        func run() {
            begins.wait()
            thread.finish()
            // Others run meanwhile, if they do not wait for this thread.
            for _ in 0..<20 { sched_yield() }
            isLeft.store(true, ordering: .relaxed)
        }
    }

    @Test func waitEndsWhenTheThreadHasReturned() throws {
        for _ in 0..<5 {
            let work = Work()
            try work.thread.start(running: runWork, with: work)
            work.begins.open()
            #expect(work.thread.wait(atMost: .seconds(60)) && work.isLeft.load(ordering: .relaxed))
            #expect(work.thread.isFinished && work.thread.wait(atMost: .zero))
        }
    }

    @Test func waitEndsAtItsLimit() throws {
        let work = Work()
        try work.thread.start(running: runWork, with: work)
        #expect(!work.thread.isFinished && !work.thread.wait(atMost: .milliseconds(1)))
        work.begins.open()
        #expect(work.thread.wait(atMost: .seconds(60)))
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EndingThreadTests.Work>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
