internal import Synchronization

/// Holds a scripted response until a test opens it. From any thread.
package final class Gate: Sendable {
    private let state = Atomic<Bool>(false)

    package init() {}

    package func open() { state.store(true, ordering: .releasing) }

    var isOpen: Bool { state.load(ordering: .acquiring) }
}
