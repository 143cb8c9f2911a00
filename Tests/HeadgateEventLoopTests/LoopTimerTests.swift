import HeadgateEventLoop
import Testing

@Suite(.timeLimit(.minutes(10))) struct LoopTimerTests {
    /// Returns whether a timer fired in time. Up to 0.6 ms early is in time; lateness has only a loose bound of 30 s,
    /// because a machine can be busy.
    private func isInBounds(_ elapsed: UInt64, milliseconds: UInt64) -> Bool {
        elapsed + 600_000 >= milliseconds * 1_000_000 && elapsed < 30_000_000_000
    }

    /// Waits for a new timer on the loop.
    private static func pass(_ milliseconds: Int, on loop: EventLoop) async {
        var timer: LoopTimer?
        await withUnsafeContinuation { continuation in
            timer = LoopTimer(loop: loop) { continuation.resume() }
            timer?.schedule(after: .milliseconds(milliseconds))
        }
        withExtendedLifetime(timer) {}
    }

    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) async -> Value) async -> Value {
        await withLoops { loops in
            let loop = loops[0]
            return await Task(executorPreference: loop) { await body(loop) }.value
        }
    }

    @Test func timersFireInTheOrderOfTheirDeadlines() async {
        let order = await onLoop { loop in
            var order: [Int] = []
            let timers = [30, 10, 20].map { delay in
                let timer = LoopTimer(loop: loop) { order.append(delay) }
                timer.schedule(after: .milliseconds(delay))
                return timer
            }
            await LoopTimerTests.pass(60, on: loop)
            withExtendedLifetime(timers) {}
            return order
        }
        #expect(order == [10, 20, 30])
    }

    @Test func movedAndCancelledTimersFireInDeadlineOrder() async {
        let (fired, expected) = await onLoop { loop in
            var fired: [UInt64] = []
            var expected: [UInt64] = []
            var timers: [LoopTimer?] = []
            let start = loop.now
            var random: UInt64 = 1
            for number in 0..<500 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let instant = start + 5_000_000 + random >> 40
                let timer = LoopTimer(loop: loop) { fired.append(instant) }
                // Half of the timers are moved forward to their instant.
                if number % 2 == 0 { timer.schedule(at: instant + 40_000_000) }
                timer.schedule(at: instant)
                timers.append(timer)
            }
            for number in timers.indices where number % 5 == 0 { timers[number]?.cancel() }
            for number in timers.indices where number % 5 == 1 { timers[number] = nil }
            for number in timers.indices where number % 5 > 1 { timers[number]?.action() }
            expected = fired.sorted()
            fired = []
            await LoopTimerTests.pass(60, on: loop)
            withExtendedLifetime(timers) {}
            return (fired, expected)
        }
        #expect(fired.count == 300)
        #expect(fired == expected)
    }

    /// A task of the loop runs between two passes, as the callback of a socket does.
    @Test func timerThatIsAlwaysDueLeavesTheLoopToOthers() async {
        let fired = await onLoop { loop in
            var fired = 0
            let timer = LoopTimer(loop: loop)
            timer.action = { [unowned timer] in
                fired += 1
                if fired < 10_000 { timer.schedule(at: 0) }
            }
            timer.schedule(after: .zero)
            let pair = SocketPair()
            defer { pair.close() }
            pair.send()
            var event: SocketEvent?
            await withUnsafeContinuation { continuation in
                event = SocketEvent(loop: loop, descriptor: pair.near, kind: .read) {
                    event?.remove()
                    continuation.resume()
                }
                event?.add()
            }
            event = nil
            timer.cancel()
            return fired
        }
        #expect(fired < 10_000)
    }

    @Test func timerFiresAtItsTimeOnTheLoop() async {
        let (elapsed, isCurrent) = await onLoop { loop in
            let start = loop.now
            await LoopTimerTests.pass(20, on: loop)
            return (loop.now - start, loop.isCurrent)
        }
        #expect(isInBounds(elapsed, milliseconds: 20))
        #expect(isCurrent)
    }

    @Test func deadlineCanMoveEitherWay() async {
        let (later, earlier, fired) = await onLoop { loop in
            var fired = 0
            let start = loop.now
            var times: [UInt64] = []
            for (first, second) in [(1, 40), (60_000, 5)] {
                var timer: LoopTimer?
                await withUnsafeContinuation { continuation in
                    timer = LoopTimer(loop: loop) {
                        fired += 1
                        continuation.resume()
                    }
                    timer?.schedule(after: .milliseconds(first))
                    timer?.schedule(after: .milliseconds(second))
                }
                times.append(loop.now)
                withExtendedLifetime(timer) {}
            }
            return (times[0] - start, times[1] - times[0], fired)
        }
        #expect(isInBounds(later, milliseconds: 40))
        #expect(isInBounds(earlier, milliseconds: 5))
        #expect(fired == 2)
    }

    /// The timer is postponed beyond its first deadline, which must no longer count.
    @Test func postponedTimerFiresAfterItsLastDeadline() async {
        let waits = await onLoop { loop in
            var waits: [UInt64] = []
            var pushed = loop.now
            let timer = LoopTimer(loop: loop) { waits.append(loop.now - pushed) }
            timer.schedule(after: .milliseconds(1))
            for _ in 0..<4 {
                pushed = loop.now
                timer.schedule(after: .milliseconds(40))
                await LoopTimerTests.pass(5, on: loop)
            }
            while timer.isScheduled { await LoopTimerTests.pass(5, on: loop) }
            return waits
        }
        #expect(!waits.isEmpty)
        for wait in waits { #expect(isInBounds(wait, milliseconds: 40)) }
    }

    @Test func cancelledTimerDoesNotFire() async {
        let (fired, isScheduled) = await onLoop { loop in
            var fired = 0
            let timer = LoopTimer(loop: loop) { fired += 1 }
            timer.schedule(after: .milliseconds(2))
            let wasScheduled = timer.isScheduled
            timer.cancel()
            let isScheduled = timer.isScheduled
            let dropped: LoopTimer? = LoopTimer(loop: loop) { fired += 100 }
            dropped?.schedule(after: .milliseconds(2))
            await LoopTimerTests.pass(20, on: loop)
            return (fired - (dropped == nil ? 0 : 100), wasScheduled && !isScheduled)
        }
        #expect(fired == 0)
        #expect(isScheduled)
    }

    @Test func releasedTimerDoesNotFire() async {
        let fired = await onLoop { loop in
            var fired = 0
            var timer: LoopTimer? = LoopTimer(loop: loop) { fired += 1 }
            timer?.schedule(after: .milliseconds(2))
            timer = nil
            await LoopTimerTests.pass(20, on: loop)
            return fired
        }
        #expect(fired == 0)
    }

    @Test func cancelledTimerCanBeRescheduled() async {
        let fired = await onLoop { loop in
            var fired = 0
            let timer = LoopTimer(loop: loop) { fired += 1 }
            timer.schedule(after: .milliseconds(2))
            timer.cancel()
            timer.schedule(after: .milliseconds(5))
            await LoopTimerTests.pass(30, on: loop)
            return fired
        }
        #expect(fired == 1)
    }

    @Test func actionCanRearmItsTimer() async {
        let fired = await onLoop { loop in
            var fired = 0
            var timer: LoopTimer?
            await withUnsafeContinuation { continuation in
                timer = LoopTimer(loop: loop) {
                    fired += 1
                    if fired == 5 { continuation.resume() } else { timer?.schedule(after: .milliseconds(1)) }
                }
                timer?.schedule(after: .zero)
            }
            timer = nil
            return fired
        }
        #expect(fired == 5)
    }

    @Test func actionCanReleaseItsTimer() async {
        await onLoop { loop in
            var timer: LoopTimer?
            await withUnsafeContinuation { continuation in
                timer = LoopTimer(loop: loop) {
                    timer = nil
                    continuation.resume()
                }
                timer?.schedule(after: .milliseconds(1))
            }
        }
    }

    @Test func deadlineInThePastFiresSoon() async {
        let fired = await onLoop { loop in
            var fired = 0
            let timers = [LoopTimer(loop: loop) { fired += 1 }, LoopTimer(loop: loop) { fired += 1 }]
            timers[0].schedule(at: 0)
            timers[1].schedule(after: .seconds(-5))
            await LoopTimerTests.pass(20, on: loop)
            withExtendedLifetime(timers) {}
            return fired
        }
        #expect(fired == 2)
    }

    @Test func deadlineBeyondAllTimeNeverFires() async {
        let fired = await onLoop { loop in
            var fired = 0
            let timers = (0..<3).map { _ in LoopTimer(loop: loop) { fired += 1 } }
            timers[0].schedule(afterNanoseconds: .max)
            timers[1].schedule(after: .seconds(Int64.max))
            timers[2].schedule(at: .max)
            await LoopTimerTests.pass(20, on: loop)
            withExtendedLifetime(timers) {}
            return fired
        }
        #expect(fired == 0)
    }
}
