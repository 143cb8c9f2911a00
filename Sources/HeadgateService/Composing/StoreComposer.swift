internal import HeadgateConfiguration
internal import HeadgateGateway
internal import HeadgateRelay

/// Opens one kind of store, and keeps it open over reloads that do not name another place.
///
/// Belongs to the main thread.
protocol StoreComposer: AnyObject {
    associatedtype Plan

    /// Opens the store of a configuration, or returns the open one.
    ///
    /// - Returns: nil if the configuration has none.
    /// - Throws: ``Complaint``, or ``ThreadShortage``. The store in use does not change.
    func plan(_ configuration: Configuration) throws -> Plan?

    /// Hands the store to a gateway.
    func provide(_ plan: Plan, for configuration: Configuration, to parts: inout GatewayParts)

    /// Makes the planned store current. The previous one ends with the last request that uses it.
    func adopt(_ plan: Plan?)

    /// Leaves to another process everything that only one process can write. Requests in flight continue.
    func handOver()

    /// Ends everything that needs the event loops.
    func stop()

    /// Finishes pending writes. Called once the loops are idle.
    func close()
}

extension StoreComposer {
    func handOver() {}

    func stop() {}

    func compose(_ configuration: Configuration, into parts: inout GatewayParts) throws -> () -> Void {
        let plan = try plan(configuration)
        if let plan { provide(plan, for: configuration, to: &parts) }
        return { [self] in adopt(plan) }
    }
}
