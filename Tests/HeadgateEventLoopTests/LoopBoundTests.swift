import HeadgateEventLoop
import Testing

@Suite struct LoopBoundTests {
    private final class Confined {
        var count = 0
    }

    @Test func valueIsReachedOnItsLoop() async {
        await withLoops { loops in
            let loop = loops[0]
            let bound = await loop.callback { LoopBound(Confined(), on: loop) }
            #expect(bound.loop === loop)
            let count = await loop.callback {
                bound.value.count += 1
                return bound.value.count
            }
            #expect(count == 1)
        }
    }

    @Test func valueTrapsOnAnyOtherThread() async {
        await #expect(processExitsWith: .failure) { _ = LoopBound(1, on: EventLoop()).value }
    }
}
