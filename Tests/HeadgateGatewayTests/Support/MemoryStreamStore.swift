import HeadgateEventLoop
import HeadgatePrimitives

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A store for the streams of several gateways in one test. It replies at once.
final class MemoryStreamStore: StreamStore {
    private struct Entry {
        let writer: String
        let opening: ReplicatedStreamOpening
        var events: [[UInt8]] = []
        var dropped: Int
        var isComplete: Bool?
        var isStopped = false
        var had: Int?
        var last: Int { dropped + events.count }
    }

    private struct State {
        var entries: [StreamName: Entry] = [:]
        var isAway = false
        var writersLive = true
        var writes = 0
        var asked = 0
    }

    private let state = Locked(State())

    /// Makes the store unreachable, or reachable again.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    /// Ends the leases of writers; `endReaders` ends those of readers.
    func endWriters() { state.withLock { $0.writersLive = false } }
    func endReaders() { state.withLock { state in for name in state.entries.keys { state.entries[name]?.had = nil } } }
    func forgetAll() { state.withLock { $0.entries = [:] } }
    var writes: Int { state.withLock(\.writes) }
    /// Number of attempted writes, including those while the store is unreachable.
    var asked: Int { state.withLock(\.asked) }
    var count: Int { state.withLock { $0.entries.count } }

    func write(_ share: StreamShare, of name: StreamName, completion: @escaping (StreamShare.Result?) -> Void) {
        completion(
            state.withLock { state in
                state.asked += 1
                guard !state.isAway else { return nil }
                state.writes += 1
                var entry: Entry
                if let known = state.entries[name], known.writer == share.writer {
                    entry = known
                } else {
                    let known = state.entries[name]
                    if let known, known.isComplete == nil, state.writersLive { return .taken }
                    guard let opening = share.opening else { return known == nil ? .unknown : .taken }
                    entry = Entry(writer: share.writer, opening: opening, dropped: share.after)
                }
                if share.after > entry.last { (entry.events, entry.dropped) = ([], share.after) }
                entry.events += share.events.dropFirst(entry.last - share.after)
                let gone = min(share.dropped, entry.last) - entry.dropped
                if gone > 0 {
                    entry.events.removeFirst(gone)
                    entry.dropped += gone
                }
                entry.isComplete = share.isComplete
                state.entries[name] = entry
                return .written(StreamReaders(had: entry.had, isStopped: entry.isStopped))
            })
    }

    func read(_ question: StreamQuestion, of name: StreamName, completion: @escaping (StreamAnswer?) -> Void) {
        completion(
            state.withLock { state in
                guard !state.isAway else { return nil }
                guard var entry = state.entries[name], !(question.joins && entry.isStopped) else { return .unknown }
                var answer = StreamAnswer()
                answer.opening = question.joins ? entry.opening : nil
                (answer.last, answer.dropped) = (entry.last, entry.dropped)
                (answer.isComplete, answer.lives) = (entry.isComplete, state.writersLive)
                if question.after >= entry.dropped, question.after <= entry.last {
                    var size = 0
                    for event in entry.events[(question.after - entry.dropped)...] where size < question.octets {
                        answer.events.append(event)
                        size += event.count
                    }
                }
                if question.after <= entry.last, !entry.isStopped {
                    entry.had = max(entry.had ?? 0, question.after)
                }
                state.entries[name] = entry
                return answer
            })
    }

    func stop(_ name: StreamName, completion: @escaping (Bool?) -> Void) {
        completion(
            state.withLock { state in
                guard !state.isAway else { return nil }
                guard let entry = state.entries[name], !entry.isStopped else { return false }
                state.entries[name]?.isStopped = true
                return true
            })
    }

    func forget(_ name: StreamName, by writer: String) {
        state.withLock { state in
            guard !state.isAway, state.entries[name]?.writer == writer else { return }
            state.entries[name] = nil
        }
    }

    var refused: Int { 0 }
}
