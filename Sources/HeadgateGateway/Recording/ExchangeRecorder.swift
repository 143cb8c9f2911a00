internal import HeadgateCassettes
internal import HeadgateHTTP

/// Records one exchange while it happens. Loop-confined.
final class ExchangeRecorder {
    private var exchange: RecordedExchange
    private let recorder: Recorder
    private let clock: RecordingClock
    private let allowance: RecordingAllowance
    /// Whether an exchange is kept that failed, or that the gateway has given up.
    private let keepsAll: Bool
    /// Of the request, then of the head: monotonic nanoseconds.
    private var start: UInt64
    private var isOver = false
    /// Whether all of the request is there.
    private var isRequestWhole: Bool

    /// - Parameter isForm: whether its body comes later.
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
        // With what the rest takes about.
        grow(by: (request.body?.count ?? 0) + 4096)
    }

    /// Takes in what has come back, and hands it on with a body that goes on recording.
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

    /// The same body, listened to on its way to the upstream.
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
        // Nothing has come back yet: there is nothing to keep.
        guard kind != .abandoned || keepsAll && exchange.response != nil else { return }
        // What is answered from a recording from now on is to be an answer.
        guard
            keepsAll || isRequestWhole && kind == .complete && exchange.response.map({ 200..<300 ~= $0.status }) == true
        else { return }
        exchange.end = Cassette.End(kind, milliseconds: milliseconds, detail: detail)
        recorder.keep(exchange, allowance, onlyAnswers: !keepsAll)
    }
}

/// A form whose bytes are recorded on their way to the upstream.
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

/// A body whose bytes are recorded as they pass.
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

    /// The rest says nothing: what matters of the body is there.
    override func discardRest() {
        tape.end(.complete)
        super.discardRest()
    }

    override func cancel() {
        tape.end(.abandoned)
        super.cancel()
    }
}
