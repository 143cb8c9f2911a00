internal import Synchronization

/// A count that is told now and then.
final class Tally: Sendable {
    private let all = Atomic<Int>(0)
    private let told = Atomic<Int>(0)

    /// Since the start.
    var count: Int { all.load(ordering: .relaxed) }

    func add(_ count: Int) { all.wrappingAdd(count, ordering: .relaxed) }

    /// How many there are since this was asked last; nil for none.
    func untold() -> Int? {
        let count = count
        let before = told.exchange(count, ordering: .relaxed)
        return count > before ? count - before : nil
    }
}
