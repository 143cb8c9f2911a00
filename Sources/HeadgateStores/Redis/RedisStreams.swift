package import HeadgateGateway
internal import HeadgateRelay
internal import Synchronization

/// Streams that continue without their clients, on the connections of the counters.
extension RedisCounterStore: StreamStore {
    /// Maximum bytes of one loop's events on their way to the server. Counting commands wait behind them, within their
    /// usual time limit.
    private static let mostUnderWay = 4 << 20

    package func write(
        _ share: StreamShare, of name: StreamName, completion: @escaping (StreamShare.Result?) -> Void
    ) {
        let counters = own
        let size = share.events.reduce(0) { $0 + $1.count }
        guard counters.octetsUnderWay + size <= RedisCounterStore.mostUnderWay else {
            refuse("more is to be shared than the server takes")
            return completion(nil)
        }
        counters.octetsUnderWay += size
        counters.ask(.writeStream, keys: RedisScript.streamKeys(name.text), share.arguments) { [self] reply in
            counters.octetsUnderWay -= size
            if let code = reply?.errorCode {
                // Only the first word: the rest can repeat what was sent.
                refuse("the server refuses it (\(code))")
            } else if reply != nil {
                streamComplaints.resolve()
            }
            completion(reply.flatMap(RedisStreamWire.result))
        }
    }

    private func refuse(_ reason: String) {
        refusedShares.add(1, ordering: .relaxed)
        streamComplaints.note(reason)
    }

    package var refused: Int { refusedShares.load(ordering: .relaxed) }

    package func read(
        _ question: StreamQuestion, of name: StreamName, completion: @escaping (StreamAnswer?) -> Void
    ) {
        let arguments = [String(question.after), String(question.octets), question.joins ? "1" : "0"]
        run(.readStream, name, arguments.map { Array($0.utf8) }) {
            completion($0.flatMap { RedisStreamWire.answer($0, to: question) })
        }
    }

    package func stop(_ name: StreamName, completion: @escaping (Bool?) -> Void) {
        run(.stopStream, name, []) { completion($0?.integer.map { $0 == 1 }) }
    }

    package func forget(_ name: StreamName, by writer: String) {
        run(.forgetStream, name, [Array(writer.utf8)]) { _ in }
    }

    private func run(
        _ script: RedisScript, _ name: StreamName, _ arguments: [[UInt8]], completion: @escaping (RedisReply?) -> Void
    ) {
        own.run(script, keys: RedisScript.streamKeys(name.text), arguments, isVital: false, completion: completion)
    }
}

extension StreamShare {
    fileprivate var arguments: [[UInt8]] {
        let (seconds, attoseconds) = ttl.components
        let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        let keep = overflows ? .max : max(1, milliseconds + attoseconds / 1_000_000_000_000_000)
        let end = isComplete.map { $0 ? "1" : "0" } ?? ""
        var texts = [writer, String(after), String(dropped), end, String(min(keep, 1 << 50))]
        texts.append(opening == nil ? "0" : "1")
        var arguments = texts.map { Array($0.utf8) }
        if let opening {
            arguments += [opening.fields, Array(String(opening.dialect).utf8)]
            arguments += [Array((opening.model == nil ? "0" : "1").utf8), Array((opening.model ?? "").utf8)]
        }
        return arguments + events
    }
}

/// Reads replies of the scripts; nil for malformed ones.
enum RedisStreamWire {
    /// Range in which Lua numbers are exact.
    private static let exact = 0...(1 << 53)

    static func result(_ reply: RedisReply) -> StreamShare.Result? {
        guard let parts = reply.list, let word = parts.first?.text else { return nil }
        switch word {
        case "unknown": return .unknown
        case "taken": return .taken
        case "ok":
            guard parts.count == 3, let had = parts[1].integer, had <= exact.upperBound,
                let isStopped = parts[2].integer
            else { return nil }
            return .written(StreamReaders(had: had < 0 ? nil : had, isStopped: isStopped == 1))
        default: return nil
        }
    }

    static func answer(_ reply: RedisReply, to question: StreamQuestion) -> StreamAnswer? {
        guard let parts = reply.list else { return nil }
        if parts.isEmpty { return .unknown }
        guard parts.count == 6, let last = parts[0].integer, let dropped = parts[1].integer,
            exact.contains(last), dropped >= 0, dropped <= last, let end = parts[2].text, let lives = parts[3].integer,
            let opening = parts[4].list, let events = parts[5].list
        else { return nil }
        var answer = StreamAnswer()
        (answer.last, answer.dropped, answer.lives) = (last, dropped, lives == 1)
        answer.isComplete = end.isEmpty ? nil : end == "1"
        for event in events {
            guard case .bytes(let bytes) = event else { return nil }
            answer.events.append(bytes)
        }
        guard events.count <= max(0, last - question.after) else { return nil }
        guard question.joins else { return answer }
        guard (2...3).contains(opening.count), case .bytes(let fields) = opening[0], let number = opening[1].integer,
            let dialect = UInt8(exactly: number)
        else { return nil }
        answer.opening = ReplicatedStreamOpening(
            fields: fields, dialect: dialect, model: opening.count == 3 ? opening[2].text : nil)
        return answer
    }
}
