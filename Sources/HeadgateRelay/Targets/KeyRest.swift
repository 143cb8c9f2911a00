internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// What an upstream's refusal of a key makes rest.
enum KeyRefusal: Sendable {
    /// The key is wrong (401): it rests for every model.
    case ofKey
    /// The key may not have the model, or has used up its share of it (403, 429): it rests for that model alone, so
    /// that one request cannot take the other ones away.
    case ofModel
}

/// How a key rests for one model.
package struct Rest: Equatable, Sendable {
    /// Later ones keep a request away for better reasons.
    package enum Reason: Int, Comparable, Sendable {
        /// Refused, for how long nobody knows: a request may try it where nothing else is left.
        case refused
        /// The upstream has said when to come back.
        case asked
        /// The key is wrong.
        case wrong

        package static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
    }

    package let until: UInt64
    package let reason: Reason

    package init(until: UInt64, reason: Reason) {
        self.until = until
        self.reason = reason
    }

    /// Both at once.
    fileprivate func joined(_ other: Rest?) -> Rest {
        guard let other else { return self }
        return Rest(until: max(until, other.until), reason: max(reason, other.reason))
    }
}

/// Until when a key is not used. Instants are monotonic nanoseconds.
///
/// While it rests for two models it rests for all: it is the key that is refused then. So two instants are enough,
/// however many models there are. Atomics: loops that write at once may lose one of two rests, which costs a request
/// that is refused once more.
package final class KeyRest: Sendable {
    /// Where the upstream does not say how long.
    static let standard = Duration.seconds(30)

    private let wrongEnd = Atomic<UInt64>(0)
    /// For all models: the bits of a ``RestWord``.
    private let limited = Atomic<UInt64>(0)
    /// Of the model that rests longest, with its hash.
    private let ofModel = Atomic<UInt64>(0)
    private let model = Atomic<UInt64>(0)

    /// The key is wrong. A rest that is longer already stands.
    func refuse(until instant: UInt64) { wrongEnd.max(instant, ordering: .relaxed) }

    /// The key was refused for a model.
    ///
    /// - Parameters:
    ///   - name: the upstream's.
    ///   - isAsked: whether the upstream has said how long.
    package func limit(_ name: String, until instant: UInt64, isAsked: Bool, at now: UInt64) {
        let hash = StableHash.of(name)
        let (new, old) = (RestWord(until: instant, isAsked: isAsked), RestWord(ofModel.load(ordering: .relaxed)))
        let isOther = now < old.until && model.load(ordering: .relaxed) != hash
        if isOther { limited.max(min(new.bits, old.bits), ordering: .relaxed) }
        // A rest that is longer already stands.
        guard new.bits > old.bits || now >= old.until else { return }
        ofModel.store(new.bits, ordering: .relaxed)
        model.store(hash, ordering: .relaxed)
    }

    /// A request that was the last resort has got a response.
    func recover(_ name: String) {
        if !RestWord(limited.load(ordering: .relaxed)).isAsked { limited.store(0, ordering: .relaxed) }
        guard model.load(ordering: .relaxed) == StableHash.of(name) else { return }
        if !RestWord(ofModel.load(ordering: .relaxed)).isAsked { ofModel.store(0, ordering: .relaxed) }
    }

    /// Nil for a key that may be used for a model: the upstream's name for it.
    package func rest(of name: String, at now: UInt64) -> Rest? {
        guard rests(at: now) else { return nil }
        let wrong = wrongEnd.load(ordering: .relaxed)
        var rest = now < wrong ? Rest(until: wrong, reason: .wrong) : nil
        if let limit = RestWord(limited.load(ordering: .relaxed)).rest(at: now) { rest = limit.joined(rest) }
        if let limit = RestWord(ofModel.load(ordering: .relaxed)).rest(at: now),
            model.load(ordering: .relaxed) == StableHash.of(name)
        {
            rest = limit.joined(rest)
        }
        return rest
    }

    /// Whether it rests for any model.
    func rests(at now: UInt64) -> Bool {
        now < wrongEnd.load(ordering: .relaxed) || now < RestWord(limited.load(ordering: .relaxed)).until
            || now < RestWord(ofModel.load(ordering: .relaxed)).until
    }
}

/// The end of a rest, in one word, so that it changes at once. All zero is none.
private struct RestWord {
    let bits: UInt64

    init(_ bits: UInt64) { self.bits = bits }

    init(until instant: UInt64, isAsked: Bool) { bits = instant << 1 | (isAsked ? 1 : 0) }

    var until: UInt64 { bits >> 1 }
    var isAsked: Bool { bits & 1 == 1 }

    func rest(at now: UInt64) -> Rest? {
        now < until ? Rest(until: until, reason: isAsked ? .asked : .refused) : nil
    }
}
