internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Handler of `GET /v1/usage`. Admins see the usage of all requests; other keys see only their own.
struct UsageHandler: Sendable {
    /// Ledger of the gateway; nil if it has none.
    let ledger: (any UsageLedger)?

    func handle(
        _ request: RequestHead, _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        do throws(GatewayError) {
            guard let ledger else { throw .ledgerOff }
            let query = UsageQuery(request.withPath { String(decoding: $0, as: UTF8.self) }, now: ledger.now())
            var question = try query.question()
            // The response states the time from which it counts.
            question.since = max(question.since, ledger.knownSince)
            if !metadata.caller.isAdmin { question.key = metadata.caller.name }
            let call = UsageCall(question, metadata, completion: completion)
            metadata.work = call
            call.start(ledger)
        } catch {
            completion(.failure(error))
        }
    }
}

private final class UsageCall: PendingCall {
    private let question: UsageQuestion
    private let metadata: ServerRequestMetadata
    private let completion: RequestHandler.Completion

    init(
        _ question: UsageQuestion, _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        self.question = question
        self.metadata = metadata
        self.completion = completion
    }

    func start(_ ledger: any UsageLedger) {
        ask(metadata, orFail: .ledgerUnavailable) { [question, metadata] interest, answer in
            // Summing up and writing can take long, so neither runs on an event loop.
            _ = metadata.aside {
                ledger.ask(question, for: interest) { result in
                    switch result {
                    case .success(let rows): answer(.success(.success(UsageDocument(question, rows).json)))
                    case .failure(.busy): answer(.success(.failure(.ledgerBusy)))
                    case .failure(.slow): answer(.success(.failure(.ledgerSlow)))
                    case .failure(.unreadable): answer(.failure(ResponseStoreFailure()))
                    }
                }
            } completion: { _ in
            }
        } then: { [self] (result: Result<Result<[UInt8], GatewayError>, any Error>) in
            metadata.work = nil
            completion(result.flatMap { $0.mapError { $0 } }.map(response))
        }
    }

    private func response(_ json: [UInt8]) -> ServerResponse {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(json))
    }
}

/// Query parameters of a usage request.
struct UsageQuery {
    private let parameters: QueryParameters
    private let now: Int64
    /// Longest period of a query: ten years, in milliseconds.
    private static let longest: Int64 = 3650 * 86_400_000

    /// - Parameters:
    ///   - path: path with its query.
    ///   - now: milliseconds since 1970.
    init(_ path: String, now: Int64) {
        self.now = now
        parameters = QueryParameters(path)
    }

    func question() throws(GatewayError) -> UsageQuestion {
        let by = parameters["by"] ?? UsageQuestion.Grouping.key.rawValue
        guard let grouping = UsageQuestion.Grouping(rawValue: by) else {
            throw .invalidUsageQuery("by", "key, model, upstream, day or minute")
        }
        guard let age = milliseconds(of: parameters["since"] ?? (grouping == .minute ? "24h" : "7d")) else {
            throw .invalidUsageQuery("since", "a time such as 90m, 24h or 7d")
        }
        // A longer period is shortened; the response states the time from which it counts.
        let longest = grouping == .minute ? UsageQuestion.longestByMinute : UsageQuery.longest
        return UsageQuestion(by: grouping, since: now - min(age, longest))
    }

    private func milliseconds(of text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        let digits = text.dropLast()
        guard let last = text.last, let unit = units[last], (1...9).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let count = Int64(digits), count > 0
        else { return nil }
        return count * unit
    }
}

/// JSON document of the contract's `UsageReport` schema.
struct UsageDocument {
    private let question: UsageQuestion
    private let rows: [UsageRow]

    init(_ question: UsageQuestion, _ rows: [UsageRow]) {
        self.question = question
        self.rows = rows
    }

    var json: [UInt8] {
        var output = JSONMembers(room: 128 + 200 * rows.count)
        output.append("by", question.grouping.rawValue)
        output.append("since", time: question.since * 1_000_000)
        output.append("rows", list: rows, members: write)
        return output.end()
    }

    private func write(_ output: inout JSONMembers, _ row: UsageRow) {
        output.append("name", name(of: row))
        output.append("requests", row.requests)
        output.append("prompt_tokens", row.promptTokens)
        output.append("completion_tokens", row.completionTokens)
        output.append("cached_tokens", row.cachedTokens)
        // There is no sum if no cost is known.
        let isKnown = row.unknownCosts < row.requests
        output.append(
            "cost_usd", json: Array((isKnown ? RequestCost.known(max(0, row.cost)).text ?? "null" : "null").utf8))
        output.append("cost_unknown_requests", row.unknownCosts)
        output.append("estimated_requests", row.estimated)
        output.append("unfinished_requests", row.unfinished)
    }

    /// Returns the name of a row. Days and minutes are written as dates.
    private func name(of row: UsageRow) -> String {
        switch question.grouping {
        case .key, .model, .upstream: row.name
        case .day: String(time(of: row).prefix(10))
        case .minute: time(of: row).prefix(16) + "Z"
        }
    }

    private func time(of row: UsageRow) -> String {
        let milliseconds = min(max(Int64(row.name) ?? 0, 0), LedgerEntry.latestTime)
        return Timestamp.text(milliseconds * 1_000_000)
    }
}

extension GatewayError {
    static let ledgerOff = GatewayError.invalidRequest(
        404, "This gateway keeps no usage: 'ledger: none' in its configuration turns that off.", code: "ledger_off",
        cause: .unknownRoute)

    static let ledgerUnavailable = GatewayError(
        503, type: "server_error", code: "usage_unavailable",
        message: "The gateway cannot read its usage ledger. Try again later.", cause: .storeFailed,
        headerFields: [.retryAfter: "5"])

    static let ledgerBusy = GatewayError(
        503, type: "server_error", code: "usage_busy",
        message: "Other usage queries are still running. Each key can run one at a time. Try again.",
        cause: .storeFailed, headerFields: [.retryAfter: "1"])

    static let ledgerSlow = GatewayError(
        503, type: "server_error", code: "usage_too_slow",
        message: "The usage query took too long. Query a shorter period, such as '?since=24h'.",
        cause: .storeFailed)

    static func invalidUsageQuery(_ name: String, _ expected: String) -> GatewayError {
        .invalidRequest(400, "'\(name)' must be \(expected).", code: "invalid_value", parameter: name)
    }
}
