internal import HeadgateHTTP

/// Carries octets that the gateway does not look into, such as speech, from the upstream to the client as they come.
final class MediaRelay: BodyStage {
    private let record: RequestRecord

    init(source: any BodySource, record: RequestRecord) {
        self.record = record
        super.init(source)
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        record.noteFirstContent()
        pass(chunk)
    }

    override func fail(_ error: any Error) {
        // The head is gone, and a media type has no place for an error: the connection ends inside the body.
        record.note(GatewayError.stream(error))
        passEnd(.failure(error))
    }

    override func discardRest() { cancel() }
}
