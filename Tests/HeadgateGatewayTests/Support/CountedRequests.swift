import HeadgateEventLoop
import HeadgatePrimitives

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Metrics of a process with one loop, to which every test thread belongs.
final class CountedRequests: MetricRecording {
    private let table = Locked(RequestTable(loops: 1))
    /// Lag of the loop, in nanoseconds.
    static let lag: UInt64 = 1_500_000

    func record(_ change: (inout RequestTable) -> Void) { table.withLock { change(&$0) } }

    func collect(_ completion: @escaping @Sendable ([LoopReading]) -> Void) {
        completion([LoopReading(table: table.withLock(\.self), lag: CountedRequests.lag)])
    }

    func processFamilies() -> [MetricFamily] {
        [MetricFamily("process_threads", .gauge, help: "Threads.", value: .count(3))]
    }
}
