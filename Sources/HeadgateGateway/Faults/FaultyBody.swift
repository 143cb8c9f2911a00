internal import HeadgateFaults
internal import HeadgateHTTP
internal import HeadgateRelay
internal import ServerSentEvents

/// Body with a fault: late, slow, in pieces, damaged or cut short. Loop-confined.
final class FaultyBody: BodyStage {
    private enum Ending {
        case complete(BodyEnd)
        case failed(any Error)
    }

    private let fault: Fault
    /// Silence timeout that ends a stall; nil to stall until the client or the upstream ends the exchange.
    private let silence: Duration?
    private let after: (Duration, @escaping () -> Void) -> (any Cancellable)?
    private var damage: EventDamage
    /// Bytes that were received but not passed on yet.
    private var kept: [UInt8] = []
    private var ending: Ending?
    private var isStalled = false
    private var isPaused = false
    private var isPassing = false
    private var timer: (any Cancellable)?

    private var isHoldingSource = false

    /// Number of waiting bytes above which the source is paused.
    private static let mostKept = 64 << 10

    init(_ source: any BodySource, _ fault: Fault, silence: Duration?, _ metadata: ServerRequestMetadata) {
        self.fault = fault
        self.silence = silence
        after = { metadata.after($0, $1) }
        damage = EventDamage(
            malformedEvent: fault.malformedEvent, lastEvent: fault.end == nil ? nil : fault.eventsBeforeEnd)
        super.init(source)
    }

    // MARK: From the source

    override func start(_ sink: any BodySink) {
        attach(sink)
        if let delay = fault.contentDelay { wait(min(delay, silence ?? delay)) { $0.contentIsDue() } }
        source.start(self)
        if damage.isOver, ending == nil { applyEnd() }
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        guard ending == nil, !isStalled else { return }
        damage.pass(chunk, into: &kept)
        if damage.isOver { applyEnd() } else { passOn() }
        // Pausing the source keeps a slow body from being held in memory whole.
        if kept.count > FaultyBody.mostKept, !isHoldingSource {
            isHoldingSource = true
            source.pause()
        }
    }

    override func finish(_ end: BodyEnd) { conclude(.complete(end)) }
    override func fail(_ error: any Error) { conclude(.failed(error)) }

    private func conclude(_ ending: Ending) {
        guard self.ending == nil, !isStalled else { return }
        self.ending = ending
        passOn()
    }

    /// Applies the fault's end, after the events that precede it were received.
    private func applyEnd() {
        source.cancel()
        switch fault.end {
        case .cut: conclude(.failed(TransportError(.truncatedBody, "fault injected")))
        case .reset: conclude(.failed(TransportError(.truncatedBody, "fault injected: connection reset")))
        case .stall, nil:
            isStalled = true
            passOn()
        }
    }

    // MARK: To the sink

    private func passOn() {
        // The sink can pause and resume while it receives a piece.
        guard hasSink, !isPaused, !isPassing, timer == nil else { return }
        isPassing = true
        defer { isPassing = false }
        if let drip = fault.drip, !kept.isEmpty {
            pass(upTo: drip.octets)
            return wait(drip.pause) { $0.passOn() }
        }
        // More bytes can arrive while these are passed on.
        while !kept.isEmpty, hasSink, !isPaused { pass(upTo: kept.count) }
        guard kept.isEmpty, !isPaused else { return }
        switch ending {
        case .complete(let end): passEnd(.success(end))
        case .failed(let error) where fault.receiver == .gateway: passEnd(.failure(error))
        // Wait first, because a failing connection discards bytes that it has not written yet.
        case .failed(let error): wait(.milliseconds(20)) { $0.passEnd(.failure(error)) }
        case nil:
            guard isStalled, let silence else { return }
            wait(silence) { $0.passEnd(.failure(FaultyBody.silent)) }
        }
    }

    private static let silent = TransportError(.silenceTimeout, "fault injected")

    /// Passes on this many bytes, or fewer if the sink pauses.
    private func pass(upTo octets: Int) {
        let share = Array(kept.prefix(octets))
        kept.removeFirst(share.count)
        var passed = 0
        while passed < share.count, hasSink, !isPaused {
            let end = min(share.count, passed + (fault.pieceSize ?? share.count))
            share[passed..<end].withUnsafeBytes { pass($0) }
            passed = end
        }
        kept.insert(contentsOf: share[passed...], at: 0)
        guard isHoldingSource, kept.count <= FaultyBody.mostKept, !isPaused, ending == nil else { return }
        isHoldingSource = false
        source.resume()
    }

    private func contentIsDue() {
        guard let delay = fault.contentDelay, let silence, delay >= silence else { return passOn() }
        source.cancel()
        kept = []
        passEnd(.failure(FaultyBody.silent))
    }

    /// Continues after a delay; nothing is passed on until then.
    private func wait(_ duration: Duration, then goOn: @escaping (FaultyBody) -> Void) {
        timer = after(duration) { [self] in
            timer = nil
            goOn(self)
        }
    }

    override func ended() {
        timer?.cancel()
        timer = nil
    }

    override func pause() {
        isPaused = true
        source.pause()
    }

    override func resume() {
        isPaused = false
        // The sink can have paused while it received the last of the waiting bytes.
        if kept.count <= FaultyBody.mostKept { isHoldingSource = false }
        if !isHoldingSource { source.resume() }
        passOn()
    }
}
