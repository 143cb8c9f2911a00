package import HeadgateUpstream

/// Who is told about the programs that the gateway runs for its upstreams. Called on the program's loop, or by the
/// thread that makes a plan.
package struct ProgramObserver: Sendable {
    let onDevice: @Sendable (OnDeviceState) -> Void
    let local: @Sendable (_ event: LocalServerEvent, _ upstream: String) -> Void

    package init(
        onDevice: @escaping @Sendable (OnDeviceState) -> Void,
        local: @escaping @Sendable (_ event: LocalServerEvent, _ upstream: String) -> Void
    ) {
        self.onDevice = onDevice
        self.local = local
    }

    /// Nobody.
    package static let none = ProgramObserver(onDevice: { _ in }, local: { _, _ in })
}
