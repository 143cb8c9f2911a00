internal import CHeadgate
package import HeadgateEventLoop
internal import HeadgateHTTP
internal import Synchronization

/// Every open downstream connection, by loop. Keeps them alive, counts them against the cap, and ends them at a shutdown.
package final class ConnectionRegistry: Sendable {
    private final class Table {
        var connections: [ObjectIdentifier: HTTPConnection] = [:]
    }

    private let count = Atomic<Int>(0)
    private let tables: [LoopBound<Table>]
    private let whenEmpty = Locked<(@Sendable () -> Void)?>(nil)

    package init(group: EventLoopGroup) {
        tables = group.loops.map { LoopBound(Table(), on: $0) }
    }

    package var openConnections: Int { count.load(ordering: .relaxed) }

    /// Counts one more connection, unless that would pass the limit.
    func admit(limit: Int) -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= limit { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }

    /// Serves an admitted connection on the loop, from its thread.
    func serve(_ descriptor: Int32, on loop: EventLoop, limits: ServerLimits, responder: any RequestResponder) {
        let connection = HTTPConnection(
            descriptor: descriptor, loop: loop, limits: limits, responder: responder,
            ends: ConnectionRegistry.ends(of: descriptor), registry: self)
        tables[loop.index].value.connections[ObjectIdentifier(connection)] = connection
        connection.open()
    }

    func remove(_ connection: HTTPConnection) {
        let table = tables[connection.loop.index].value
        guard table.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        connection.loop.load.decrement()
        if count.subtract(1, ordering: .relaxed).newValue == 0 { announceEmpty() }
    }

    /// Closes connections at rest, lets the others finish their reply, and calls back (once, on some thread) when none is left.
    func drain(_ done: @escaping @Sendable () -> Void) {
        whenEmpty.withLock { $0 = done }
        forEachConnection { $0.drain() }
        if openConnections == 0 { announceEmpty() }
    }

    /// Ends every reply that is still in flight, streams with a last event in their dialect.
    func expire() {
        forEachConnection { $0.expire() }
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

    private static func ends(of descriptor: Int32) -> ConnectionEnds {
        var text = [CChar](repeating: 0, count: 64)
        var localPort: UInt16 = 0
        var remotePort: UInt16 = 0
        headgate_socket_address(descriptor, false, &text, text.count, &localPort)
        let local = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        headgate_socket_address(descriptor, true, &text, text.count, &remotePort)
        let remote = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        return ConnectionEnds(localAddress: local, localPort: localPort, remoteAddress: remote)
    }
}
