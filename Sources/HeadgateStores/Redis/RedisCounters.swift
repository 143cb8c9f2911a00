import HeadgateEventLoop
import HeadgateGateway
import HeadgateNetwork
import HeadgateRelay

/// Counters of one loop. Loop-confined.
///
/// Leases belong to an incarnation of this gateway, a new name for each connection. The server counts the requests in
/// flight of living incarnations. An incarnation lives as long as it sends heartbeats, so nothing leaks if a gateway
/// vanishes, or a reply is lost.
final class RedisCounters {
    /// Leases taken on one connection and not settled yet.
    final class Incarnation {
        let id = RedisCounters.newName()
        var leases = 0
        /// Settlements that could not be sent to the server.
        var missed: [[CounterSettlement]] = []
    }

    private let loop: EventLoop
    private let changed: (_ failure: String?) -> Void
    private var connection: RedisConnection?
    private var incarnation = Incarnation()
    /// Incarnations of lost connections that still have requests.
    private var former: [Incarnation] = []
    private var digests: [RedisScript: String] = [:]
    private var memory: UInt64 = 0
    /// Bytes of streams on their way to the server.
    var octetsUnderWay = 0
    private var heartbeat: LoopTimer?

    private static let beat = Duration.seconds(3)
    private static let mostFormer = 16

    /// - Parameter changed: called on the loop with nil if the server can be used, and otherwise with the reason.
    init(
        _ access: RedisAccess, resolver: NameResolver, on loop: EventLoop, patience: RedisPatience,
        changed: @escaping (_ failure: String?) -> Void
    ) {
        self.loop = loop
        self.changed = changed
        connection = RedisConnection(
            access, resolver: resolver, on: loop, patience: patience, greeting: { [unowned self] in greeting() },
            changed: { [unowned self] change in
                switch change {
                case .up(let replies): begin(replies)
                case .down(let reason): end(reason)
                }
            })
    }

    func start() { connection?.start() }

    func stop() {
        heartbeat = nil
        connection?.stop()
        connection = nil
    }

    var epoch: UInt64? { connection?.isUp == true ? memory : nil }

    /// Returns a random name of 16 hexadecimal digits.
    private static func newName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    // MARK: Living

    private func greeting() -> [RedisCommand] {
        former.removeAll { $0.leases == 0 && $0.missed.isEmpty }
        incarnation = Incarnation()
        var command = RedisCommand("EVAL", RedisScript.greeting, "2", RedisScript.gateways, RedisScript.epoch)
        command.append(RedisCounters.newName())
        command.append(incarnation.id)
        for one in former { command.append(one.id) }
        return RedisScript.allCases.map { RedisCommand("SCRIPT", "LOAD", $0.text) } + [command]
    }

    private func begin(_ replies: [RedisReply]) {
        let scripts = RedisScript.allCases
        let texts = replies.compactMap(\.text)
        guard replies.count == scripts.count + 1, texts.count == replies.count, let name = texts.last else {
            connection?.fail("it does not reply to scripts as Redis does")
            return
        }
        for (script, digest) in zip(scripts, texts) { digests[script] = digest }
        // Never 0, which means that there is no epoch.
        memory = UInt64(truncatingIfNeeded: name.hashValue) | 1
        let heartbeat = heartbeat ?? LoopTimer(loop: loop) { [unowned self] in stay() }
        self.heartbeat = heartbeat
        heartbeat.schedule(after: RedisCounters.beat)
        tellMissed()
        changed(nil)
    }

    private func end(_ reason: String) {
        heartbeat?.cancel()
        // Failed attempts to connect get here too, when the incarnation might already be in the list.
        if incarnation.leases > 0, former.last !== incarnation { former.append(incarnation) }
        former.removeAll { $0.leases == 0 && $0.missed.isEmpty }
        if former.count > RedisCounters.mostFormer { former.removeFirst(former.count - RedisCounters.mostFormer) }
        changed(reason)
    }

    private func stay() {
        former.removeAll { $0.leases == 0 && $0.missed.isEmpty }
        run(.stay, keys: [RedisScript.gateways, RedisScript.epoch], [incarnation.id] + former.map(\.id)) { _ in }
        tellMissed()
        heartbeat?.schedule(after: RedisCounters.beat)
    }

    /// Sends the missed settlements. None of them was sent before, so none counts twice.
    private func tellMissed() {
        for one in former + [incarnation] {
            let missed = one.missed
            one.missed = []
            for ends in missed { end(ends, of: one) { _ in } }
        }
    }

    // MARK: Counting

    func take(_ claims: [CounterClaim], completion: @escaping (CounterAnswer?) -> Void) {
        let incarnation = incarnation
        run(.take, keys: keys(claims.map(\.subject)), [incarnation.id] + claims.flatMap(\.arguments)) {
            [unowned self] reply in
            guard let reply, let (isAdmitted, levels) = RedisCounters.levels(reply, of: claims) else {
                if reply != nil { connection?.fail("it answers what was not asked") }
                return completion(nil)
            }
            guard isAdmitted else { return completion(CounterAnswer(levels: levels, lease: nil)) }
            incarnation.leases += 1
            let lease = RedisLease(counters: LoopBound(self, on: loop), incarnation: LoopBound(incarnation, on: loop))
            completion(CounterAnswer(levels: levels, lease: lease))
        }
    }

    func land(_ subjects: [String], of incarnation: Incarnation) {
        end(subjects.map { CounterSettlement(subject: $0, isCounted: true) }, of: incarnation) { _ in }
    }

    func settle(
        _ settlements: [CounterSettlement], of incarnation: Incarnation, completion: @escaping @Sendable (Bool) -> Void
    ) {
        incarnation.leases -= 1
        end(settlements, of: incarnation, completion)
    }

    private func end(
        _ ends: [CounterSettlement], of incarnation: Incarnation, _ completion: @escaping (Bool) -> Void
    ) {
        guard epoch != nil else {
            incarnation.missed.append(ends.map(\.withoutUse))
            return completion(false)
        }
        run(.settle, keys: keys(ends.map(\.subject)), [incarnation.id] + ends.flatMap(\.arguments)) {
            completion($0 != nil)
        }
    }

    private func keys(_ subjects: [String]) -> [String] {
        [RedisScript.gateways] + subjects.map(RedisScript.key)
    }

    /// - Parameter completion: called with nil if the server did not run the script.
    private func run(
        _ script: RedisScript, keys: [String], _ arguments: [String], completion: @escaping (RedisReply?) -> Void
    ) {
        run(script, keys: keys, arguments.map { Array($0.utf8) }, isVital: true, completion: completion)
    }

    /// - Parameters:
    ///   - isVital: whether the server cannot be used at all if it refuses the script.
    ///   - completion: called with nil if the server did not run the script.
    func run(
        _ script: RedisScript, keys: [String], _ arguments: [[UInt8]], isVital: Bool,
        completion: @escaping (RedisReply?) -> Void
    ) {
        ask(script, keys: keys, arguments) { [weak connection] reply in
            guard case .error(let text)? = reply else { return completion(reply) }
            completion(nil)
            if isVital { connection?.fail(String(text.prefix(200))) }
        }
    }

    /// - Parameter completion: called with the server's reply, including errors; nil if there is none.
    func ask(
        _ script: RedisScript, keys: [String], _ arguments: [[UInt8]], isKnown: Bool = true,
        completion: @escaping (RedisReply?) -> Void
    ) {
        guard let connection, let digest = digests[script] else { return completion(nil) }
        var command = isKnown ? RedisCommand("EVALSHA", digest) : RedisCommand("EVAL", script.text)
        command.append(keys.count)
        for key in keys { command.append(key) }
        for argument in arguments { command.append(argument) }
        connection.call(command) { [weak self] reply in
            // The server's script cache was flushed.
            guard isKnown, reply?.errorCode == "NOSCRIPT", let self else { return completion(reply) }
            ask(script, keys: keys, arguments, isKnown: false, completion: completion)
        }
    }
}

/// Lease of a request, under one incarnation.
struct RedisLease: CounterLease {
    let counters: LoopBound<RedisCounters>
    let incarnation: LoopBound<RedisCounters.Incarnation>

    func land(_ subjects: [String]) {
        guard counters.loop.isCurrent else {
            return counters.loop.execute { counters.value.land(subjects, of: incarnation.value) }
        }
        counters.value.land(subjects, of: incarnation.value)
    }

    func settle(_ settlements: [CounterSettlement], completion: @escaping @Sendable (Bool) -> Void) {
        guard counters.loop.isCurrent else {
            return counters.loop.execute {
                counters.value.settle(settlements, of: incarnation.value, completion: completion)
            }
        }
        counters.value.settle(settlements, of: incarnation.value, completion: completion)
    }
}
