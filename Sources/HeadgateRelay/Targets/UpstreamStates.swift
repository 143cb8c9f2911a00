internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// The state of upstreams, their models and their keys. Entries are looked up by name, so that they survive reloads.
/// The lookup happens once for each snapshot, not for each request.
struct UpstreamStates: Sendable {
    private var health: [TargetName: TargetHealth] = [:]
    private var reach: [ExactText: UpstreamReach] = [:]
    private var rests: [KeyName: KeyRest] = [:]
    private var turns: [ExactText: KeyTurn] = [:]
    private var queues: [ExactText: UpstreamQueue] = [:]
    private var times: [ExactText: FirstContentTimes] = [:]

    mutating func health(of target: TargetName) -> TargetHealth {
        UpstreamStates.entry(&health, target, TargetHealth())
    }

    /// Returns the targets whose breakers are open.
    func openBreakers(at now: UInt64) -> [BreakerHint] {
        health.compactMap { name, health in
            guard case .open(let until) = health.state(at: now) else { return nil }
            return BreakerHint(upstream: name.upstream, model: name.model, remaining: until - now)
        }
    }

    /// Returns the targets whose breakers are not closed.
    func failing(at now: UInt64) -> [TargetName] {
        health.compactMap { name, health in health.state(at: now) == .closed ? nil : name }
    }

    /// Replaces the hints of other gateways.
    ///
    /// - Parameter hints: all hints of other gateways. Unknown targets are ignored.
    func note(_ hints: [BreakerHint], at now: UInt64) {
        var ends: [TargetName: UInt64] = [:]
        for hint in hints {
            ends[TargetName(upstream: hint.upstream, model: hint.model), default: 0].raise(to: now &+ hint.remaining)
        }
        for (name, health) in health { health.noteHint(until: ends[name]) }
    }

    mutating func reach(of upstream: String) -> UpstreamReach {
        UpstreamStates.entry(&reach, ExactText(upstream), UpstreamReach())
    }

    mutating func queue(of upstream: String) -> UpstreamQueue {
        UpstreamStates.entry(&queues, ExactText(upstream), UpstreamQueue())
    }

    var allQueues: [UpstreamQueue] { Array(queues.values) }

    mutating func keys(_ keys: [Secret], of upstream: String) -> KeyRing {
        // An upstream without keys has a single rest, which applies to the gateway's own address.
        let keys = keys.isEmpty ? [Secret("")] : keys
        return KeyRing(
            keys.map { UpstreamStates.entry(&rests, KeyName(upstream: upstream, key: $0), KeyRest()) },
            turn: UpstreamStates.entry(&turns, ExactText(upstream), KeyTurn()))
    }

    /// - Parameter model: the public name of the model.
    mutating func firstContentTimes(of model: String) -> FirstContentTimes {
        UpstreamStates.entry(&times, ExactText(model), FirstContentTimes())
    }

    private static func entry<Name, Entry>(
        _ entries: inout [Name: Entry], _ name: Name, _ new: @autoclosure () -> Entry
    ) -> Entry {
        if let known = entries[name] { return known }
        let entry = new()
        entries[name] = entry
        return entry
    }
}

extension UInt64 {
    fileprivate mutating func raise(to other: UInt64) { self = Swift.max(self, other) }
}
