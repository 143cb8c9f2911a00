internal import HeadgateHTTP

/// Relay of bytes that the gateway does not parse, such as speech: they pass through unchanged.
final class MediaRelay: BodyStage {
    private let record: RequestRecord
    private var deadline: ResponseDeadline?

    init(source: any BodySource, record: RequestRecord) {
        self.record = record
        super.init(source)
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        record.noteFirstContent()
        pass(chunk)
    }

    override func fail(_ error: any Error) {
        // The head has been sent, and media cannot carry an error, so the connection ends inside the body.
        record.note(GatewayError.stream(error))
        passEnd(.failure(error))
    }

    override func discardRest() { cancel() }

    override func ended() {
        deadline?.cancel()
        deadline = nil
    }
}

extension MediaRelay: ExpiringBody {
    func end(by deadline: ResponseDeadline) { self.deadline = deadline }

    func deadlinePassed(_ error: GatewayError) {
        source.cancel()
        record.note(error)
        passEnd(.failure(error))
    }
}
