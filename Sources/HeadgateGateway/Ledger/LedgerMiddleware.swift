internal import HeadgateHTTP

/// Gives every request for a model a place in the ledger, and has its end noted there before the client knows of it.
struct LedgerMiddleware: RelayMiddleware {
    let ledger: LedgerNotes

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        ledger.begin(record, request.envelope)
        let ledger = ledger
        return next(request) { result in
            guard case .success(let response) = result, record.facts.notes.mark != nil else {
                return completion(result)
            }
            if case .stream(let source)? = response.body {
                var followed = response
                followed.body = .stream(LedgerBody(source, ledger, record))
                return completion(.success(followed))
            }
            record.facts.status = response.head.status
            ledger.prepare(record)
            completion(result)
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

extension Capability {
    static let ledger = Capability(
        name: "ledger", perRequest: { gateway, _ in gateway.snapshot.ledgerNotes.map(LedgerMiddleware.init) },
        observer: \.snapshot.ledgerNotes)
}
