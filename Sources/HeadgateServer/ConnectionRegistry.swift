package import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import Synchronization

/// Registry of all open downstream connections, by loop. It retains them, counts them against the limits, and ends them
/// at a shutdown.
package final class ConnectionRegistry: Sendable {
    private final class Table {
        var connections: [ObjectIdentifier: HTTPConnection] = [:]
    }

    private let count = Atomic<Int>(0)
    private let tables: [LoopBound<Table>]
    private let perAddress = Locked<[String: Int]>([:])
    private let whenEmpty = Locked<(@Sendable () -> Void)?>(nil)

    package init(group: EventLoopGroup) {
        tables = group.loops.map { LoopBound(Table(), on: $0) }
    }

    package var openConnections: Int { count.load(ordering: .relaxed) }

    /// Counts one more connection. Returns false if that would exceed a limit.
    func admit(_ ends: ConnectionEnds, limits: ServerLimits) -> Bool {
        guard admitAddress(ends.remoteAddress, limit: limits.connectionsPerAddress) else { return false }
        if count.add(1, ordering: .relaxed).newValue <= limits.connections { return true }
        count.subtract(1, ordering: .relaxed)
        forgetAddress(ends.remoteAddress)
        return false
    }

    /// Counts a connection by its address. Connections of this machine are not counted, because they share one address.
    private func admitAddress(_ address: String, limit: Int) -> Bool {
        if ConnectionRegistry.isLoopback(address) { return true }
        return perAddress.withLock { counts in
            guard counts[address, default: 0] < limit else { return false }
            counts[address, default: 0] += 1
            return true
        }
    }

    private func forgetAddress(_ address: String) {
        if ConnectionRegistry.isLoopback(address) { return }
        perAddress.withLock { counts in
            let left = counts[address, default: 1] - 1
            counts[address] = left == 0 ? nil : left
        }
    }

    private static func isLoopback(_ address: String) -> Bool {
        address.isEmpty || IPText.isLoopback(address)
    }

    /// Retains an admitted connection until ``remove(_:)``. Called on the connection's loop.
    func keep(_ connection: HTTPConnection) {
        tables[connection.loop.index].value.connections[ObjectIdentifier(connection)] = connection
    }

    func remove(_ connection: HTTPConnection) {
        let table = tables[connection.loop.index].value
        guard table.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        forget(connection.ends, on: connection.loop)
    }

    /// Stops counting an admitted connection.
    func forget(_ ends: ConnectionEnds, on loop: EventLoop) {
        loop.load.decrement()
        forgetAddress(ends.remoteAddress)
        if count.subtract(1, ordering: .relaxed).newValue == 0 { announceEmpty() }
    }

    /// Closes idle connections, lets the others finish their responses, and calls `done` once, on any thread, when no
    /// connection is left.
    ///
    /// - Parameter keepingIdle: whether idle connections can send one more request.
    func drain(keepingIdle: Bool = false, _ done: @escaping @Sendable () -> Void) {
        whenEmpty.withLock { $0 = done }
        forEachConnection { $0.drain(keepingIdle: keepingIdle) }
        if openConnections == 0 { announceEmpty() }
    }

    /// Drains connections that were admitted without a key: each ends after its response.
    func drainAdmittedWithoutKey() {
        forEachConnection { if $0.ends.admission != .byKey { $0.drain() } }
    }

    /// Ends every response that is still in flight; streams get a last event.
    func cancelResponses() {
        forEachConnection { $0.cancelResponse() }
    }

    private func forEachConnection(_ body: @escaping @Sendable (HTTPConnection) -> Void) {
        for table in tables {
            table.loop.execute { for connection in Array(table.value.connections.values) { body(connection) } }
        }
    }

    private func announceEmpty() {
        let done = whenEmpty.withLock { done in
            defer { done = nil }
            return done
        }
        done?()
    }
}
