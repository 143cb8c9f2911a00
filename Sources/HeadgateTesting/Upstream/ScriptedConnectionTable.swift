internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgateNetwork
internal import Synchronization

/// Keeps the connections of a scripted upstream alive, each on its loop.
final class ScriptedConnectionTable: Sendable {
    /// A number that loops change and tests read.
    final class Count: Sendable {
        private let number = Atomic<Int>(0)
        var value: Int { number.load(ordering: .relaxed) }
        func increment() -> Int { number.add(1, ordering: .relaxed).oldValue }
        func decrement() { number.subtract(1, ordering: .relaxed) }
    }

    private final class Row {
        var connections: [Int: ScriptedConnection] = [:]
        var isClosed = false
    }

    let player: ScriptPlayer
    let accepted = Count()
    let open = Count()
    /// The TLS handshakes that resumed an earlier session.
    let resumed = Count()
    private let tls: TLSContext?
    private let rows: [LoopBound<Row>]

    init(group: EventLoopGroup, player: ScriptPlayer, tls: TLSContext?) {
        self.player = player
        self.tls = tls
        rows = group.loops.map { LoopBound(Row(), on: $0) }
    }

    /// Takes ownership of a connected socket. It can be called on any loop.
    func serve(_ descriptor: Int32, on loop: EventLoop) {
        let index = accepted.increment()
        loop.load.increment()
        guard loop.isCurrent else {
            return loop.execute { self.begin(descriptor, index: index, on: loop) }
        }
        begin(descriptor, index: index, on: loop)
    }

    private func begin(_ descriptor: Int32, index: Int, on loop: EventLoop) {
        let row = rows[loop.index].value
        let session = tls.flatMap { try? TLSSession(context: $0, descriptor: descriptor, role: .server) }
        guard !row.isClosed, (session == nil) == (tls == nil) else {
            loop.load.decrement()
            HeadgateLibC.close(descriptor)
            return
        }
        _ = open.increment()
        let connection = ScriptedConnection(
            descriptor: descriptor, tls: session, index: index, loop: loop, table: self)
        row.connections[index] = connection
        connection.open()
    }

    /// Removes a closed connection. Must be called on its loop.
    func remove(_ connection: ScriptedConnection) {
        let row = rows[connection.loop.index].value
        guard row.connections.removeValue(forKey: connection.index) != nil else { return }
        connection.loop.load.decrement()
        open.decrement()
    }

    /// Closes the open connections, and those that have not reached their loops yet.
    func closeAll() {
        for row in rows {
            row.loop.execute {
                row.value.isClosed = true
                for connection in Array(row.value.connections.values) { connection.close() }
            }
        }
    }
}
