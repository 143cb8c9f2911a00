import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateServer

@Suite struct ConnectionRegistryTests {
    private func ends(_ remote: String) -> ConnectionEnds {
        ConnectionEnds(localAddress: "192.0.2.9", localPort: 1, remoteAddress: remote)
    }

    private func withRegistry(_ body: (ConnectionRegistry, EventLoop) -> Void) {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        body(ConnectionRegistry(group: group), group.loops[0])
    }

    @Test func oneAddressHasItsShareOfConnectionsAndNoMore() {
        var limits = ServerLimits()
        limits.connectionsPerAddress = 2
        withRegistry { registry, loop in
            let admitted = (0..<3).map { _ in registry.admit(ends("192.0.2.1"), limits: limits) }
            #expect(admitted == [true, true, false])
            #expect(registry.admit(ends("192.0.2.2"), limits: limits), "another address has its own")
            registry.forget(ends("192.0.2.1"), on: loop)
            #expect(registry.admit(ends("192.0.2.1"), limits: limits), "one has gone")
            #expect(registry.openConnections == 3)
        }
    }

    @Test func limitsOfAServerWithoutSettings() {
        let limits = ServerLimits()
        #expect(limits.connections == 10_000 && limits.connectionsPerAddress == 256)
        #expect(limits.pipelinedBytes == 64 * 1024)
    }

    @Test(arguments: ["127.0.0.1", "::1", ""])
    func thisMachineIsNotCountedByAddress(remote: String) {
        var limits = ServerLimits()
        limits.connectionsPerAddress = 1
        withRegistry { registry, _ in
            for _ in 0..<3 { #expect(registry.admit(ends(remote), limits: limits)) }
        }
    }

    @Test func connectionBeyondTheCapCostsItsAddressNothing() {
        var limits = ServerLimits()
        limits.connections = 1
        limits.connectionsPerAddress = 2
        withRegistry { registry, loop in
            #expect(registry.admit(ends("192.0.2.1"), limits: limits))
            for _ in 0..<5 { #expect(!registry.admit(ends("192.0.2.2"), limits: limits)) }
            #expect(registry.openConnections == 1)
            registry.forget(ends("192.0.2.1"), on: loop)
            #expect(registry.admit(ends("192.0.2.2"), limits: limits))
        }
    }

    @Test func addressThatHasGoneIsForgottenWhollyAndNotBelowNothing() {
        var limits = ServerLimits()
        limits.connectionsPerAddress = 1
        withRegistry { registry, loop in
            for _ in 0..<3 {
                #expect(registry.admit(ends("192.0.2.1"), limits: limits))
                #expect(!registry.admit(ends("192.0.2.1"), limits: limits))
                registry.forget(ends("192.0.2.1"), on: loop)
                #expect(registry.openConnections == 0)
            }
        }
    }

    /// The drain ends once, when the last connection has ended.
    @Test func drainEndsWithTheLastConnection() {
        withRegistry { registry, loop in
            let ends = Locked(0)
            for _ in 0..<2 { #expect(registry.admit(self.ends("192.0.2.1"), limits: ServerLimits())) }
            registry.drain { ends.withLock { $0 += 1 } }
            registry.forget(self.ends("192.0.2.1"), on: loop)
            #expect(ends.withLock { $0 } == 0)
            registry.forget(self.ends("192.0.2.1"), on: loop)
            #expect(ends.withLock { $0 } == 1)
            registry.drain { ends.withLock { $0 += 1 } }
            #expect(ends.withLock { $0 } == 2, "without connections at once")
        }
    }
}
