package import HeadgateEventLoop
package import HeadgateHTTP

/// A listener with its connections: starts on one address, and ends in order.
package final class HTTPServer: Sendable {
    package let port: UInt16
    private let group: EventLoopGroup
    private let limits: ServerLimits
    private let registry: ConnectionRegistry
    private let listener: LoopBound<Listener>
    private let drainTimer: LoopBound<DrainTimer>

    /// Binds and begins to serve. On the group's first loop.
    ///
    /// - Parameters:
    ///   - ip: a literal address.
    ///   - logError: told, at most once a second, what keeps the listener from accepting.
    /// - Throws: ``ListenError``.
    package init(
        group: EventLoopGroup, ip: String, port: UInt16, limits: ServerLimits, responder: any RequestResponder,
        logError: @escaping @Sendable (String) -> Void
    ) throws {
        self.group = group
        self.limits = limits
        registry = ConnectionRegistry(group: group)
        let listener = try Listener(
            group: group, ip: ip, port: port, limits: limits, connections: registry, responder: responder,
            logError: logError)
        self.port = listener.port
        self.listener = LoopBound(listener, on: group.loops[0])
        drainTimer = LoopBound(DrainTimer(), on: group.loops[0])
    }

    package var openConnections: Int { registry.openConnections }

    /// Stops accepting at once, waits for replies in flight up to the drain timeout, then ends them. From any thread; `done` is
    /// called once, on some thread, when no connection is left.
    package func shutDown(_ done: @escaping @Sendable () -> Void) {
        let (group, listener, drainTimer, registry, timeout) = (
            group, listener, drainTimer, registry, limits.drainTimeout
        )
        group.loops[0].execute {
            listener.value.close()
            drainTimer.value.timer = LoopTimer(loop: group.loops[0]) { registry.expire() }
            drainTimer.value.timer?.schedule(after: timeout)
            registry.drain(done)
        }
    }

    /// Ends every reply in flight now, as at the end of the drain timeout.
    package func expire() { registry.expire() }

    private final class DrainTimer {
        var timer: LoopTimer?
    }
}
