internal import HeadgateHTTP
internal import HeadgateRelay

/// One of the requests that get a coalesced response. Loop-confined.
final class CacheReader: Cancellable, ReplayReader {
    private let flight: CacheFlight
    private let number: Int
    private let reader: Int
    private let result: CacheResult
    private let metadata: ServerRequestMetadata
    private var completion: RequestHandler.Completion?

    /// - Parameter completion: called once, possibly before ``start()`` returns.
    init(
        _ flight: CacheFlight, _ number: Int, _ reader: Int, _ result: CacheResult,
        _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        self.flight = flight
        self.number = number
        self.reader = reader
        self.result = result
        self.metadata = metadata
        self.completion = completion
    }

    /// Waits for the head.
    ///
    /// - Returns: a handle that cancels the request; nil if it is already over.
    func start() -> (any Cancellable)? {
        let wake = metadata.waker { [self] in headOrEnd() }
        let waits = flight.change(number) { $0.waitForHead(reader, wake) } ?? false
        if !waits { headOrEnd() }
        return completion == nil ? nil : self
    }

    private func headOrEnd() {
        guard completion != nil else { return }
        if let kept = flight.change(number, { $0.kept }) ?? nil {
            leave()
            metadata.record.facts.notes[.cache] = CacheResult.hit.rawValue
            return complete(flight.response(from: kept, metadata))
        }
        let found = flight.change(number) { ($0.head, $0.end, $0.document) }
        switch found {
        case (let head?, _, let document?)?:
            leave()
            complete(.success(response(head, .bytes(document))))
        case (let head?, _, nil)?:
            let body = ReplayBody(self, metadata)
            complete(.success(response(head, .stream(flight.hidesUsage ? UsageFilter(body) : body))))
        case (nil, .failed(let error)?, _)?:
            leave()
            complete(.failure(error))
        default:
            leave()
            complete(.failure(TransportError(.cancelled)))
        }
    }

    private func response(_ head: CachedHead, _ body: HTTPBody) -> ServerResponse {
        guard result == .miss else { return CacheFields.again(head, age: 0, body, flight.next) }
        var response = ServerResponse(head.response, body)
        response.hasRequestID = head.hasRequestID
        return CacheFields.marked(response, .miss, flight.next)
    }

    // MARK: The body

    func read(_ wake: @escaping @Sendable () -> Void) -> (part: ReplayBody.Part, writer: (@Sendable () -> Void)?) {
        guard let (reading, writer) = flight.change(number, { $0.read(reader, wake) }) else {
            return (.end(.failure(TransportError(.cancelled))), nil)
        }
        let part: ReplayBody.Part =
            switch reading {
            case .chunks(let chunks): .bytes(chunks.count == 1 ? chunks[0].bytes : chunks.flatMap(\.bytes))
            case .fellBehind: .lost(.readerFellBehind)
            case .later: .later
            case .end(.complete): .end(.success(.complete))
            case .end(.broken): .end(.success(.completeThenClose))
            case .end(.failed(let error)): .end(.failure(error))
            }
        return (part, writer)
    }

    var brokenResponse: BrokenResponse { BrokenResponse(requestID: metadata.record.requestID) }

    func leave() {
        // Both optionals can be nil: the flight is over, or there is no one to wake.
        if let wake = flight.change(number, { $0.leave(reader) }) ?? nil { wake() }
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        completion.take()?(result)
    }

    func cancel() {
        guard completion != nil else { return }
        leave()
        complete(.failure(TransportError(.cancelled)))
    }
}
