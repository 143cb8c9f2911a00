import HeadgateConfiguration
import HeadgateGateway
import HeadgateRelay

extension SpanSender {
    /// Decides when spans are sent, retried and dropped. Instants are monotonic nanoseconds.
    struct StateMachine {
        /// Report for people, made once instead of with every batch.
        enum Report: Equatable {
            case failing(String)
            case working(lost: Int)
            case rejecting(Int, message: String)
        }

        /// Actions to perform now.
        struct Step: Equatable {
            var batch: [Span]?
            var wakeUp: UInt64?
            var report: Report?
            /// Number of lost spans.
            var lost = 0
        }

        private struct Batch {
            let spans: [Span]
            let begun: UInt64
            var tries = 1
        }

        private enum Phase {
            case idle
            case sending(Batch)
            case pausing(Batch, until: UInt64)
        }

        private let limits: SpanBatching
        private var waiting: [Span] = []
        private var phase = Phase.idle
        /// Bytes of waiting spans, and of the batch in progress.
        private var octets = 0
        /// Instant at which waiting spans are sent, even if the batch is not full.
        private var due: UInt64 = 0
        /// Instant before which the collector gets no spans, after a failure.
        private var restsUntil: UInt64 = 0
        private var isEnding = false
        private var isFailing = false
        private var isRejecting = false
        /// Number of spans lost since the collector began to fail.
        private var lost = 0

        private static let firstPause = Duration.seconds(1)
        private static let longestPause = Duration.seconds(5)
        /// Maximum pause that a collector can demand.
        private static let longestRest = Duration.seconds(300)

        init(_ limits: SpanBatching) { self.limits = limits }

        /// Whether no span is waiting or being sent.
        var isEmpty: Bool { if case .idle = phase { waiting.isEmpty } else { false } }

        mutating func add(_ spans: [Span], at now: UInt64) -> Step {
            let (isFirst, before) = (waiting.isEmpty, waiting.count)
            for span in spans {
                let size = span.octets
                guard waiting.count < limits.queue, octets + size <= limits.octets else { continue }
                waiting.append(span)
                octets += size
            }
            if isFirst { due = now + limits.delay.nanoseconds }
            return next(at: now, lost: before + spans.count - waiting.count)
        }

        mutating func wake(at now: UInt64) -> Step {
            guard case .pausing(var batch, let until) = phase else { return next(at: now) }
            guard now >= until else { return Step(wakeUp: until) }
            batch.tries += 1
            phase = .sending(batch)
            return Step(batch: batch.spans)
        }

        /// - Parameter random: a number from 0 to 1, so that many gateways do not retry at once.
        mutating func receive(_ answer: SpanAnswer, at now: UInt64, random: Double) -> Step {
            guard case .sending(let batch) = phase else { return Step() }
            phase = .idle
            octets -= StateMachine.octets(of: batch.spans)
            switch answer {
            case .taken(let rejected, let message):
                // A collector can report any number.
                return take(min(max(0, rejected), batch.spans.count), message, at: now)
            case .refused(let reason):
                let report = fail(reason)
                return next(at: now, lost: batch.spans.count, report)
            case .failed(let reason, let pause):
                let report = fail(reason)
                let wait = max(pause ?? .zero, StateMachine.pause(after: batch.tries) * (0.5 + random / 2))
                let until = now + min(wait, StateMachine.longestRest).nanoseconds
                guard !isEnding else {
                    // There is no time for another attempt.
                    defer { (waiting, octets) = ([], 0) }
                    return next(at: now, lost: batch.spans.count + waiting.count, report, isOver: true)
                }
                guard until <= batch.begun + limits.patience.nanoseconds else {
                    restsUntil = until
                    return next(at: now, lost: batch.spans.count, report)
                }
                phase = .pausing(batch, until: until)
                octets += StateMachine.octets(of: batch.spans)
                return Step(wakeUp: until, report: report)
            }
        }

        /// Sends all spans at once from now on, and none of them twice.
        mutating func end(at now: UInt64) -> Step {
            isEnding = true
            guard case .pausing(let batch, _) = phase else { return next(at: now) }
            phase = .sending(batch)
            return Step(batch: batch.spans)
        }

        /// Drops all spans.
        ///
        /// - Returns: the number of dropped spans.
        mutating func cancel() -> Int {
            defer { (waiting, octets, phase) = ([], 0, .idle) }
            switch phase {
            case .idle: return waiting.count
            case .sending(let batch), .pausing(let batch, _): return waiting.count + batch.spans.count
            }
        }

        private mutating func take(_ rejected: Int, _ message: String, at now: UInt64) -> Step {
            var report: Report?
            if isFailing { report = .working(lost: lost) }
            if rejected > 0, !isRejecting { report = .rejecting(rejected, message: message) }
            isFailing = false
            isRejecting = rejected > 0
            lost = 0
            return next(at: now, lost: rejected, report)
        }

        private mutating func fail(_ reason: String) -> Report? {
            defer { isFailing = true }
            return isFailing ? nil : .failing(reason)
        }

        private mutating func next(
            at now: UInt64, lost new: Int = 0, _ report: Report? = nil, isOver: Bool = false
        ) -> Step {
            if isFailing { lost += new }
            var step = Step(report: report, lost: new)
            guard case .idle = phase, !waiting.isEmpty, !isOver else { return step }
            let isDue = isEnding || now >= restsUntil && (waiting.count >= limits.batch || now >= due)
            guard isDue else {
                step.wakeUp = max(restsUntil, waiting.count >= limits.batch ? now : due)
                return step
            }
            let batch = Array(waiting.prefix(limits.batch))
            waiting.removeFirst(batch.count)
            due = now + limits.delay.nanoseconds
            phase = .sending(Batch(spans: batch, begun: now))
            step.batch = batch
            return step
        }

        private static func octets(of spans: [Span]) -> Int { spans.reduce(0) { $0 + $1.octets } }

        private static func pause(after tries: Int) -> Duration {
            var pause = firstPause
            for _ in 1..<max(1, tries) { pause = min(pause * 1.5, longestPause) }
            return pause
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
