package import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// What one upstream is known to refuse, for each of its models. Survives reloads that do not change the upstream.
/// Atomics: every loop reads and writes.
package final class RepairMemory: Sendable {
    /// Models, each with one operation, that are told apart. What is refused for more is taken to be refused for all:
    /// behind a pattern the caller names them.
    package static let capacity = 64

    /// A model with an operation. The list only grows.
    private final class Entry: Sendable {
        let name: UInt64
        let repairs: Atomic<UInt16>
        let next = AtomicLazyReference<Entry>()

        init(_ name: UInt64, _ repairs: Repairs) {
            self.name = name
            self.repairs = Atomic(repairs.rawValue)
        }
    }

    private final class Count: Sendable {
        let number = Atomic<Int>(0)
    }

    private let isOn: Bool
    private let never: Repairs
    /// Whatever is said, this is not mended.
    private let kept: Repairs
    private let first = AtomicLazyReference<Entry>()
    private let entries = Atomic<Int>(0)
    private let ofAll = Atomic<UInt16>(0)
    private let hasAny: Atomic<Bool>
    private let counts = Repair.allCases.map { _ in Count() }

    package init(_ configuration: UpstreamConfiguration) {
        isOn = configuration.repairs
        never = configuration.usageInStreams == .never ? Repairs(.streamOptions) : []
        kept = configuration.usageInStreams == .ask ? Repairs(.streamOptions) : []
        hasAny = Atomic(!never.isEmpty)
    }

    /// Whether a request may need a change; most upstreams refuse nothing.
    var isInUse: Bool { hasAny.load(ordering: .relaxed) }

    /// Whether refusals are mended.
    var mends: Bool { isOn }

    /// What is not mended, whatever is refused.
    var excluded: Repairs { kept }

    /// What a request is sent without.
    ///
    /// - Parameters:
    ///   - operation: what the upstream is asked for.
    ///   - model: the upstream's name for it.
    func repairs(of operation: RelayOperation, _ model: String) -> Repairs {
        guard isInUse else { return [] }
        var repairs = Repairs(rawValue: ofAll.load(ordering: .relaxed))
        if operation.shape.asksUsage { repairs.formUnion(never) }
        let name = RepairMemory.name(operation, model)
        var entry = first.load()
        while let each = entry {
            if each.name == name { repairs.formUnion(Repairs(rawValue: each.repairs.load(ordering: .relaxed))) }
            entry = each.next.load()
        }
        return repairs
    }

    /// The upstream has taken a request after these.
    func remember(_ repairs: Repairs, of operation: RelayOperation, _ model: String) {
        defer { hasAny.store(true, ordering: .relaxed) }
        let name = RepairMemory.name(operation, model)
        if let known = entry(of: name) {
            known.repairs.bitwiseOr(repairs.rawValue, ordering: .relaxed)
            return
        }
        guard entries.add(1, ordering: .relaxed).newValue <= RepairMemory.capacity else {
            entries.subtract(1, ordering: .relaxed)
            ofAll.bitwiseOr(repairs.rawValue, ordering: .relaxed)
            return
        }
        let new = Entry(name, repairs)
        var stored = first.storeIfNil(new)
        while stored !== new { stored = stored.next.storeIfNil(new) }
    }

    private func entry(of name: UInt64) -> Entry? {
        var entry = first.load()
        while let each = entry, each.name != name { entry = each.next.load() }
        return entry
    }

    private static func name(_ operation: RelayOperation, _ model: String) -> UInt64 {
        var hash = StableHash()
        hash.combine(operation.id)
        hash.combine(model)
        return hash.value
    }

    // MARK: Counts

    /// A request is sent again, or answered, after a refusal.
    package func count(_ repair: Repair) { counts[repair.index].number.add(1, ordering: .relaxed) }

    /// Those that have happened.
    package var counted: [(repair: Repair, number: Int)] {
        Repair.allCases.map { ($0, counts[$0.index].number.load(ordering: .relaxed)) }.filter { $0.number > 0 }
    }
}
