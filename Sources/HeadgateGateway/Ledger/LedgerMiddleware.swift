internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Middleware that gives every request for a model a place in the ledger, and notes the request's end there before the
/// client sees it.
struct LedgerMiddleware: RelayMiddleware {
    let ledger: LedgerNotes

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        ledger.begin(record, request.envelope)
        let ledger = ledger
        return next(request) { result in
            guard case .success(let response) = result, record.facts.notes.hasMark else {
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

/// Stream stage that notes the end in the ledger before it passes the end on.
private final class LedgerBody: BodyStage {
    private let ledger: LedgerNotes
    private let record: RequestRecord

    init(_ source: any BodySource, _ ledger: LedgerNotes, _ record: RequestRecord) {
        self.ledger = ledger
        self.record = record
        super.init(source)
    }

    override var entrance: any BodySink { beyond }

    override func finish(_ end: BodyEnd) {
        record.transform?.note(in: &record.facts)
        ledger.prepare(record)
        super.finish(end)
    }
}

extension Capability {
    static func ledger(_ ledger: (any UsageLedger)?) -> Capability {
        Capability(
            name: "ledger",
            perRequest: { context, operation in
                if RelayOperation.countsTokens(operation.id) { return nil }
                return LedgerNotes(ledger, context.relay).map(LedgerMiddleware.init)
            },
            observer: { context in LedgerNotes(ledger, context.relay) },
            readsUsage: ledger != nil,
            handlers: { _ in
                let usage = UsageHandler(ledger: ledger)
                return [OperationTable.getUsage.id: .direct { usage.handle($0, $2, completion: $3) }]
            },
            readiness: { output in
                guard let health = ledger?.health else { return }
                output.append("ledger") { output in
                    output.append("working", health.isWorking)
                    output.append("pending", health.pending)
                    output.append("dropped", health.dropped)
                }
            },
            metrics: { _, _ in
                guard let health = ledger?.health else { return [] }
                return [
                    MetricFamily(
                        "headgate_ledger_pending", .gauge,
                        help: "Requests that have ended but are not in the ledger yet.", value: .count(health.pending)),
                    MetricFamily(
                        "headgate_ledger_dropped", .counter, help: "Requests dropped because the ledger had no room.",
                        value: .count(health.dropped)),
                ]
            })
    }
}
