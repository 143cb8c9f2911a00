internal import HeadgateCassettes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Recorder of one exchange while it happens. Loop-confined.
final class ExchangeRecorder {
    private var exchange: RecordedExchange
    private let recorder: Recorder
    private let clock: RecordingClock
    private let allowance: RecordingAllowance
    /// Whether failed exchanges, and those that the gateway cancelled, are recorded too.
    private let keepsAll: Bool
    /// Start of the request, then arrival of the head, in monotonic nanoseconds.
    private var start: UInt64
    private var isOver = false
    /// Whether the whole request has arrived.
    private var isRequestWhole: Bool

    /// - Parameter isForm: whether the request's body arrives later.
    init(
        _ request: RecordedExchange.Request, _ recorder: Recorder, _ clock: RecordingClock, keepsAll: Bool,
        isForm: Bool = false
    ) {
        isRequestWhole = !isForm
        exchange = RecordedExchange(request: request, began: clock.realtime())
        self.recorder = recorder
        self.clock = clock
        self.keepsAll = keepsAll
        allowance = recorder.allowance()
        start = clock.now()
        // Includes the approximate size of everything else.
        grow(by: (request.body?.count ?? 0) + 4096)
    }

    /// Records the upstream's result, and returns it with a body that continues recording.
    func record(_ result: Result<UpstreamResponse, TransportError>) -> Result<UpstreamResponse, TransportError> {
        switch result {
        case .failure(let error):
            end(error)
            return result
        case .success(var response):
            exchange.response = RecordedExchange.Response(response.head, milliseconds: milliseconds)
            start = clock.now()
            switch response.body {
            case nil: end(.complete)
            case .bytes(let bytes):
                bytes.withUnsafeBytes(append)
                end(.complete)
            case .stream(let source): response.body = .stream(RecordedBody(source, self))
            }
            return .success(response)
        }
    }

    /// Returns the same body, recorded on its way to the upstream.
    func record(_ body: StreamedBody) -> StreamedBody {
        exchange.request.body = []
        return StreamedBody(RecordedExchangeForm(body.source, self), length: body.length)
    }

    fileprivate func appendForm(_ chunk: UnsafeRawBufferPointer) {
        guard !isOver, grow(by: chunk.count) else { return }
        exchange.request.body?.append(contentsOf: chunk)
    }

    fileprivate func endForm() { isRequestWhole = true }

    private var milliseconds: Int { Int((clock.now() - start + 500_000) / 1_000_000) }

    func append(_ chunk: UnsafeRawBufferPointer) {
        guard !isOver, grow(by: chunk.count) else { return }
        exchange.body.append(contentsOf: chunk)
        exchange.cuts.append(RecordedExchange.Cut(end: exchange.body.count, milliseconds: milliseconds))
    }

    @discardableResult
    private func grow(by octets: Int) -> Bool {
        guard !allowance.grow(by: octets) else { return true }
        isOver = true
        exchange.body = []
        exchange.cuts = []
        exchange.request.body = nil
        recorder.drop()
        return false
    }

    func end(_ error: any Error) {
        let error = TransportError(anyOf: error)
        guard let kind = Cassette.EndKind(error.kind) else { return end(.abandoned) }
        end(kind, error.detail)
    }

    func end(_ kind: Cassette.EndKind, _ detail: String = "") {
        guard !isOver else { return }
        isOver = true
        // Without a response there is nothing to record.
        guard kind != .abandoned || keepsAll && exchange.response != nil else { return }
        // Later requests are answered from this recording, so it must be a successful response.
        guard
            keepsAll || isRequestWhole && kind == .complete && exchange.response.map({ 200..<300 ~= $0.status }) == true
        else { return }
        exchange.end = Cassette.End(kind, milliseconds: milliseconds, detail: detail)
        recorder.keep(exchange, allowance, onlyAnswers: !keepsAll)
    }
}

/// Form whose bytes are recorded on their way to the upstream.
private final class RecordedExchangeForm: BodyStage {
    private let tape: ExchangeRecorder

    init(_ source: any BodySource, _ tape: ExchangeRecorder) {
        self.tape = tape
        super.init(source)
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        tape.appendForm(chunk)
        pass(chunk)
    }

    override func finish(_ end: BodyEnd) {
        tape.endForm()
        super.finish(end)
    }
}

/// Body whose bytes are recorded as they pass.
private final class RecordedBody: BodyStage {
    private let tape: ExchangeRecorder

    init(_ source: any BodySource, _ tape: ExchangeRecorder) {
        self.tape = tape
        super.init(source)
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        tape.append(chunk)
        pass(chunk)
    }

    override func finish(_ end: BodyEnd) {
        tape.end(.complete)
        super.finish(end)
    }

    override func fail(_ error: any Error) {
        tape.end(error)
        super.fail(error)
    }

    /// Ends the recording as complete: the rest of the body does not matter.
    override func discardRest() {
        tape.end(.complete)
        super.discardRest()
    }

    override func cancel() {
        tape.end(.abandoned)
        super.cancel()
    }
}
