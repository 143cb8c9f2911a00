import HeadgateEventLoop
import HeadgatePrimitives
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventLoopGroupTests {
    @Test func stopReturnsAfterEarlierWorkHasRun() async {
        let count = Locked(0)
        let group = EventLoopGroup(count: 2)
        for loop in group.loops {
            for _ in 0..<1000 { loop.execute { count.withLock { $0 += 1 } } }
        }
        group.stop()
        #expect(count.withLock { $0 } == 2000)
    }

    @Test func stopCanBeCalledTwice() async {
        let group = EventLoopGroup(count: 1)
        group.stop()
        group.stop()
    }

    @Test func stoppedLoopsAreReleased() async {
        weak var loop: EventLoop?
        do {
            let group = EventLoopGroup(count: 1)
            loop = group.loops[0]
            await group.loops[0].callback {}
            group.stop()
        }
        #expect(loop == nil)
    }

    @Test func nothingRunsAfterStop() async {
        let ran = Locked(false)
        let group = EventLoopGroup(count: 1)
        group.stop()
        group.loops[0].execute { ran.withLock { $0 = true } }
        #expect(!ran.withLock { $0 })
    }

    @Test func groupAlwaysHasALoop() async {
        let group = EventLoopGroup(count: 0)
        defer { group.stop() }
        #expect(group.loops.map(\.index) == [0])
        #expect(EventLoopGroup.availableProcessors >= 1)
    }

    @Test func leastLoadedLoopHasTheFewestConnections() async {
        let group = EventLoopGroup(count: 3)
        defer { group.stop() }
        #expect(group.leastLoaded === group.loops[0])
        group.loops[0].load.increment()
        #expect(group.leastLoaded === group.loops[1])
        group.loops[1].load.increment()
        group.loops[2].load.increment()
        group.loops[2].load.increment()
        #expect(group.leastLoaded === group.loops[0])
        group.loops[2].load.decrement()
        group.loops[2].load.decrement()
        #expect(group.leastLoaded === group.loops[2])
        #expect(group.loops.map(\.load.value) == [1, 1, 0])
    }
}
