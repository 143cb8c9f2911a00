import HeadgateEventLoop
import HeadgatePrimitives
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventLoopTests {
    private actor Resident {
        let loop: EventLoop
        var count = 0

        init(loop: EventLoop) { self.loop = loop }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func increment() -> Bool {
            count += 1
            return loop.isCurrent
        }
    }

    private final class Tick: TickEnd {
        var action: () -> Void
        init(_ action: @escaping () -> Void) { self.action = action }
        func tickEnded() { action() }
    }

    @Test func taskRunsOnTheLoopItPrefers() async {
        await withLoops(2) { loops in
            for loop in loops {
                #expect(!loop.isCurrent)
                let seen = await Task(executorPreference: loop) { (loop.isCurrent, EventLoop.current === loop) }.value
                #expect(seen == (true, true))
            }
        }
    }

    @Test func taskReturnsToItsLoopWhenResumedByAnother() async {
        await withLoops(2) { loops in
            let (home, other) = (loops[0], loops[1])
            let atHome = await Task(executorPreference: home) {
                var atHome = [home.isCurrent]
                for _ in 0..<100 {
                    let resumedOnOther = await withUnsafeContinuation { continuation in
                        other.execute { continuation.resume(returning: other.isCurrent) }
                    }
                    atHome.append(resumedOnOther && home.isCurrent && !other.isCurrent)
                }
                return atHome
            }.value
            #expect(atHome == Array(repeating: true, count: 101))
        }
    }

    @Test func childTasksStayOnTheLoop() async {
        await withLoops(2) { loops in
            let loop = loops[1]
            let onLoop = await Task(executorPreference: loop) {
                async let first = loop.isCurrent
                async let second = loop.isCurrent
                return await [first, second]
            }.value
            #expect(onLoop == [true, true])
        }
    }

    @Test func actorCanRunOnALoop() async {
        await withLoops { loops in
            let resident = Resident(loop: loops[0])
            #expect(await resident.increment())
            let count = await loops[0].callback { resident.assumeIsolated { $0.count } }
            #expect(count == 1)
        }
    }

    @Test func workFromAnotherThreadRunsInOrder() async {
        await withLoops { loops in
            let numbers = Locked<[Int]>([])
            for number in 0..<1000 { loops[0].execute { numbers.withLock { $0.append(number) } } }
            await loops[0].callback {}
            #expect(numbers.withLock { $0 } == Array(0..<1000))
        }
    }

    @Test func workFromManyThreadsKeepsTheOrderOfEach() async {
        await withLoops(3) { loops in
            let entries = Locked<[(Int, Int)]>([])
            await withTaskGroup(of: Void.self) { group in
                for source in 1...2 {
                    group.addTask(executorPreference: loops[source]) {
                        for number in 0..<500 { loops[0].execute { entries.withLock { $0.append((source, number)) } } }
                    }
                }
            }
            await loops[0].callback {}
            let all = entries.withLock { $0 }
            for source in 1...2 { #expect(all.filter { $0.0 == source }.map(\.1) == Array(0..<500)) }
        }
    }

    @Test func workEnqueuedOnTheLoopRunsAfterTheCallback() async {
        await withLoops { loops in
            let (loop, journal) = (loops[0], Journal())
            await withUnsafeContinuation { continuation in
                loop.execute {
                    loop.execute {
                        journal.note(loop.isCurrent ? "later" : "elsewhere")
                        continuation.resume()
                    }
                    journal.note("first")
                }
            }
            #expect(journal.all == ["first", "later"])
        }
    }

    @Test func tasksThenTicksFollowACallback() async {
        await withLoops { loops in
            let (loop, journal) = (loops[0], Journal())
            await withUnsafeContinuation { continuation in
                loop.execute {
                    loop.atEndOfTick(Tick { journal.note("tick 1") })
                    loop.atEndOfTick(Tick { journal.note("tick 2") })
                    Task(executorPreference: loop) {
                        journal.note("task")
                        await Task.yield()
                        journal.note("task again")
                    }
                    loop.execute {
                        journal.note("next callback")
                        continuation.resume()
                    }
                    journal.note("body")
                }
            }
            #expect(journal.all == ["body", "task", "task again", "tick 1", "tick 2", "next callback"])
        }
    }

    @Test func tickIsCalledOnceAndCanBeRequestedAgain() async {
        await withLoops { loops in
            let (loop, journal) = (loops[0], Journal())
            await loop.callback {
                let tick = Tick {}
                tick.action = { [unowned tick] in
                    journal.note("first")
                    tick.action = { journal.note("second") }
                    loop.atEndOfTick(tick)
                }
                loop.atEndOfTick(tick)
            }
            await loop.callback {}
            await loop.callback {}
            #expect(journal.all == ["first", "second"])
        }
    }

    @Test func tickCanWakeATask() async {
        await withLoops { loops in
            let loop = loops[0]
            let onLoop = await Task(executorPreference: loop) {
                await withUnsafeContinuation { continuation in
                    loop.atEndOfTick(Tick { continuation.resume() })
                }
                return loop.isCurrent
            }.value
            #expect(onLoop)
        }
    }

    @Test func tasksThatWakeEachOtherDoNotStarveTheLoop() async {
        await withLoops { loops in
            let (loop, isDone) = (loops[0], Locked(false))
            let spinning = Task(executorPreference: loop) {
                while !isDone.withLock({ $0 }) { await Task.yield() }
                return loop.isCurrent
            }
            await loop.callback { isDone.withLock { $0 = true } }
            #expect(await spinning.value)
        }
    }

    @Test func tenThousandTasksAcrossTwoLoops() async {
        await withLoops(2) { loops in
            let right = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<10_000 {
                    let (home, other) = (loops[number % 2], loops[1 - number % 2])
                    group.addTask(executorPreference: home) {
                        let began = home.isCurrent
                        let value = await withUnsafeContinuation { continuation in
                            other.execute { continuation.resume(returning: number) }
                        }
                        return began && home.isCurrent && value == number
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(right == 10_000)
        }
    }

    @Test func currentContextIsIsolatedOnlyOnItsLoop() async {
        await withLoops(2) { loops in
            let (loop, other) = (loops[0], loops[1])
            #expect(loop.isIsolatingCurrentContext() == false)
            #expect(await loop.callback { loop.isIsolatingCurrentContext() } == true)
            #expect(await other.callback { loop.isIsolatingCurrentContext() } == false)
            await loop.callback { loop.checkIsolated() }
        }
    }

    @Test func checkOfIsolationTrapsElsewhere() async {
        await #expect(processExitsWith: .failure) { EventLoop().checkIsolated() }
        await #expect(processExitsWith: .failure) { _ = EventLoop.current }
    }

    @Test func timeNeverGoesBack() async {
        await withLoops { loops in
            let times = await loops[0].callback { (0..<1000).map { _ in loops[0].now } }
            #expect(times == times.sorted())
        }
    }

    @Test func recycledBufferIsEmptyAndHasItsCapacity() async {
        await withLoops { loops in
            let loop = loops[0]
            let seen = await loop.callback {
                var buffer = loop.borrowBuffer()
                let isNew = buffer.isEmpty && buffer.capacity == 0
                buffer.append(contentsOf: repeatElement(1, count: 4096))
                loop.recycle(buffer)
                let again = loop.borrowBuffer()
                loop.recycle([UInt8](repeating: 1, count: 256 * 1024))
                return [isNew, again.isEmpty, again.capacity >= 4096, loop.borrowBuffer().capacity == 0]
            }
            #expect(seen == [true, true, true, true])
        }
    }
}
