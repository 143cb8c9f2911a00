import HeadgateEventLoop
import HeadgateNetwork
import HeadgatePrimitives
import Testing

@Suite(.timeLimit(.minutes(10))) struct NameResolverTests {
    typealias Answer = Result<[IPAddress], NameError>

    private func resolve(_ name: String, with resolver: NameResolver, on loop: EventLoop) async -> Answer {
        await withUnsafeContinuation { continuation in
            loop.execute {
                _ = resolver.resolve(name, on: loop) { continuation.resume(returning: $0) }
            }
        }
    }

    @Test func hundredWaitersOnTwoLoopsShareOneLookup() async {
        let latch = Latch()
        let names = FakeNames(["a.example": ["192.0.2.1"]], stuck: ["a.example": latch])
        let resolver = names.resolver()
        await withLoops(2) { loops in
            await withTaskGroup(of: (Answer, Bool).self) { group in
                for index in 0..<100 {
                    let loop = loops[index % 2]
                    group.addTask {
                        await withUnsafeContinuation { continuation in
                            loop.execute {
                                _ = resolver.resolve("a.example", on: loop) {
                                    continuation.resume(returning: ($0, loop.isCurrent))
                                }
                            }
                        }
                    }
                }
                // Later callers find the result in the cache, so the order does not matter.
                latch.open()
                for await (answer, isOnItsLoop) in group {
                    #expect(answer == .success([.v4(0xC000_0201)]))
                    #expect(isOnItsLoop)
                }
            }
        }
        #expect(names.calls == ["a.example"])
    }

    @Test func allWaitersGetTheResult() async {
        let latch = Latch()
        let names = FakeNames(["a.example": ["192.0.2.1"]], stuck: ["a.example": latch])
        let resolver = names.resolver()
        let told = Signal()
        await withLoops { loops in
            let loop = loops[0]
            let waits = await loop.callback {
                (0..<100).filter { _ in resolver.resolve("A.example", on: loop) { _ in told.raise() } != nil }.count
            }
            #expect(waits == 100)
            latch.open()
            for _ in 0..<100 { told.wait() }
        }
        #expect(names.calls == ["a.example"])
    }

    @Test func unresponsiveNameServerDelaysOnlyItsOwnName() async {
        let latch = Latch()
        let names = FakeNames(["fast.example": ["192.0.2.2"]], stuck: ["stuck.example": latch])
        let resolver = names.resolver()
        await withLoops { loops in
            let loop = loops[0]
            let isWaiting = await loop.callback { resolver.resolve("stuck.example", on: loop) { _ in } != nil }
            #expect(isWaiting)
            #expect(await resolve("fast.example", with: resolver, on: loop) == .success([.v4(0xC000_0202)]))
            latch.open()
        }
    }

    @Test func concurrentLookupsAreBoundedAndTheRestWaits() async {
        let count = NameResolver.maximumThreads * 3
        let (running, peak) = (Locked(0), Locked(0))
        let full = Signal()
        let latch = Latch()
        let resolver = NameResolver { name in
            let now = running.withLock {
                $0 += 1
                return $0
            }
            peak.withLock { $0 = max($0, now) }
            full.raise()
            latch.wait()
            running.withLock { $0 -= 1 }
            return .success([.v4(UInt32(name.utf8.count))])
        }
        await withLoops { loops in
            let loop = loops[0]
            await withTaskGroup(of: Answer.self) { group in
                for index in 0..<count {
                    group.addTask { await self.resolve("name-\(index)", with: resolver, on: loop) }
                }
                for _ in 0..<NameResolver.maximumThreads { full.wait() }
                latch.open()
                for await answer in group { #expect((try? answer.get()) != nil) }
            }
        }
        #expect(peak.withLock { $0 } == NameResolver.maximumThreads)
    }

    @Test func cancelledWaitIsNotCalledAndRetainsNothing() async {
        final class Held: Sendable {}
        let latch = Latch()
        let names = FakeNames(["a.example": ["192.0.2.1"]], stuck: ["a.example": latch])
        let resolver = names.resolver()
        let told = Locked(false)
        await withLoops { loops in
            let loop = loops[0]
            let isReleased = await loop.callback {
                var held: Held? = Held()
                weak let observed = held
                let wait = resolver.resolve("a.example", on: loop) { [held] _ in
                    withExtendedLifetime(held) { told.withLock { $0 = true } }
                }
                held = nil
                guard observed != nil else { return false }
                wait?.cancel()
                wait?.cancel()
                return observed == nil
            }
            #expect(isReleased)
            latch.open()
            #expect(await resolve("a.example", with: resolver, on: loop) == .success([.v4(0xC000_0201)]))
        }
        #expect(!told.withLock { $0 })
        #expect(names.calls == ["a.example"], "the answer of the cancelled wait is kept")
    }

    @Test func addressesAndLocalhostNeedNoLookup() async {
        let names = FakeNames()
        let resolver = names.resolver()
        await withLoops { loops in
            let loop = loops[0]
            for (host, addresses): (String, [IPAddress]) in [
                ("192.0.2.7", [.v4(0xC000_0207)]), ("::1", [.v6(0, 1)]),
                ("localhost", [.v4(0x7F00_0001), .v6(0, 1)]), ("Localhost.", [.v4(0x7F00_0001), .v6(0, 1)]),
            ] {
                let answer = await loop.callback {
                    let answer = Locked<Answer?>(nil)
                    _ = resolver.resolve(host, on: loop) { result in answer.withLock { $0 = result } }
                    return answer.withLock { $0 }
                }
                #expect(answer == .success(addresses), "at once")
            }
        }
        #expect(names.calls.isEmpty)
    }

    @Test func staleEntryIsServedWhileItIsRefreshed() async {
        let time = Locked<UInt64>(1_000_000_000_000)
        func pass(_ seconds: UInt64) { time.withLock { $0 += seconds * 1_000_000_000 } }
        let names = FakeNames(["a.example": ["192.0.2.1"]])
        let (old, new) = (Answer.success([.v4(0xC000_0201)]), Answer.success([.v4(0xC000_0202)]))
        let failure = Answer.failure(NameError("server failure"))
        await withLoops { loops in
            let loop = loops[0]
            // The end of a lookup reads the clock off the loop, to date its result.
            let ended = Signal()
            let now: @Sendable () -> UInt64 = {
                defer { if !loop.isCurrent { ended.raise() } }
                return time.withLock { $0 }
            }
            let resolver = NameResolver(lookup: { names.lookup($0) }, now: now)
            #expect(await resolve("a.example", with: resolver, on: loop) == old)
            ended.wait()
            pass(59)
            #expect(await resolve("a.example", with: resolver, on: loop) == old)
            #expect(names.calls.count == 1)

            names.set("a.example", failure)
            pass(2)
            #expect(await resolve("a.example", with: resolver, on: loop) == old)
            ended.wait()
            #expect(names.calls.count == 2)

            names.set("a.example", new)
            pass(10)
            #expect(await resolve("a.example", with: resolver, on: loop) == old)
            // The failure is about to be processed. The next call after that starts the third lookup.
            while names.calls.count < 3 { _ = await resolve("a.example", with: resolver, on: loop) }
            ended.wait()
            while await resolve("a.example", with: resolver, on: loop) != new {}

            names.set("a.example", failure)
            pass(3600)
            #expect(await resolve("a.example", with: resolver, on: loop) == failure)
        }
        #expect(names.calls.count == 4)
    }

    @Test func systemKnowsTheNamesOfItsHostsFile() throws {
        let addresses = try NameResolver.systemLookup("localhost").get()
        #expect(!addresses.isEmpty && addresses.allSatisfy(\.isLoopback))
    }

    @Test func unknownNameKeepsTheSystemsMessage() {
        // A label has at most 63 bytes, so no name server is queried.
        guard case .failure(let error) = NameResolver.systemLookup(String(repeating: "a", count: 64)) else {
            Issue.record("a name that cannot be was found")
            return
        }
        #expect(!error.text.isEmpty)
    }
}
