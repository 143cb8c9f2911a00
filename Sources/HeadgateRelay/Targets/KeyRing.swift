internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// The identity of an upstream's key: a digest instead of the key itself.
struct KeyName: Hashable, Sendable {
    private let upstream: ExactText
    private let digest: KeyDigest

    init(upstream: String, key: Secret) {
        self.upstream = ExactText(upstream)
        digest = KeyDigest(of: key.reveal().utf8)
    }
}

/// A counter of the choices among an upstream's keys.
final class KeyTurn: Sendable {
    private let count = Atomic<UInt64>(0)

    fileprivate func next() -> UInt64 { count.add(1, ordering: .relaxed).oldValue }
}

/// The keys of one upstream, used in turn.
package struct KeyRing: Sendable {
    enum Choice: Equatable {
        /// The key with this index.
        case key(Int)
        /// All untried keys rest; `until` is the earliest end of their rests. The index is that of the key with the
        /// weakest reason and, among equal reasons, the earliest end.
        case resting(Int, Rest.Reason, until: UInt64)
        /// All keys have been tried.
        case exhausted
    }

    private let keys: [KeyRest]
    private let turn: KeyTurn

    /// - Parameter keys: the rests of all keys, in the order of the configuration.
    init(_ keys: [KeyRest], turn: KeyTurn) {
        self.keys = keys
        self.turn = turn
    }

    package var count: Int { keys.count }

    /// Returns how many keys rest now for at least one model.
    package func resting(at now: UInt64) -> Int { keys.count { $0.rests(at: now) } }

    /// The rests of the key at an index.
    package subscript(index: Int) -> KeyRest { keys[index] }

    /// Returns whether a key may be used for a model of the upstream; true if the upstream needs no key.
    package func hasOneToUse(for model: String, at now: UInt64) -> Bool {
        keys.isEmpty || keys.contains { $0.rest(of: model, at: now) == nil }
    }

    /// Chooses the key whose turn it is, or the next one that may be used.
    ///
    /// - Parameters:
    ///   - model: the upstream's name for the model.
    ///   - tried: returns whether this request has tried the key at an index.
    func choose(for model: String, at now: UInt64, tried: (Int) -> Bool = { _ in false }) -> Choice {
        guard !keys.isEmpty else { return .exhausted }
        // A single key always has its turn.
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
