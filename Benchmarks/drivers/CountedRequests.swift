internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateRelay

/// Metrics of one loop, counted as in a gateway.
final class CountedRequests: MetricRecording {
    private final class Box {
        var table = RequestTable(loops: 1)
    }

    private let box: LoopBound<Box>

    init(loop: EventLoop) { box = LoopBound(Box(), on: loop) }

    func record(_ change: (inout RequestTable) -> Void) { change(&box.value.table) }

    func collect(_ completion: @escaping @Sendable ([LoopReading]) -> Void) {
        completion([LoopReading(table: box.value.table, lag: 0)])
    }

    func processFamilies() -> [MetricFamily] { [] }
}
