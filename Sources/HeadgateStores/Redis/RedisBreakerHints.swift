package import HeadgateRelay

/// Hints about the health of upstreams that gateways share, on the connections of the counters.
package struct RedisBreakerHints: BreakerHintStore {
    private let store: RedisCounterStore
    /// Name of this gateway: 16 hexadecimal digits.
    private let name: String

    package init(_ store: RedisCounterStore) {
        self.store = store
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        name = String(repeating: "0", count: 16 - digits.count) + digits
    }

    package func exchange(_ own: [BreakerHint], completion: @escaping ([BreakerHint]?) -> Void) {
        var arguments = [Array(name.utf8)]
        for hint in own {
            arguments += [RedisBreakerHints.member(of: hint), Array(String(hint.remaining / 1_000_000).utf8)]
        }
        store.own.run(.exchangeHints, keys: [RedisScript.breakers], arguments, isVital: false) {
            completion($0.flatMap(RedisBreakerHints.hints))
        }
    }

    /// Returns the name of a target: the upstream, a NUL, which no name contains, and the model.
    private static func member(of hint: BreakerHint) -> [UInt8] {
        Array(hint.upstream.utf8) + [0] + Array(hint.model.utf8)
    }

    /// Reads the script's reply; nil if it is malformed.
    static func hints(_ reply: RedisReply) -> [BreakerHint]? {
        guard let parts = reply.list, parts.count.isMultiple(of: 2) else { return nil }
        var hints: [BreakerHint] = []
        for index in stride(from: 0, to: parts.count, by: 2) {
            guard case .bytes(let member) = parts[index], let milliseconds = parts[index + 1].integer,
                let nul = member.firstIndex(of: 0)
            else { return nil }
            // At most an hour, whatever the server returns.
            let remaining = UInt64(min(max(0, milliseconds), 3_600_000)) * 1_000_000
            hints.append(
                BreakerHint(
                    upstream: String(decoding: member[..<nul], as: UTF8.self),
                    model: String(decoding: member[(nul + 1)...], as: UTF8.self), remaining: remaining))
        }
        return hints
    }
}
