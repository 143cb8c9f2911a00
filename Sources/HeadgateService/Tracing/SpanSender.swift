import HeadgateCoding
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateRelay
import HeadgateUpstream

/// Sends spans to a collector, one batch at a time. Confined to its loop.
final class SpanSender {
    private let loop: EventLoop
    private let collector: SpanCollector
    private let isCompressed: Bool
    /// Timeout of one export, from its request to the end of its response.
    private let timeout: Duration
    private let resource: [(name: String, value: String)]
    private let lose: @Sendable (Int) -> Void
    private let say: @Sendable (String) -> Void
    private var machine: StateMachine
    private var timer: LoopTimer?
    private var deadline: LoopTimer?
    private var call: (any Cancellable)?
    /// Number of the latest export; a response to an earlier one is ignored.
    private var number = 0
    private var isEnding = false
    private var whenEmpty: (() -> Void)?

    /// - Parameters:
    ///   - lose: called with the number of lost spans.
    ///   - say: called with messages for people.
    init(
        _ configuration: TracingConfiguration, to collector: SpanCollector, on loop: EventLoop,
        lose: @escaping @Sendable (Int) -> Void, say: @escaping @Sendable (String) -> Void
    ) {
        self.loop = loop
        self.collector = collector
        self.lose = lose
        self.say = say
        isCompressed = configuration.compression == .gzip
        timeout = configuration.timeout
        resource = configuration.resourceAttributes
        machine = StateMachine(configuration.batching)
    }

    func add(_ spans: [Span]) { follow(machine.add(spans, at: loop.now)) }

    /// Sends waiting and later spans at once.
    ///
    /// - Parameter completion: called when nothing is left.
    func end(_ completion: @escaping () -> Void) {
        isEnding = true
        whenEmpty = completion
        follow(machine.end(at: loop.now))
    }

    /// Drops the remaining spans, and ends all timers.
    func stop() {
        number += 1
        call?.cancel()
        (call, timer, deadline, whenEmpty) = (nil, nil, nil, nil)
        let left = machine.cancel()
        if left > 0 { lose(left) }
    }

    private func follow(_ step: StateMachine.Step) {
        if step.lost > 0 { lose(step.lost) }
        // A collector's message is not trusted.
        if let report = step.report { say("headgate: \(LogText.line(text(of: report)))") }
        if let instant = step.wakeUp { wake(at: instant) }
        if let batch = step.batch { send(batch) }
        guard machine.isEmpty else { return }
        // The last reference can be released on another thread.
        if isEnding { (timer, deadline) = (nil, nil) }
        whenEmpty.take()?()
    }

    private func text(of report: StateMachine.Report) -> String {
        switch report {
        case .failing(let reason): "spans cannot be sent to \(collector): \(reason)"
        case .working(let lost): "spans are sent to \(collector) again; \(lost) were lost"
        case .rejecting(let count, let message):
            "\(collector) has rejected \(count) spans, and maybe more: "
                + "\(message.isEmpty ? "without a reason" : message)"
        }
    }

    private func wake(at instant: UInt64) {
        let timer = timer ?? LoopTimer(loop: loop) { [unowned self] in follow(machine.wake(at: loop.now)) }
        self.timer = timer
        timer.schedule(at: instant)
    }

    // MARK: One export

    private func send(_ spans: [Span]) {
        number += 1
        let (sent, resource, isCompressed) = (number, resource, isCompressed)
        let deadline = deadline ?? LoopTimer(loop: loop) { [unowned self] in deadlinePassed() }
        self.deadline = deadline
        deadline.schedule(after: timeout)
        // Writing and compressing a batch takes milliseconds.
        _ = loop.aside {
            let bytes = SpanDocument.bytes(of: spans, resource: resource)
            guard isCompressed, let packed = Gzip.encoded(bytes) else { return SpanExport(bytes, isCompressed: false) }
            return SpanExport(packed, isCompressed: true)
        } completion: { [weak self] export in
            guard let self, number == sent else { return }
            guard let export else { return receive(.refused("the gateway is shutting down")) }
            let call = collector.send(export) { [weak self] answer in
                guard let self, number == sent else { return }
                receive(answer)
            }
            if number == sent { self.call = call }
        }
    }

    private func receive(_ answer: SpanAnswer) {
        number += 1
        call = nil
        deadline?.cancel()
        follow(machine.receive(answer, at: loop.now, random: .random(in: 0...1)))
    }

    private func deadlinePassed() {
        let call = call
        // The number changes first, so that the response to the cancelled call is ignored.
        number += 1
        self.call = nil
        call?.cancel()
        receive(.failed("no answer within \(timeout)"))
    }
}

extension TracingConfiguration {
    /// Attributes of the service for all spans.
    fileprivate var resourceAttributes: [(name: String, value: String)] {
        [("service.name", service)]
            + (resource.contains { $0.name == "service.version" } ? [] : [("service.version", GatewayVersion.text)])
            + [("telemetry.sdk.name", "headgate"), ("telemetry.sdk.language", "swift")]
            + resource.map { ($0.name, $0.value) }
    }
}
