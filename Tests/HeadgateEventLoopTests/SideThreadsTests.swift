import HeadgateEventLoop
import HeadgatePrimitives
import Testing

@Suite(.timeLimit(.minutes(10))) struct SideThreadsTests {
    private final class Countdown {
        private var left: Int
        init(_ count: Int) { left = count }

        var isLast: Bool {
            left -= 1
            return left == 0
        }
    }

    @Test func aFewRunInParallel() async {
        await withLoops { loops in
            let arrived = Locked(0)
            let everybody = Latch()
            let all = SideThreads.limit
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                loops[0].execute {
                    for each in 0..<all {
                        _ = loops[0].aside {
                            let count = arrived.withLock { count in
                                count += 1
                                return count
                            }
                            if count == all { everybody.open() }
                            return everybody.wait(atMost: .seconds(20))
                        } completion: { wereAll in
                            #expect(wereAll == true)
                            if each == 0 { continuation.resume() }
                        }
                    }
                }
            }
        }
    }

    @Test func groupEndsTheWorkBeforeItsLoops() {
        let group = EventLoopGroup(count: 1)
        let journal = Journal()
        let holds = Latch()
        let begun = Signal()
        let isQueued = Latch()
        let loop = group.loops[0]
        loop.execute {
            for _ in 0..<SideThreads.limit {
                _ = loop.aside { () -> Void in
                    begun.raise()
                    holds.wait()
                } completion: { value in
                    journal.note(value == nil ? "given up" : "done")
                }
            }
            _ = loop.aside {
            } completion: { value in
                journal.note(value == nil ? "given up" : "done")
                holds.open()
            }
            isQueued.open()
        }
        isQueued.wait()
        for _ in 0..<SideThreads.limit { begun.wait() }
        group.stop()
        #expect(journal.all == ["given up"] + [String](repeating: "done", count: SideThreads.limit))
        holds.open()
    }

    @Test func workRunsElsewhereAndItsResultReturnsToTheLoop() async {
        await withLoops(2) { loops in
            let home = loops[1]
            let (wasAway, result) = await withUnsafeContinuation { continuation in
                home.execute {
                    _ = home.aside {
                        (!loops[0].isCurrent && !loops[1].isCurrent, 42)
                    } completion: { value in
                        continuation.resume(returning: (value?.0 == true && home.isCurrent, value?.1))
                    }
                }
            }
            #expect(wasAway && result == 42)
        }
    }

    @Test func loopContinuesDuringTheWork() async {
        await withLoops { loops in
            let goesOn = Latch()
            let journal = Journal()
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                loops[0].execute {
                    _ = loops[0].aside {
                        goesOn.wait()
                    } completion: { _ in
                        journal.note("done")
                        continuation.resume()
                    }
                    // Only a free loop runs this, and only then can the work end.
                    loops[0].execute {
                        journal.note("free")
                        goesOn.open()
                    }
                }
            }
            #expect(journal.all == ["free", "done"])
        }
    }

    @Test func everyWorkRunsOnceAndThreadsRestartAfterIdling() async {
        await withLoops { loops in
            let journal = Journal()
            for round in 0..<3 {
                let left = LoopBound(Countdown(10), on: loops[0])
                await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                    loops[0].execute {
                        for each in 0..<10 {
                            _ = loops[0].aside {
                                journal.note("\(round).\(each)")
                            } completion: { _ in
                                if left.value.isLast { continuation.resume() }
                            }
                        }
                    }
                }
            }
            #expect(journal.all.sorted() == (0..<3).flatMap { round in (0..<10).map { "\(round).\($0)" } })
        }
    }

    @Test func workCancelledBeforeItsStartNeverRunsAndReturnsNil() async {
        await withLoops { loops in
            let holds = Latch()
            let journal = Journal()
            let wasNil = await withUnsafeContinuation { continuation in
                loops[0].execute {
                    for _ in 0..<SideThreads.limit {
                        _ = loops[0].aside {
                            holds.wait()
                        } completion: { _ in
                        }
                    }
                    let second = loops[0].aside {
                        journal.note("begun")
                    } completion: { value in
                        continuation.resume(returning: value == nil)
                    }
                    second.cancel()
                    holds.open()
                }
            }
            #expect(wasNil && journal.all.isEmpty)
        }
    }

    @Test func waiterIsReleasedOnItsLoop() async {
        final class Home {
            let loop: EventLoop
            let journal: Journal
            init(_ loop: EventLoop, _ journal: Journal) { (self.loop, self.journal) = (loop, journal) }
            deinit { journal.note(loop.isCurrent ? "home" : "away") }
        }
        let journal = Journal()
        await withLoops { loops in
            for _ in 0..<200 {
                await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                    loops[0].execute {
                        let home = Home(loops[0], journal)
                        _ = loops[0].aside {
                        } completion: { _ in
                            withExtendedLifetime(home) {}
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(journal.all == [String](repeating: "home", count: 200))
    }
}
