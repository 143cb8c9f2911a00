internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Content of one request, from its body to the last chunk of its response. Its own loop writes it, and others read it.
final class InspectedRequest: Sendable {
    /// Number of the request in the process, from 1.
    let number: Int
    let operation: String
    /// Path without the query, because some clients put a key there.
    let path: String
    /// Nanoseconds since 1970.
    let startedAt: Int64
    /// Mask of the keys that were known when the request arrived.
    private let mask: SecretMask
    /// Upstreams at the time of the request. Their programs can print keys later.
    private let definitions: [UpstreamDefinition]
    /// Maximum bytes that are stored of each body.
    private let limit: Int
    /// Monotonic nanoseconds.
    private let start: UInt64
    /// Stored content; nil once newer requests have displaced it.
    private let content: Locked<InspectedContent?>

    /// - Parameter startedAt: nanoseconds since 1970.
    init(
        _ number: Int, _ request: RelayRequest, of operation: String, to definitions: [UpstreamDefinition],
        mask: SecretMask, limit: Int, startedAt: Int64
    ) {
        self.number = number
        self.operation = operation
        path = request.head.withPath { String(decoding: $0.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) }
        self.startedAt = startedAt
        self.mask = mask
        self.definitions = definitions
        self.limit = limit
        start = request.metadata.record.now
        let fields = InspectedContent.masked(request.head.fields.httpFields, [mask])
        content = Locked(InspectedContent(fields: fields, body: CutBody(request.envelope.bytes, limit: limit)))
    }

    /// Removes the content; later calls do nothing.
    func forget() { content.withLock { $0 = nil } }

    /// Returns the content with every secret masked; nil once it is displaced.
    ///
    /// - Parameter definitions: current upstreams, whose keys can be newer than the request.
    func shown(_ definitions: [UpstreamDefinition]) -> InspectedContent? {
        content.withLock(\.self)?.masked([mask, SecretMask(definitions + self.definitions)])
    }

    // MARK: The response to the client

    /// Notes the response and returns it, with a body whose chunks are noted.
    func receive(
        _ result: Result<ServerResponse, any Error>, _ record: RequestRecord
    ) -> Result<ServerResponse, any Error> {
        switch result {
        case .failure(let error):
            update { $0.error = (error as? GatewayError)?.message }
            end(record)
            return result
        case .success(var response):
            update { $0.status = response.head.status }
            switch response.body {
            case nil: end(record)
            case .bytes(let bytes):
                bytes.withUnsafeBytes { append($0, record) }
                end(record)
            case .stream(let source): response.body = .stream(InspectedBody(source, self, record))
            }
            return .success(response)
        }
    }

    fileprivate func append(_ chunk: UnsafeRawBufferPointer, _ record: RequestRecord) {
        let (limit, elapsed) = (limit, record.now - start)
        update { $0.append(chunk, at: elapsed, limit: limit) }
    }

    fileprivate func end(_ record: RequestRecord) {
        let elapsed = record.now - start
        update { $0.endedAt = $0.endedAt ?? elapsed }
    }

    private func update(_ change: (inout InspectedContent) -> Void) {
        content.withLock { content in
            guard content != nil else { return }
            change(&content!)
        }
    }

    // MARK: Attempts

    /// Notes the request that is sent to an upstream.
    ///
    /// - Returns: index of the attempt; nil if no more are stored.
    func begin(_ request: UpstreamRequest, to url: BaseURL, _ record: RequestRecord) -> Int? {
        let head = request.wholeHead
        let fields = InspectedContent.masked(head.headerFields, [mask])
        let body: [UInt8]? = if case .bytes(let bytes)? = request.body { bytes } else { nil }
        let place = mask.masked("\(head.method.rawValue) \(url.authority)\(head.path ?? "/")")
        let attempt = InspectedAttempt(
            upstream: record.facts.upstream ?? "", place: place, startedAt: record.now - start, fields: fields,
            body: body.map { CutBody($0, limit: limit) })
        return content.withLock { $0?.add(attempt, limit: limit) }
    }

    /// Notes the head of an attempt's response. An error's body is noted, too.
    func receive(
        _ result: Result<UpstreamResponse, TransportError>, ofAttempt index: Int, _ record: RequestRecord
    ) -> Result<UpstreamResponse, TransportError> {
        let elapsed = record.now - start
        if definitions.contains(where: { $0.issuedKeys != nil }) {
            let mask = SecretMask(definitions)
            update { $0.masks.append(mask) }
        }
        switch result {
        case .failure(let error):
            update(index) { attempt in
                attempt.respondedAt = elapsed
                attempt.error = GatewayError.transport(error, upstream: attempt.upstream).label
            }
            return result
        case .success(var response):
            update(index) { attempt in
                attempt.respondedAt = elapsed
                attempt.status = response.head.status
            }
            guard response.head.status >= 400 else { return result }
            switch response.body {
            case nil: break
            case .bytes(let bytes): bytes.withUnsafeBytes { appendError($0, toAttempt: index) }
            case .stream(let source): response.body = .stream(InspectedErrorBody(source, self, index))
            }
            return .success(response)
        }
    }

    fileprivate func appendError(_ chunk: UnsafeRawBufferPointer, toAttempt index: Int) {
        let limit = limit
        update(index) { $0.response.append(chunk, limit: min(limit, InspectedAttempt.longestError)) }
    }

    private func update(_ index: Int, _ change: (inout InspectedAttempt) -> Void) {
        update { change(&$0.attempts[index]) }
    }
}

/// Stage that stores the response on its way to the client.
private final class InspectedBody: BodyStage {
    private let request: InspectedRequest
    private let record: RequestRecord

    init(_ source: any BodySource, _ request: InspectedRequest, _ record: RequestRecord) {
        self.request = request
        self.record = record
        super.init(source)
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        request.append(chunk, record)
        pass(chunk)
    }

    override func ended() { request.end(record) }
}

/// Stage that stores an upstream's error on its way to the gateway.
private final class InspectedErrorBody: BodyStage {
    private let request: InspectedRequest
    private let index: Int

    init(_ source: any BodySource, _ request: InspectedRequest, _ index: Int) {
        self.request = request
        self.index = index
        super.init(source)
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        request.appendError(chunk, toAttempt: index)
        pass(chunk)
    }
}
