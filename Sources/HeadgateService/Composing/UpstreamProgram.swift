package import HeadgateUpstream

/// A program that the gateway runs for an upstream.
enum UpstreamProgram {
    case onDevice(OnDeviceModel)
    case local(LocalServer)
    case key(KeyCommand)

    /// Identity of the running program, which several values can share.
    var identity: ObjectIdentifier {
        switch self {
        case .onDevice(let model): ObjectIdentifier(model)
        case .local(let server): ObjectIdentifier(server)
        case .key(let command): ObjectIdentifier(command)
        }
    }

    /// Whether a request can be in flight. The on-device model does not count its requests.
    var isInUse: Bool {
        switch self {
        case .onDevice: true
        case .local(let server): server.requestsInFlight > 0
        // Other requests in flight already have their keys.
        case .key(let command): command.isAwaited
        }
    }

    var servesModels: Bool { if case .key = self { false } else { true } }

    func start() {
        switch self {
        case .onDevice(let model): model.start()
        case .local(let server): server.launch()
        case .key(let command): command.launch()
        }
    }

    /// Ends the program, even if nothing else refers to it. It has time to exit, and is reaped.
    ///
    /// - Parameter done: called on the program's loop when it is gone.
    func stop(_ done: @escaping @Sendable () -> Void) {
        switch self {
        case .onDevice(let model): model.stop { withExtendedLifetime(model) { done() } }
        case .local(let server): server.stop { withExtendedLifetime(server) { done() } }
        case .key(let command): command.stop { withExtendedLifetime(command) { done() } }
        }
    }

    /// Removes what was prepared for a program that no plan starts.
    func release() {
        switch self {
        case .onDevice(let model): model.release()
        case .key(let command): command.stop {}
        case .local: break
        }
    }
}

/// Observer of the programs that the gateway runs for its upstreams. Called on the program's loop, or on the thread
/// that makes a plan.
package struct ProgramObserver: Sendable {
    let onDevice: @Sendable (OnDeviceState) -> Void
    let local: @Sendable (_ event: LocalServerEvent, _ upstream: String) -> Void
    let key: @Sendable (_ event: KeyCommandEvent, _ upstream: String) -> Void

    package init(
        onDevice: @escaping @Sendable (OnDeviceState) -> Void,
        local: @escaping @Sendable (_ event: LocalServerEvent, _ upstream: String) -> Void,
        key: @escaping @Sendable (_ event: KeyCommandEvent, _ upstream: String) -> Void
    ) {
        self.onDevice = onDevice
        self.local = local
        self.key = key
    }

    /// An observer that does nothing.
    package static let none = ProgramObserver(onDevice: { _ in }, local: { _, _ in }, key: { _, _ in })
}
