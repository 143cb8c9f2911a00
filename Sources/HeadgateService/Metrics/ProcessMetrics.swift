import CHeadgate
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateServer

/// Counters of the loops across reloads, and metrics of the process.
final class ProcessMetrics: MetricRecording {
    private final class Box {
        let table: Cell<RequestTable>

        init(loops: Int) { table = Cell(RequestTable(loops: loops)) }
    }

    private let boxes: [LoopBound<Box>]
    private let droppedLines: @Sendable () -> Int
    private let droppedSpans: @Sendable () -> Int
    private let connections = Locked<@Sendable () -> Int?>({ nil })

    /// - Parameters:
    ///   - droppedLines: returns the number of dropped lines of all logs.
    ///   - droppedSpans: returns the number of dropped spans of all traces.
    init(
        group: EventLoopGroup, droppedLines: @escaping @Sendable () -> Int,
        droppedSpans: @escaping @Sendable () -> Int
    ) {
        boxes = group.loops.map { LoopBound(Box(loops: group.loops.count), on: $0) }
        self.droppedLines = droppedLines
        self.droppedSpans = droppedSpans
    }

    /// Counts the connections of a server.
    func watch(_ server: HTTPServer) {
        // The server retains the gateway, which retains this object.
        connections.withLock { $0 = { [weak server] in server?.openConnections } }
    }

    func record(_ change: (inout RequestTable) -> Void) {
        // In one expression, the array of all loops would count as changed by each of them.
        let box = boxes[EventLoop.current.index].value
        change(&box.table.value)
    }

    func collect(_ completion: @escaping @Sendable ([LoopReading]) -> Void) {
        let readings = Locked([LoopReading?](repeating: nil, count: boxes.count))
        let asked = headgate_monotonic_nanoseconds()
        for (index, box) in boxes.enumerated() {
            box.loop.execute {
                let reading = LoopReading(
                    table: box.value.table.value, lag: headgate_monotonic_nanoseconds() - asked)
                let all = readings.withLock { readings in
                    readings[index] = reading
                    return readings.compactMap(\.self)
                }
                if all.count == self.boxes.count { completion(all) }
            }
        }
    }

    func processFamilies() -> [MetricFamily] {
        let open = connections.withLock(\.self)()
        return (ProcessReading.now()?.families ?? []) + [
            MetricFamily(
                "headgate_connections", .gauge, help: "Open connections of clients.", value: open.map { .count($0) }),
            MetricFamily(
                "headgate_log_lines_dropped", .counter, help: "Log lines that were lost.",
                value: .count(droppedLines())),
            MetricFamily(
                "headgate_spans_dropped", .counter, help: "Spans of traces that no collector got.",
                value: .count(droppedSpans())),
            ProcessReading.build,
        ]
    }
}
