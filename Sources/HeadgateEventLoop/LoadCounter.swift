internal import Synchronization

/// A count that one loop changes and others read.
package final class LoadCounter: Sendable {
    private let count = Atomic<Int>(0)

    init() {}

    package var value: Int { count.load(ordering: .relaxed) }
    package func increment() { count.add(1, ordering: .relaxed) }
    package func decrement() { count.subtract(1, ordering: .relaxed) }
}
