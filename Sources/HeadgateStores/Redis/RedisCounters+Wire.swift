import HeadgateGateway
import HeadgateRelay

/// Coding of counters as arguments and replies of scripts.
extension RedisCounters {
    /// Range in which Lua numbers are exact.
    private static let exact = 0...(1 << 53)

    /// Reads the reply to claims; nil if it does not match them.
    static func levels(
        _ reply: RedisReply, of claims: [CounterClaim]
    ) -> (isAdmitted: Bool, levels: [CounterAnswer.Level])? {
        guard let parts = reply.list, parts.count == 2, let verdict = parts[0].integer, let numbers = parts[1].list
        else { return nil }
        var rest = numbers[...]
        var levels: [CounterAnswer.Level] = []
        for claim in claims {
            var ahead: [Int] = []
            for _ in claim.rates {
                guard let number = rest.popFirst()?.integer, exact.contains(number) else { return nil }
                ahead.append(number)
            }
            guard let inFlight = rest.popFirst()?.integer else { return nil }
            var budget: CounterAnswer.Budget?
            if claim.budget != nil {
                guard let spent = rest.popFirst()?.integer, let reserved = rest.popFirst()?.integer,
                    let start = rest.popFirst()?.integer
                else { return nil }
                budget = CounterAnswer.Budget(spent: spent, reserved: reserved, start: Int64(start))
            }
            levels.append(CounterAnswer.Level(ahead: ahead, inFlight: inFlight, budget: budget))
        }
        return rest.isEmpty ? (verdict == 1, levels) : nil
    }

    /// Returns the milliseconds for which a subject is stored: a day covers all rates and requests in flight.
    ///
    /// - Parameter budget: the window of its budget, in seconds since 1970; its whole length is used, which exceeds the
    ///   remaining time.
    fileprivate static func lifetime(_ budget: (start: Int64, end: Int64)?) -> String {
        String(max(86_400, budget.map { $0.end - $0.start } ?? 0) * 1000 + 3_600_000)
    }
}

extension CounterClaim {
    var arguments: [String] {
        var arguments = [RedisCounters.lifetime(budget.map { ($0.start, $0.end) }), String(rates.count)]
        for rate in rates {
            arguments += [String(rate.slot), String(rate.cost), String(rate.room), String(rate.seed)]
        }
        arguments += [isCounted ? "1" : "0", String(inFlight ?? -1)]
        guard let budget else { return arguments + [""] }
        arguments += [
            budget.name, String(budget.start), String(budget.amount), String(budget.reserve), String(budget.seed),
            String(budget.unshared),
        ]
        return arguments
    }
}

extension CounterSettlement {
    var arguments: [String] {
        var arguments = [RedisCounters.lifetime(budget.map { ($0.start, $0.end) }), String(rates.count)]
        for rate in rates { arguments += [String(rate.slot), String(rate.change)] }
        arguments.append(isCounted ? "1" : "0")
        guard let budget else { return arguments + [""] }
        return arguments + [budget.name, String(budget.start), String(budget.used), String(budget.reserve)]
    }
}
