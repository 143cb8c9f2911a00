internal import Synchronization

/// Whether the caller of a store still waits for the result.
package final class StoreInterest: Sendable {
    private let over = Atomic<Bool>(false)

    package init() {}

    package var isOver: Bool { over.load(ordering: .acquiring) }

    package func end() { over.store(true, ordering: .releasing) }
}
