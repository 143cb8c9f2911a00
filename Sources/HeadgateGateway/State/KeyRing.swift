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

/// Until when a key is not used: an upstream has refused it, or its requests are used up. Instants are monotonic
/// nanoseconds.
final class KeyRest: Sendable {
    /// Where the upstream does not say how long.
    static let standard = Duration.seconds(30)

    private let end = Atomic<UInt64>(0)

    /// A rest that is longer already stands.
    func rest(until instant: UInt64) { end.max(instant, ordering: .relaxed) }

    /// The end of its rest; nil for a key that may be used.
    func restsUntil(at now: UInt64) -> UInt64? {
        let end = end.load(ordering: .relaxed)
        return now < end ? end : nil
    }
}

/// Counts the choices among an upstream's keys.
final class KeyTurn: Sendable {
    private let count = Atomic<UInt64>(0)

    fileprivate func next() -> UInt64 { count.add(1, ordering: .relaxed).oldValue }
}

/// The keys of one upstream, taken in turn.
struct KeyRing: Sendable {
    enum Choice: Equatable {
        /// The key with this index.
        case key(Int)
        /// Each one that is left rests; the first until then.
        case resting(until: UInt64)
        /// Each one has been tried.
        case exhausted
    }

    private let keys: [KeyRest]
    private let turn: KeyTurn

    /// - Parameter keys: in the order of the configuration.
    init(_ keys: [KeyRest], turn: KeyTurn) {
        self.keys = keys
        self.turn = turn
    }

    var count: Int { keys.count }

    /// How many may not be used now.
    func resting(at now: UInt64) -> Int { keys.count { $0.restsUntil(at: now) != nil } }

    /// The rest of the key with that index.
    subscript(index: Int) -> KeyRest { keys[index] }

    /// Whether a key may be used; true where none is needed.
    func hasOneToUse(at now: UInt64) -> Bool { keys.isEmpty || keys.contains { $0.restsUntil(at: now) == nil } }

    /// The key whose turn it is, or the first after it that may be used.
    ///
    /// - Parameter tried: whether this request has tried the key with that index.
    func choose(at now: UInt64, tried: (Int) -> Bool = { _ in false }) -> Choice {
        guard !keys.isEmpty else { return .exhausted }
        // One that is alone has every turn.
        let start = keys.count == 1 ? 0 : Int(turn.next() % UInt64(keys.count))
        var earliest: UInt64?
        for offset in keys.indices {
            let index = (start + offset) % keys.count
            if tried(index) { continue }
            guard let end = keys[index].restsUntil(at: now) else { return .key(index) }
            earliest = min(earliest ?? end, end)
        }
        return earliest.map { .resting(until: $0) } ?? .exhausted
    }
}
