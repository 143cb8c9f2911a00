internal import HeadgateConfiguration
internal import HeadgateGateway
internal import HeadgateRelay

/// Opens one kind of store, and keeps it open over reloads that do not name another place.
///
/// Belongs to the main thread.
protocol StoreComposer: AnyObject {
    associatedtype Plan

    /// Opens the store of a configuration, or takes the one that is open.
    ///
    /// - Returns: nil if the configuration has none.
    /// - Throws: ``Complaint``, or ``ThreadShortage``. What is in use is as it was.
    func plan(_ configuration: Configuration) throws -> Plan?

    /// Hands the store to a gateway.
    func provide(_ plan: Plan, for configuration: Configuration, to parts: inout GatewayParts)

    /// Makes the planned store the one in use. The one before ends with the last request that uses it.
    func adopt(_ plan: Plan?)

    /// Leaves to another process what only one can write. Requests in flight continue.
    func handOver()

    /// Ends what needs the event loops.
    func stop()

    /// Writes what is waiting, once the loops do nothing more.
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
