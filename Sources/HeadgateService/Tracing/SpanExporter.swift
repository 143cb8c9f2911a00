import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay

/// Traces of all loops, whose spans one loop sends. The loops share no state: each gathers its spans, and hands them
/// over together.
final class SpanExporter: SpanRecording {
    private final class Gathered {
        var traces: TraceTable = [:]
        var spans: [Span] = []
        var timer: LoopTimer?
    }

    private let gathered: [LoopBound<Gathered>]
    private let sender: LoopBound<SpanSender>

    private static let gatheringTime = Duration.milliseconds(50)
    /// Number of spans that are handed over without waiting for more.
    private static let mostGathered = 256
    /// Maximum time to wait for the collector at the end.
    private static let longestEnd = Duration.seconds(5)

    init(
        _ configuration: TracingConfiguration, to collector: SpanCollector, group: EventLoopGroup,
        lose: @escaping @Sendable (Int) -> Void, say: @escaping @Sendable (String) -> Void
    ) {
        gathered = group.loops.map { LoopBound(Gathered(), on: $0) }
        let loop = group.loops[0]
        sender = LoopBound(SpanSender(configuration, to: collector, on: loop, lose: lose, say: say), on: loop)
    }

    /// Sends the remaining spans, and ends the timers on their loops.
    deinit {
        for own in gathered {
            own.loop.execute { [sender] in
                own.value.timer = nil
                SpanExporter.handOver(own.value, to: sender)
                // The sender is retained until nothing is left.
                sender.loop.execute { sender.value.end { withExtendedLifetime(sender) {} } }
            }
        }
    }

    func change(_ change: (inout TraceTable) -> Void) {
        let gathered = gathered[EventLoop.current.index].value
        change(&gathered.traces)
    }

    func record(_ spans: [Span]) {
        let loop = EventLoop.current
        let own = gathered[loop.index].value
        own.spans += spans
        guard own.spans.count < SpanExporter.mostGathered else { return SpanExporter.handOver(own, to: sender) }
        let timer =
            own.timer
            ?? LoopTimer(loop: loop) { [unowned own, sender] in
                SpanExporter.handOver(own, to: sender)
            }
        own.timer = timer
        if !timer.isScheduled { timer.schedule(after: SpanExporter.gatheringTime) }
    }

    private static func handOver(_ own: Gathered, to sender: LoopBound<SpanSender>) {
        guard !own.spans.isEmpty else { return }
        let spans = own.spans
        own.spans = []
        sender.loop.execute { sender.value.add(spans) }
    }

    /// Sends pending spans, as far as the collector takes them within a few seconds. Must not be called on a loop; the
    /// loops must still run.
    func close() {
        for own in gathered {
            try? own.loop.performAndWait { [sender] in SpanExporter.handOver(own.value, to: sender) }
        }
        let sent = Latch()
        end { sent.open() }
        guard !sent.wait(atMost: SpanExporter.longestEnd) else { return }
        try? sender.loop.performAndWait { [sender] in sender.value.stop() }
    }

    /// Sends spans of continuing requests immediately from now on.
    func end(_ completion: @escaping @Sendable () -> Void = {}) {
        sender.loop.execute { [sender] in sender.value.end(completion) }
    }
}
