internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateRelay

/// Metrics of one loop, counted as in a gateway.
final class CountedRequests: MetricRecording {
    private final class Box {
        let table = Cell(RequestTable(loops: 1))
    }

    private let box: LoopBound<Box>

    init(loop: EventLoop) { box = LoopBound(Box(), on: loop) }

    func record(_ change: (inout RequestTable) -> Void) { change(&box.value.table.value) }

    func collect(_ completion: @escaping @Sendable ([LoopReading]) -> Void) {
        completion([LoopReading(table: box.value.table.value, lag: 0)])
    }

    func processFamilies() -> [MetricFamily] { [] }
}
