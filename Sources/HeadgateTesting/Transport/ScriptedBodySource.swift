internal import HTTPTypes
internal import HeadgateHTTP

/// Plays one reply into a sink, in whatever task asks for it.
final class ScriptedBodySource: BodySource {
    private var plan: ReplyPlan
    private var reader: ResponseReader
    private let request: Int
    private let timing: ScriptedTiming
    private let observations: UpstreamObservations
    private var sink: (any BodySink)?
    /// What came with the head and is body.
    private var rest: [UInt8] = []
    private var waitIsOver = false
    private var isPaused = false
    private var isPumping = false
    private var isEnded = false
    private var delay: Int?
    private var silence: Int?
    var bytesAreProgress = true

    init(_ plan: ReplyPlan, to request: ReceivedRequest, timing: ScriptedTiming, observations: UpstreamObservations) {
        self.plan = plan
        self.request = request.index
        self.timing = timing
        self.observations = observations
        reader = ResponseReader(method: request.method)
    }

    // MARK: Head

    /// The final head.
    ///
    /// - Throws: ``TransportError``.
    func head() async throws -> HTTPResponse {
        var waited = Duration.zero
        while let wait = plan.wait {
            if case .nanoseconds(let nanoseconds) = wait {
                let delay = Duration.nanoseconds(Int64(clamping: nanoseconds))
                if timing.clock != nil, waited + delay > timing.firstByteTimeout { break }
                waited += delay
                try await pass(delay)
            }
            let bytes = writePiece()
            do throws(HTTPSyntaxError) {
                let used = try reader.read(bytes) { _ in }
                if let head = reader.head {
                    rest = Array(bytes[used...])
                    return head.response
                }
            } catch {
                throw TransportError(.protocolViolation, error.explanation)
            }
        }
        guard plan.wait == nil, plan.end == .reset || plan.end == .cut || plan.closes else {
            try await pass(timing.firstByteTimeout - waited)
            throw TransportError(.responseTimeout)
        }
        observations.note(.finished(request))
        throw TransportError(.closedBeforeResponse, "scripted")
    }

    private func pass(_ delay: Duration) async throws {
        do {
            try await timing.clock?.sleep(for: delay)
        } catch is CancellationError {
            observations.note(.peerClosed(request, .cancelled))
            throw TransportError(.cancelled)
        }
    }

    private func writePiece() -> [UInt8] {
        var bytes: [UInt8] = []
        switch plan.write(to: &bytes) {
        case .head: observations.note(.headSent(request))
        case .chunk(let number): observations.note(.chunkSent(request, number))
        case .segment, .nothing: break
        }
        observations.noteWritten(bytes.count, request: request)
        return bytes
    }

    // MARK: Body

    func start(_ sink: any BodySink) {
        self.sink = sink
        armSilence()
        let bytes = rest
        rest = []
        deliver(bytes)
        pump()
    }

    /// Goes on until there is something to wait for. Entered once, however often the sink pauses and resumes meanwhile.
    private func pump() {
        guard !isPumping, sink != nil else { return }
        isPumping = true
        defer { isPumping = false }
        while !isEnded, !isPaused, delay == nil, !reader.isComplete {
            guard let wait = plan.wait else { return reachEnd() }
            if case .nanoseconds(let nanoseconds) = wait, !waitIsOver, let clock = timing.clock {
                delay = clock.schedule(afterNanoseconds: nanoseconds) { [weak self] in self?.delayPassed() }
                return
            }
            waitIsOver = false
            deliver(writePiece())
        }
    }

    private func delayPassed() {
        delay = nil
        waitIsOver = true
        pump()
    }

    private func deliver(_ bytes: [UInt8]) {
        if bytesAreProgress, !bytes.isEmpty { armSilence() }
        do throws(HTTPSyntaxError) {
            _ = try reader.read(bytes) { sink?.receive($0) }
        } catch {
            return finish { $0.fail(TransportError(.protocolViolation, error.explanation)) }
        }
        guard reader.isComplete else { return }
        observations.note(.finished(request))
        finish { $0.finish(.complete) }
    }

    /// The script has nothing left and the body is not complete.
    private func reachEnd() {
        switch plan.end {
        case .clean where plan.closes || reader.endsWithConnection, .cut:
            observations.note(.finished(request))
            guard !reader.endsWithConnection else { return finish { $0.finish(.complete) } }
            finish { $0.fail(TransportError(.truncatedBody, "scripted cut")) }
        case .reset:
            observations.note(.finished(request))
            finish { $0.fail(TransportError(.truncatedBody, "scripted reset")) }
        case .clean, .stall:
            // With a clock its alarm is set.
            if timing.clock == nil { finish { $0.fail(TransportError(.silenceTimeout)) } }
        }
    }

    private func finish(_ tell: (any BodySink) -> Void) {
        isEnded = true
        cancelAlarms()
        let sink = sink
        self.sink = nil
        if let sink { tell(sink) }
    }

    // MARK: Deadline

    func note(_ progress: BodyProgress) {
        if progress != .nothing { armSilence() }
    }

    private func armSilence() {
        guard let clock = timing.clock, !isPaused, !isEnded else { return }
        if let silence { clock.cancel(silence) }
        silence = clock.schedule(afterNanoseconds: timing.silenceTimeout.nanoseconds) { [weak self] in
            self?.finish { $0.fail(TransportError(.silenceTimeout)) }
        }
    }

    private func cancelAlarms() {
        if let silence { timing.clock?.cancel(silence) }
        if let delay { timing.clock?.cancel(delay) }
        silence = nil
        delay = nil
    }

    // MARK: What the consumer asks for

    func pause() {
        isPaused = true
        if let silence { timing.clock?.cancel(silence) }
        silence = nil
    }

    func resume() {
        isPaused = false
        armSilence()
        pump()
    }

    func cancel() {
        guard !isEnded else { return }
        observations.note(.peerClosed(request, .cancelled))
        finish { _ in }
    }

    func discardRest() {
        guard !isEnded else { return }
        finish { _ in }
    }
}
