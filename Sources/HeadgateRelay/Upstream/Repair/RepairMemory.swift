internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// Known refusals of one upstream, for each of its models. Survives reloads that do not change the upstream. Uses
/// atomics because every loop reads and writes.
package final class RepairMemory: Sendable {
    /// Maximum number of entries, one for each model and operation. Repairs of further models apply to all models. The
    /// limit is needed because clients choose the model names if a route matches a pattern.
    static let capacity = 64

    /// List entry for one model and operation. The list only grows.
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
    /// Repairs that are never made, even if the upstream refuses the request without them.
    private let kept: Repairs
    private let first = AtomicLazyReference<Entry>()
    private let entries = Atomic<Int>(0)
    private let ofAll = Atomic<UInt16>(0)
    private let hasAny: Atomic<Bool>
    private let counts = Repair.allCases.map { _ in Count() }

    init(_ configuration: UpstreamConfiguration) {
        isOn = configuration.repairs
        never = configuration.usageInStreams == .never ? Repairs(.streamOptions) : []
        kept = configuration.usageInStreams == .ask ? Repairs(.streamOptions) : []
        hasAny = Atomic(!never.isEmpty)
    }

    /// Whether any request can need a change. Most upstreams refuse nothing.
    var isInUse: Bool { hasAny.load(ordering: .relaxed) }

    /// Whether refused requests are repaired.
    var mends: Bool { isOn }

    /// Repairs that are never made, even if the upstream refuses the request without them.
    var excluded: Repairs { kept }

    /// Returns the repairs to make before a request is sent.
    ///
    /// - Parameters:
    ///   - operation: operation requested from the upstream.
    ///   - model: the upstream's name for the model.
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

    /// Stores repairs that the upstream needs for an operation and a model.
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

    /// Counts a repair after which the request was sent again, or for which the gateway responded itself.
    func count(_ repair: Repair) { counts[repair.index].number.add(1, ordering: .relaxed) }

    /// Repairs made at least once, with their counts.
    package var counted: [(repair: Repair, number: Int)] {
        Repair.allCases.map { ($0, counts[$0.index].number.load(ordering: .relaxed)) }.filter { $0.number > 0 }
    }
}
