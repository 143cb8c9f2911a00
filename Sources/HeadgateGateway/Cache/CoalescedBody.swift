internal import HeadgateHTTP
internal import HeadgateRelay

/// Body of a coalesced response, for one of its readers. Loop-confined.
final class CoalescedBody: BodySource {
    private let flight: CacheFlight
    private let number: Int
    private let reader: Int
    private let metadata: ServerRequestMetadata
    private var sink: (any BodySink)?
    /// Chunks that were read but not passed on yet.
    private var pending: ArraySlice<CoalescedResponse.Chunk> = []
    private var isPaused = false
    /// The upstream's silence is watched where its body is read.
    var bytesAreProgress = true

    init(_ flight: CacheFlight, _ number: Int, _ reader: Int, _ metadata: ServerRequestMetadata) {
        self.flight = flight
        self.number = number
        self.reader = reader
        self.metadata = metadata
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        passOn()
    }

    private func passOn() {
        while let sink, !isPaused {
            if let chunk = pending.popFirst() {
                chunk.bytes.withUnsafeBytes { sink.receive($0) }
                continue
            }
            let wake = metadata.waker { [self] in passOn() }
            guard let (reading, writer) = flight.change(number, { $0.read(reader, wake) }) else {
                return end(.failed(TransportError(.cancelled)))
            }
            writer?()
            switch reading {
            case .chunks(let chunks): pending = chunks
            case .fellBehind: return fallBehind(sink)
            case .later: return
            case .end(let end): return self.end(end)
            }
        }
    }

    /// Ends the response like one that broke off.
    private func fallBehind(_ sink: any BodySink) {
        let record = metadata.record
        leave()
        record.note(.readerFellBehind)
        var broken = BrokenResponse()
        broken.requestID = record.requestID
        var event: [UInt8] = []
        (metadata.dialect ?? .openAI).appendEvent(.readerFellBehind, of: broken, to: &event)
        event.withUnsafeBytes { sink.receive($0) }
        sink.finish(.completeThenClose)
    }

    private func end(_ end: CoalescedResponse.End) {
        let sink = sink
        leave()
        switch end {
        case .complete: sink?.finish(.complete)
        case .broken: sink?.finish(.completeThenClose)
        case .failed(let error): sink?.fail(error)
        }
    }

    private func leave() {
        sink = nil
        pending = []
        if let wake = flight.change(number, { $0.leave(reader) }) ?? nil { wake() }
    }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        passOn()
    }

    func note(_: BodyProgress) {}
    func discardRest() { cancel() }
    func cancel() { leave() }
}
