internal import HTTPTypes
internal import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgatePrimitives

/// Reason why an upstream gave no list of models.
package enum ModelListFailure: Error, Sendable {
    case transport(TransportError)
    /// Response status other than 200.
    case status(Int)
    /// Response that is not a list of models, or is too large.
    case notAList
}

/// Query for an upstream's list of models, page by page. Loop-confined; its callbacks retain it.
final class ModelListQuestion {
    private let upstream: Upstream
    private let completion: (Result<[ListedModel], ModelListFailure>) -> Void
    private var models: [ListedModel] = []
    private var octets = 0
    private var pages = 0
    /// `after_id` of the last page requested; nil for the first page.
    private var mark: String?
    private let now: () -> Int64
    private let startedAt: Int64

    static let maximumNames = 10_000
    /// Maximum size of all pages together, in bytes.
    static let maximumOctets = 1 << 20
    private static let maximumPages = 20
    /// Time after which no further page is requested.
    static let longest = Duration.seconds(60)
    /// Deadlines for one page.
    static let timeouts = UpstreamTimeouts(connect: .seconds(5), firstByte: .seconds(10), silence: .seconds(10))

    /// - Parameters:
    ///   - now: returns the time in nanoseconds since 1970.
    ///   - completion: called once, possibly before ``start()`` returns. Receives each model once, chat models first.
    init(
        _ upstream: Upstream, now: @escaping () -> Int64,
        completion: @escaping (Result<[ListedModel], ModelListFailure>) -> Void
    ) {
        self.upstream = upstream
        self.completion = completion
        self.now = now
        startedAt = now()
    }

    func start() { askPage(after: nil) }

    /// Returns the headers of the gateway's own requests, such as model lists and health checks.
    static func fields(for kind: UpstreamKind) -> HTTPFields {
        var fields: HTTPFields = [.accept: "application/json", .acceptEncoding: "identity", .userAgent: "headgate"]
        if case .anthropic = kind { fields.append(HTTPField(name: .anthropicVersion, value: "2023-06-01")) }
        return fields
    }

    private func askPage(after name: String?) {
        pages += 1
        mark = name
        var path = "/models"
        if case .anthropic = upstream.kind {
            path += "?limit=1000" + (name.map { "&after_id=\(PercentEncoding.segment($0))" } ?? "")
        }
        let fields = ModelListQuestion.fields(for: upstream.kind)
        let head = upstream.head(.get, path: upstream.path(path), fields: fields)
        _ = upstream.send(UpstreamRequest(head, body: nil, operationID: "listModels")) { [self] result in
            switch result {
            case .success(let response): receive(response)
            case .failure(let error): completion(.failure(.transport(error)))
            }
        }
    }

    private func receive(_ response: UpstreamResponse) {
        guard response.head.status == 200 else {
            if case .stream(let source)? = response.body { source.cancel() }
            return completion(.failure(.status(response.head.status)))
        }
        // Otherwise a page that trickles in byte by byte would never time out.
        if case .stream(let source)? = response.body { source.bytesAreProgress = false }
        let body = response.body ?? .bytes([])
        body.collect(upTo: Self.maximumOctets - octets) { [self] result in
            switch result {
            case .success(let bytes): read(bytes)
            case .failure(let error as TransportError): completion(.failure(.transport(error)))
            case .failure: completion(.failure(.notAList))
            }
        }
    }

    private func read(_ bytes: [UInt8]) {
        octets += bytes.count
        guard let page = try? bytes.withUnsafeBytes({ try ModelList($0) }),
            models.count + page.models.count <= Self.maximumNames
        else { return completion(.failure(.notAList)) }
        models += page.models
        if let next = page.next, isWorthAsking(for: next), !page.models.isEmpty { return askPage(after: next) }
        // Names are compared byte by byte, as upstreams compare them.
        var known: Set<[UInt8]> = []
        completion(.success(ModelUse.talkersFirst(models.filter { known.insert(Array($0.name.utf8)).inserted })))
    }

    /// Returns whether another page should be requested. An upstream could repeat pages forever; at the limit, the list
    /// ends with the names received so far.
    private func isWorthAsking(for next: String) -> Bool {
        // Only Anthropic's API has pages.
        guard case .anthropic = upstream.kind, pages < Self.maximumPages, next != mark else { return false }
        return !ModelCatalogue.isOver(Self.longest, since: startedAt, now())
    }
}
