import HeadgateEventLoop
import HeadgateLibC
import Testing

@Suite(.timeLimit(.minutes(10))) struct AcceptEventTests {
    /// Returns a socket on a free port of 127.0.0.1, and its address.
    private static func boundSocket(listening: Bool = true) -> (descriptor: Int32, address: sockaddr_in) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(descriptor, address, length) == 0)
                precondition(getsockname(descriptor, address, &length) == 0)
            }
        }
        if listening { precondition(listen(descriptor, 16) == 0) }
        return (descriptor, address)
    }

    private static func client(of address: sockaddr_in) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = address
        _ = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) async -> Value) async -> Value {
        await withLoops { loops in
            let loop = loops[0]
            return await Task(executorPreference: loop) { await body(loop) }.value
        }
    }

    @Test func connectionsAreAcceptedNonBlockingAndCloseOnExec() async {
        let (flags, count) = await onLoop { loop in
            let (descriptor, address) = AcceptEventTests.boundSocket()
            var accepted: [Int32] = []
            var event: AcceptEvent?
            var clients: [Int32] = []
            await withUnsafeContinuation { continuation in
                event = AcceptEvent(loop: loop, descriptor: descriptor) { connection in
                    accepted.append(connection)
                    if accepted.count == 3 { continuation.resume() }
                } failed: { _ in
                }
                clients = (0..<3).map { _ in AcceptEventTests.client(of: address) }
            }
            let flags = accepted.map {
                (fcntl($0, F_GETFL) & O_NONBLOCK != 0) && (fcntl($0, F_GETFD) & FD_CLOEXEC != 0)
            }
            event?.close()
            for descriptor in accepted + clients { close(descriptor) }
            return (flags, accepted.count)
        }
        #expect(flags == [true, true, true])
        #expect(count == 3)
    }

    @Test func disabledListenerLeavesConnectionsInTheQueue() async {
        let counts = await onLoop { loop in
            let (descriptor, address) = AcceptEventTests.boundSocket()
            var accepted: [Int32] = []
            let event = AcceptEvent(loop: loop, descriptor: descriptor) {
                accepted.append($0)
            } failed: { _ in
            }
            event.disable()
            let client = AcceptEventTests.client(of: address)
            for _ in 0..<10 { await loop.callback {} }
            var counts = [accepted.count]
            event.enable()
            while accepted.isEmpty { await loop.callback {} }
            counts.append(accepted.count)
            event.close()
            for descriptor in accepted + [client] { close(descriptor) }
            return counts
        }
        #expect(counts == [0, 1])
    }

    @Test func actionCanDisableItsListener() async {
        let counts = await onLoop { loop in
            let (descriptor, address) = AcceptEventTests.boundSocket()
            var accepted: [Int32] = []
            var event: AcceptEvent?
            event = AcceptEvent(loop: loop, descriptor: descriptor) { connection in
                accepted.append(connection)
                event?.disable()
            } failed: { _ in
            }
            event?.disable()
            let clients = (0..<3).map { _ in AcceptEventTests.client(of: address) }
            event?.enable()
            var counts: [Int] = []
            for wanted in 1...3 {
                while accepted.count < wanted { await loop.callback {} }
                for _ in 0..<5 { await loop.callback {} }
                counts.append(accepted.count)
                event?.enable()
            }
            event = nil
            for descriptor in accepted + clients { close(descriptor) }
            return counts
        }
        #expect(counts == [1, 2, 3])
    }

    /// The connection belongs to the action that received it, even if the action ends the listener.
    @Test(arguments: [false, true])
    func connectionOutlivesAListenerThatIsClosedOnIt(_ releases: Bool) async {
        let isOpen = await onLoop { loop in
            let (descriptor, address) = AcceptEventTests.boundSocket()
            var event: AcceptEvent?
            var client: Int32 = -1
            let connection = await withUnsafeContinuation { continuation in
                event = AcceptEvent(loop: loop, descriptor: descriptor) { connection in
                    if releases { event = nil } else { event?.close() }
                    continuation.resume(returning: connection)
                } failed: { _ in
                }
                client = AcceptEventTests.client(of: address)
            }
            for _ in 0..<5 { await loop.callback {} }
            // An open descriptor alone proves nothing, because another thread can have reused its number.
            send(client, "x", 1, 0)
            var octet: UInt8 = 0
            let isOpen = recv(connection, &octet, 1, 0) == 1
            event = nil
            close(connection)
            close(client)
            return isOpen
        }
        #expect(isOpen)
    }

    /// A socket without `listen` is readable at once, and every accept on it fails.
    @Test func failureIsReportedOnceAndDisablesTheListener() async {
        let errors = await onLoop { loop in
            var errors: [Int32] = []
            var event: AcceptEvent?
            await withUnsafeContinuation { continuation in
                event = AcceptEvent(loop: loop, descriptor: AcceptEventTests.boundSocket(listening: false).descriptor) {
                    _ in
                } failed: { error in
                    errors.append(error)
                    if errors.count == 1 { continuation.resume() }
                }
            }
            for _ in 0..<10 { await loop.callback {} }
            event?.close()
            return errors
        }
        #expect(errors == [EINVAL])
    }
}
