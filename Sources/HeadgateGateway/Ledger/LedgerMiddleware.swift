internal import HeadgateHTTP

/// Gives every request for a model a place in the ledger, and has its end noted there before the client knows of it.
struct LedgerMiddleware: RelayMiddleware {
    let ledger: LedgerNotes

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        ledger.begin(record, request.envelope)
        return next(request) { result in completion(result.map { followed($0, record) }) }
    }

    private func followed(_ response: ServerResponse, _ record: RequestRecord) -> ServerResponse {
        guard record.facts.notes.place != nil else { return response }
        switch response.body {
        case .stream(let source)?:
            var followed = ServerResponse(response.head, .stream(LedgerBody(source, ledger, record)))
            followed.hasRequestID = response.hasRequestID
            return followed
        case .bytes?, nil:
            record.facts.status = response.head.status
            ledger.prepare(record)
            return response
        }
    }
}

/// A stream whose end is noted before it is passed on.
private final class LedgerBody: BodyStage {
    private let ledger: LedgerNotes
    private let record: RequestRecord

    init(_ source: any BodySource, _ ledger: LedgerNotes, _ record: RequestRecord) {
        self.ledger = ledger
        self.record = record
        super.init(source)
    }

    override func finish(_ end: BodyEnd) {
        record.transform?.note(in: &record.facts)
        ledger.prepare(record)
        super.finish(end)
    }
}
