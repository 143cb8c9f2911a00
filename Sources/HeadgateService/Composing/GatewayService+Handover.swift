import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateNetwork
import HeadgateServer

/// Replacement of the process while it serves.
extension GatewayService {
    /// Whether the gateway runs programs that another process cannot run beside it.
    var runsPrograms: Bool { composer.upstreams.runsPrograms }

    /// Returns the sockets and locks with which another process can serve instead of this one, and their descriptors.
    func offer() throws -> (HandoverMessage.Offer, [Int32]) {
        let (sockets, locks) = (try server.sockets, composer.locks.all)
        return (
            HandoverMessage.Offer(
                sockets: sockets.map { .init(address: $0.address.description, isManagers: $0.isManagers) },
                locks: locks.map(\.path)),
            sockets.map(\.descriptor) + locks.map(\.descriptor)
        )
    }

    /// Stops accepting connections, and leaves to another process everything that only one process can write. Requests
    /// in flight continue.
    func pause() throws {
        try server.accept(false)
        composer.handOver()
    }

    /// Accepts connections and uses the stores again, since the other process does not serve.
    ///
    /// - Throws: ``Complaint`` if a store cannot be opened; connections are accepted anyway.
    func resume() throws {
        composer.ledger.resume()
        try server.accept(true)
        try apply(configuration, authentication: ClientAuthentication(configuration, environment: environment))
    }

    /// Leaves the sockets to another process, and finishes requests in flight, also those that continue without their
    /// clients. Must be called after ``pause()``.
    ///
    /// - Parameter done: called once, on any thread, when no connection and no response is left.
    func handOver(_ done: @escaping @Sendable () -> Void) {
        let (state, timer, drain) = (composer.state, drainTimer, configuration.limits.drain)
        server.handOver { state.whenNoneIsDisconnected(done) }
        timer.loop.execute {
            timer.value.action = { state.endDisconnected() }
            timer.value.schedule(after: drain)
        }
        stopWatching()
    }

    /// Writes this process into the locks that it has taken over.
    func claimLocks() { composer.locks.claim() }

    /// Writes the journal of a gateway that has ended, and counts its requests for the budgets.
    ///
    /// - Parameter atOnce: whether it has ended already; otherwise its journal is expected.
    func readJournals(atOnce: Bool) {
        let learn = budgets.learn
        // Gateways with shared counters have counted these requests when they ended.
        let isShared = configuration.counters != .memory
        composer.ledger.readJournals(atOnce: atOnce) { if !isShared { learn($0) } }
    }
}
