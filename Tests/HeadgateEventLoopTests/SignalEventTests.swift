import HeadgateEventLoop
import HeadgateLibC
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignalEventTests {
    /// There is one test, because only one loop of a process may watch signals.
    @Test func everySignalIsACallbackOnTheLoop() async {
        let seen = await withLoops { loops in
            let loop = loops[0]
            return await Task(executorPreference: loop) {
                var seen: [Bool] = []
                var event: SignalEvent?
                await withUnsafeContinuation { continuation in
                    event = SignalEvent(loop: loop, signal: SIGUSR2) {
                        seen.append(loop.isCurrent)
                        if seen.count == 2 { continuation.resume() } else { kill(getpid(), SIGUSR2) }
                    }
                    kill(getpid(), SIGUSR2)
                }
                withExtendedLifetime(event) {}
                event = nil
                return seen
            }.value
        }
        #expect(seen == [true, true])
    }
}
