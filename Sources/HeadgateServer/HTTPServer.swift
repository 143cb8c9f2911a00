package import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgateLibC
internal import HeadgateNetwork

/// Listeners and their connections. They can be started, changed while running, and ended in order.
package final class HTTPServer: Sendable {
    let group: EventLoopGroup
    let registry: ConnectionRegistry
    let logError: @Sendable (String) -> Void
    private let table: LoopBound<Table>
    private let responders: [LoopBound<ResponderSlot>]
    private let drainTimer: LoopBound<DrainTimer>

    /// State of the group's first loop, which owns the listeners.
    private final class Table {
        var listeners: [Listener] = []
        /// Listeners of a change in progress, between its two halves.
        var chosen: [Listener] = []
        var limits: ConnectionLimits

        init(limits: ConnectionLimits) { self.limits = limits }
    }

    /// - Parameter logError: called at most once a second with the reason why a listener cannot accept.
    package init(
        group: EventLoopGroup, limits: ServerLimits, responder: any RequestResponder,
        logError: @escaping @Sendable (String) -> Void
    ) {
        self.group = group
        self.logError = logError
        registry = ConnectionRegistry(group: group)
        table = LoopBound(Table(limits: ConnectionLimits(limits)), on: group.loops[0])
        responders = group.loops.map { LoopBound(ResponderSlot(responder), on: $0) }
        drainTimer = LoopBound(DrainTimer(), on: group.loops[0])
    }

    package var openConnections: Int { registry.openConnections }

    // MARK: Listeners

    /// Listens on exactly these addresses from now on. Unchanged addresses keep their socket and apply the new settings
    /// to new connections. Open connections continue, even without their listener. Must not be called on a loop.
    ///
    /// - Parameter change: the responder and limits of new requests; nil keeps both. New addresses accept connections
    ///   only once the change is in force. Requests in flight keep their responder.
    /// - Returns: the bound addresses, in the same order.
    /// - Throws: ``ListenError`` if one cannot be bound; then nothing has changed.
    @discardableResult
    package func listen(
        on settings: [ListenerSettings],
        changingTo change: (responder: any RequestResponder, limits: ServerLimits)? = nil
    ) throws -> [ListenerSettings.Address] {
        let table = table
        try table.loop.performAndWait { [self] in try openListeners(settings) }
        if let change {
            for slot in responders {
                try slot.loop.performAndWait { slot.value.responder = change.responder }
            }
            try table.loop.performAndWait { table.value.limits = ConnectionLimits(change.limits) }
        }
        return try table.loop.performAndWait { [self] in takeListeners(settings) }
    }

    /// Binds new addresses without accepting connections.
    private func openListeners(_ settings: [ListenerSettings]) throws(ListenError) {
        let table = table.value
        var chosen: [Listener] = []
        for each in settings {
            let same = table.listeners.first { listener in
                listener.settings.address == each.address && !chosen.contains { $0 === listener }
            }
            if let same {
                chosen.append(same)
                continue
            }
            do throws(ListenError) {
                chosen.append(try Listener(each, server: self))
            } catch {
                for listener in chosen where !table.listeners.contains(where: { $0 === listener }) { listener.close() }
                throw error
            }
        }
        table.chosen = chosen
    }

    /// Makes the opened listeners the only ones.
    private func takeListeners(_ settings: [ListenerSettings]) -> [ListenerSettings.Address] {
        let table = table.value
        // Clients that were admitted by a rule that has changed have to connect again.
        let admissionChanged = table.listeners.contains { listener in
            // Closing a listener does not affect its connections.
            guard let index = table.chosen.firstIndex(where: { $0 === listener }) else { return false }
            return listener.settings.authentication != settings[index].authentication
        }
        for (listener, settings) in zip(table.chosen, settings) { listener.start(settings) }
        for listener in table.listeners where !table.chosen.contains(where: { $0 === listener }) { listener.close() }
        if admissionChanged { registry.drainAdmittedWithoutKey() }
        table.listeners = table.chosen
        table.chosen = []
        return table.listeners.map(\.address)
    }

    // MARK: Handing over to another process

    /// Sockets of the listeners. Each descriptor belongs to its listener.
    package var sockets: [ListeningSocket] {
        get throws {
            let table = table
            return try table.loop.performAndWait {
                table.value.listeners.compactMap { listener in
                    listener.descriptor.map {
                        ListeningSocket(
                            descriptor: $0, address: listener.settings.address,
                            isManagers: listener.settings.isManagers)
                    }
                }
            }
        }
    }

    /// Stops or resumes accepting connections. Meanwhile they wait in their sockets.
    package func accept(_ isOn: Bool) throws {
        let table = table
        try table.loop.performAndWait {
            for listener in table.value.listeners { isOn ? listener.resume() : listener.pause() }
        }
    }

    /// Leaves the sockets to the other process that has them, and ends as ``shutDown(_:)`` does. Each idle connection
    /// can send one more request, so that none in transit is lost.
    package func handOver(_ done: @escaping @Sendable () -> Void) {
        end(closing: { $0.relinquish() }, keepingIdle: true, done)
    }

    // MARK: State that can change while serving

    /// Limits of new connections. Called on the first loop.
    var limits: ConnectionLimits { table.value.limits }

    /// Responder for refused connections. Called on the first loop.
    var responder: any RequestResponder { responders[0].value.responder }

    /// Serves an admitted connection. Called on the connection's loop.
    func serve(
        _ descriptor: Int32, _ ends: ConnectionEnds, tls: TLSContext?, on loop: EventLoop, limits: ConnectionLimits
    ) {
        var session: TLSSession?
        if let tls {
            session = try? TLSSession(context: tls, descriptor: descriptor, role: .server)
            // Without memory for TLS the connection is refused, never served without TLS.
            guard session != nil else {
                close(descriptor)
                return registry.forget(ends, on: loop)
            }
        }
        let connection = HTTPConnection(
            descriptor: descriptor, tls: session, loop: loop, limits: limits, responder: responders[loop.index].value,
            ends: ends, registry: registry)
        registry.keep(connection)
        connection.open()
    }

    // MARK: Ending

    /// Stops accepting at once, waits for responses in flight up to the drain timeout, then ends them. Can be called
    /// from any thread; `done` is called once, on any thread, when no connection is left.
    package func shutDown(_ done: @escaping @Sendable () -> Void) {
        end(closing: { $0.close() }, keepingIdle: false, done)
    }

    private func end(
        closing close: @escaping @Sendable (Listener) -> Void, keepingIdle: Bool, _ done: @escaping @Sendable () -> Void
    ) {
        let (table, drainTimer, registry) = (table, drainTimer, registry)
        table.loop.execute {
            for listener in table.value.listeners { close(listener) }
            drainTimer.value.start(after: table.value.limits.drainTimeout, on: table.loop) {
                registry.cancelResponses()
            }
            registry.drain(keepingIdle: keepingIdle) {
                table.loop.execute {
                    // Another thread may release this server, and timers belong to the loop.
                    drainTimer.value.stop()
                    done()
                }
            }
        }
    }

    /// Ends every response in flight now, as at the end of the drain timeout. Called after ``shutDown(_:)``, from any
    /// thread.
    package func cancelResponses() {
        group.loops[0].execute { [drainTimer] in drainTimer.value.fire() }
    }
}

/// Responder for the connections of one loop. It is looked up for each request, so that it can be replaced between two
/// requests.
final class ResponderSlot {
    var responder: any RequestResponder {
        // Another configuration can have other keys.
        didSet { heads.clear() }
    }
    let heads = HeadMemo()

    init(_ responder: any RequestResponder) { self.responder = responder }
}

/// Timer for the end of a drain. It ends the responses in flight, and repeatedly those that remain, such as one whose
/// client does not read its end.
private final class DrainTimer {
    private var timer: LoopTimer?
    private var handler: (() -> Void)?

    func start(after timeout: UInt64, on loop: EventLoop, handler: @escaping () -> Void) {
        self.handler = handler
        timer = LoopTimer(loop: loop) { [unowned self] in fire() }
        timer?.schedule(afterNanoseconds: timeout)
    }

    func stop() { (timer, handler) = (nil, nil) }

    func fire() {
        handler?()
        timer?.schedule(after: .milliseconds(500))
    }
}

/// A socket that a server listens on.
package struct ListeningSocket: Sendable {
    package let descriptor: Int32
    /// Address as configured, with port 0 if the system chose the port.
    package let address: ListenerSettings.Address
    /// Whether a service manager has opened it.
    package let isManagers: Bool
}
