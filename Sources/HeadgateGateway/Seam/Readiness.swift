internal import HeadgateRelay
internal import Synchronization

/// Whether the gateway accepts new requests; false from the start of a shutdown.
package final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    package init() {}

    package var isDraining: Bool { draining.load(ordering: .relaxed) }
    package func beginDraining() { draining.store(true, ordering: .relaxed) }
}
