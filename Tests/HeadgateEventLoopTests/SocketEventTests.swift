import HeadgateEventLoop
import HeadgateLibC
import Testing

@Suite(.timeLimit(.minutes(10))) struct SocketEventTests {
    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop, SocketPair) async -> Value) async
        -> Value
    {
        await withLoops { loops in
            let (loop, pair) = (loops[0], SocketPair())
            defer { pair.close() }
            return await Task(executorPreference: loop) { await body(loop, pair) }.value
        }
    }

    @Test func eventStaysUntilItIsRemoved() async {
        let (count, isCurrent) = await onLoop { loop, pair in
            var count = 0
            var event: SocketEvent?
            var isCurrent = false
            await withUnsafeContinuation { continuation in
                // Three bytes are read one by one, so the socket stays readable.
                event = SocketEvent(loop: loop, descriptor: pair.near, kind: .read) {
                    isCurrent = loop.isCurrent
                    if pair.receive() == 1 { count += 1 }
                    if count == 3 { continuation.resume() }
                }
                event?.add()
                pair.send(3)
            }
            event?.remove()
            return (count, isCurrent)
        }
        #expect(count == 3)
        #expect(isCurrent)
    }

    @Test func removedEventIsSilentUntilItIsAddedAgain() async {
        let counts = await onLoop { loop, pair in
            var count = 0
            var counts: [Int] = []
            let event = SocketEvent(loop: loop, descriptor: pair.near, kind: .read) { count += pair.receive() }
            event.add()
            event.add()
            #expect(event.isAdded)
            event.remove()
            event.remove()
            #expect(!event.isAdded)
            pair.send()
            for _ in 0..<10 { await loop.callback {} }
            counts.append(count)
            event.add()
            while count == 0 { await loop.callback {} }
            counts.append(count)
            return counts
        }
        #expect(counts == [0, 1])
    }

    @Test func actionCanRemoveAndAddItsEvent() async {
        let count = await onLoop { loop, pair in
            var count = 0
            var event: SocketEvent?
            await withUnsafeContinuation { continuation in
                event = SocketEvent(loop: loop, descriptor: pair.near, kind: .read) {
                    event?.remove()
                    count += pair.receive()
                    if count < 4 { event?.add() } else { continuation.resume() }
                }
                event?.add()
                pair.send(6)
            }
            for _ in 0..<10 { await loop.callback {} }
            event = nil
            return count
        }
        #expect(count == 4)
    }

    @Test func actionCanReleaseItsEvent() async {
        await onLoop { loop, pair in
            var event: SocketEvent?
            await withUnsafeContinuation { continuation in
                event = SocketEvent(loop: loop, descriptor: pair.near, kind: .read) {
                    event = nil
                    continuation.resume()
                }
                event?.add()
                pair.send()
            }
            for _ in 0..<10 { await loop.callback {} }
        }
    }

    @Test func actionCanRemoveAnotherDueEvent() async {
        let fired = await onLoop { loop, pair in
            let second = SocketPair()
            defer { second.close() }
            var fired = 0
            var events: [SocketEvent] = []
            pair.send()
            second.send()
            await withUnsafeContinuation { continuation in
                events = [pair.near, second.near].map { descriptor in
                    SocketEvent(loop: loop, descriptor: descriptor, kind: .read) {
                        fired += 1
                        for event in events { event.remove() }
                        if fired == 1 { continuation.resume() }
                    }
                }
                for event in events { event.add() }
            }
            for _ in 0..<10 { await loop.callback {} }
            events = []
            return fired
        }
        #expect(fired == 1)
    }

    @Test func bothDirectionsOfADescriptorAreWatchedApart() async {
        let seen = await onLoop { loop, pair in
            var seen: [String] = []
            var read: SocketEvent?
            var write: SocketEvent?
            await withUnsafeContinuation { continuation in
                read = SocketEvent(loop: loop, descriptor: pair.near, kind: .read) {
                    seen.append("read")
                    read?.remove()
                    continuation.resume()
                }
                write = SocketEvent(loop: loop, descriptor: pair.near, kind: .write) {
                    seen.append("write")
                    write?.remove()
                    pair.send()
                }
                read?.add()
                write?.add()
            }
            (read, write) = (nil, nil)
            return seen
        }
        #expect(seen == ["write", "read"])
    }

    @Test func endOfTheOtherSideIsReadable() async {
        let received = await onLoop { loop, pair in
            var event: SocketEvent?
            let received = await withUnsafeContinuation { continuation in
                event = SocketEvent(loop: loop, descriptor: pair.near, kind: .read) {
                    event?.remove()
                    continuation.resume(returning: pair.receive())
                }
                event?.add()
                shutdown(pair.far, Int32(SHUT_WR))
            }
            event = nil
            return received
        }
        #expect(received == 0)
    }
}
