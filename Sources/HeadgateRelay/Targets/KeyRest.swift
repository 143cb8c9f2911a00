internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// The scope of an upstream's refusal of a key.
enum KeyRefusal: Sendable {
    /// The key is invalid (401) and rests for every model.
    case ofKey
    /// The key may not use the model, or has used up its quota for it (403, 429). It rests for that model only, so that
    /// one request cannot block the other models.
    case ofModel
}

/// The rest of a key for one model: a period in which the key is not used.
package struct Rest: Equatable, Sendable {
    /// The reason of a rest, from weakest to strongest.
    package enum Reason: Int, Comparable, Sendable {
        /// The upstream refused the key without stating for how long. A request may try the key as a last resort.
        case refused
        /// The upstream stated when to retry.
        case asked
        /// The key is invalid.
        case wrong

        package static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
    }

    package let until: UInt64
    package let reason: Reason

    package init(until: UInt64, reason: Reason) {
        self.until = until
        self.reason = reason
    }

    /// Combines two rests into one with the later end and the stronger reason.
    fileprivate func joined(_ other: Rest?) -> Rest {
        guard let other else { return self }
        return Rest(until: max(until, other.until), reason: max(reason, other.reason))
    }
}

/// The rests of one key. Instants are monotonic nanoseconds.
///
/// A key that rests for two models rests for all models, because the key itself is then the likely cause. Two instants
/// are therefore enough for any number of models. The state is atomic; if event loops write concurrently, one of two
/// rests can be lost, at the cost of one more refused request.
package final class KeyRest: Sendable {
    /// Length of a rest if the upstream does not state one.
    static let standard = Duration.seconds(30)

    private let wrongEnd = Atomic<UInt64>(0)
    /// Rest for all models, as the bits of a ``RestWord``.
    private let limited = Atomic<UInt64>(0)
    /// Rest of the model that rests longest, as the bits of a ``RestWord``; ``model`` is the hash of its name.
    private let ofModel = Atomic<UInt64>(0)
    private let model = Atomic<UInt64>(0)

    /// Makes an invalid key rest for all models. A longer rest remains in force.
    func refuse(until instant: UInt64) { wrongEnd.max(instant, ordering: .relaxed) }

    /// Makes the key rest for a model that it was refused for.
    ///
    /// - Parameters:
    ///   - name: the upstream's name for the model.
    ///   - isAsked: whether the upstream stated the length of the rest.
    func limit(_ name: String, until instant: UInt64, isAsked: Bool, at now: UInt64) {
        let hash = StableHash.of(name)
        let (new, old) = (RestWord(until: instant, isAsked: isAsked), RestWord(ofModel.load(ordering: .relaxed)))
        let isOther = now < old.until && model.load(ordering: .relaxed) != hash
        if isOther { limited.max(min(new.bits, old.bits), ordering: .relaxed) }
        // A longer rest remains in force.
        guard new.bits > old.bits || now >= old.until else { return }
        ofModel.store(new.bits, ordering: .relaxed)
        model.store(hash, ordering: .relaxed)
    }

    /// Ends the rests of unstated length after a last-resort request for the model got a response.
    func recover(_ name: String) {
        if !RestWord(limited.load(ordering: .relaxed)).isAsked { limited.store(0, ordering: .relaxed) }
        guard model.load(ordering: .relaxed) == StableHash.of(name) else { return }
        if !RestWord(ofModel.load(ordering: .relaxed)).isAsked { ofModel.store(0, ordering: .relaxed) }
    }

    /// Returns the rest of the key for a model; nil if the key may be used for it.
    ///
    /// - Parameter name: the upstream's name for the model.
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

    /// Returns whether the key rests for any model.
    func rests(at now: UInt64) -> Bool {
        now < wrongEnd.load(ordering: .relaxed) || now < RestWord(limited.load(ordering: .relaxed)).until
            || now < RestWord(ofModel.load(ordering: .relaxed)).until
    }
}

/// The end of a rest, packed into one word so that it changes atomically. Zero means no rest.
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
