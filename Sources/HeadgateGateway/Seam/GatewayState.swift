package import HeadgateHTTP
internal import HeadgatePrimitives

/// State of the process that outlives a reload.
///
/// Every loop reads and writes it. Locks are held for a constant time, however much is kept.
package final class GatewayState: Sendable {
    /// The memory of all request bodies.
    package let bodyMemory = BodyMemory()
    let wrongKeys = WrongKeys()
    /// The creators of stored responses.
    let responseMakers = Locked(ResponseMakers())
    /// Responses that continue without their clients.
    let disconnects = Locked(Disconnects())
    package let targets = TargetStates()
    private let own = Locked<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// The state of a capability, which exists from the first call on. Not for the path of a request: it is looked up.
    func shared<State: CapabilityState>(_: State.Type) -> Locked<State> {
        own.withLock { own in
            if let known = own[ObjectIdentifier(State.self)] as? Locked<State> { return known }
            let new = Locked(State())
            own[ObjectIdentifier(State.self)] = new
            return new
        }
    }
}

/// What a capability keeps for as long as the process runs, whatever its configuration.
protocol CapabilityState: Sendable { init() }
