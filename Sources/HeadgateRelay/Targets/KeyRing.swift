internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// A key of an upstream, without the key itself.
struct KeyName: Hashable, Sendable {
    private let upstream: ExactText
    private let digest: KeyDigest

    init(upstream: String, key: Secret) {
        self.upstream = ExactText(upstream)
        digest = KeyDigest(of: key.reveal().utf8)
    }
}

/// Counts the choices among an upstream's keys.
package final class KeyTurn: Sendable {
    private let count = Atomic<UInt64>(0)

    fileprivate func next() -> UInt64 { count.add(1, ordering: .relaxed).oldValue }
}

/// The keys of one upstream, taken in turn.
package struct KeyRing: Sendable {
    enum Choice: Equatable {
        /// The key with this index.
        case key(Int)
        /// Each one that is left rests; the first until then. This one has the weakest reason to, and of those with
        /// the same the earliest end.
        case resting(Int, Rest.Reason, until: UInt64)
        /// Each one has been tried.
        case exhausted
    }

    private let keys: [KeyRest]
    private let turn: KeyTurn

    /// - Parameter keys: in the order of the configuration.
    package init(_ keys: [KeyRest], turn: KeyTurn) {
        self.keys = keys
        self.turn = turn
    }

    package var count: Int { keys.count }

    /// How many may not be used now, for one model at least.
    package func resting(at now: UInt64) -> Int { keys.count { $0.rests(at: now) } }

    /// The rest of the key with that index.
    package subscript(index: Int) -> KeyRest { keys[index] }

    /// Whether a key may be used for a model of the upstream; true where none is needed.
    package func hasOneToUse(for model: String, at now: UInt64) -> Bool {
        keys.isEmpty || keys.contains { $0.rest(of: model, at: now) == nil }
    }

    /// The key whose turn it is, or the first after it that may be used.
    ///
    /// - Parameters:
    ///   - model: the upstream's name for it.
    ///   - tried: whether this request has tried the key with that index.
    func choose(for model: String, at now: UInt64, tried: (Int) -> Bool = { _ in false }) -> Choice {
        guard !keys.isEmpty else { return .exhausted }
        // One that is alone has every turn.
        let start = keys.count == 1 ? 0 : Int(turn.next() % UInt64(keys.count))
        var earliest = UInt64.max
        var best: (index: Int, rest: Rest)?
        for offset in keys.indices {
            let index = (start + offset) % keys.count
            if tried(index) { continue }
            guard let rest = keys[index].rest(of: model, at: now) else { return .key(index) }
            earliest = min(earliest, rest.until)
            let known = best.map { ($0.rest.reason, $0.rest.until) } ?? (.wrong, .max)
            if (rest.reason, rest.until) < known { best = (index, rest) }
        }
        return best.map { .resting($0.index, $0.rest.reason, until: earliest) } ?? .exhausted
    }
}
