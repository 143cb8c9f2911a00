package import HeadgateHTTP
internal import HeadgatePrimitives
package import HeadgateRelay
internal import Synchronization

/// State of the process that outlives a reload.
///
/// Every loop reads and writes it. Locks are held for a constant time, however much is stored.
package final class GatewayState: Sendable {
    /// Memory of all request bodies.
    package let bodyMemory = BodyMemory()
    let wrongKeys = WrongKeys()
    /// Creators of stored responses.
    let responseMakers = Locked(ResponseMakers())
    /// Responses that continue without their clients.
    let disconnects = Locked(Disconnects())
    package let targets = TargetStates()
    private let own = Locked<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// Returns the state of a capability, which the first call creates. The lookup is too slow for the path of a
    /// request.
    func shared<State: CapabilityState>(_: State.Type) -> Locked<State> {
        own.withLock { own in
            if let known = own[ObjectIdentifier(State.self)] as? Locked<State> { return known }
            let new = Locked(State())
            own[ObjectIdentifier(State.self)] = new
            return new
        }
    }
}

/// State that a capability retains while the process runs, whatever its configuration.
protocol CapabilityState: Sendable { init() }

/// Whether the gateway accepts new requests; false from the start of a shutdown.
package final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    package init() {}

    package var isDraining: Bool { draining.load(ordering: .relaxed) }
    package func beginDraining() { draining.store(true, ordering: .relaxed) }
}
