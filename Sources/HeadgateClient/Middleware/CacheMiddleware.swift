public import HTTPTypes
public import HeadgateHTTP
internal import HeadgatePrimitives

/// Responds to identical requests from memory. Requests are identical if their bytes, their server and their headers,
/// including the key, are equal.
///
/// Only complete, successful responses are stored, and a stream must have reached its end marker. A stored response is
/// returned at once, with an `age` header. A request with `Cache-Control: no-store` or `no-cache` bypasses the cache.
public final class CacheMiddleware: ClientMiddleware {
    /// Default operations whose responses are stored. Their requests do not change anything at the server.
    public static let usualOperations: Set<String> = [
        "createChatCompletion", "createCompletion", "createEmbedding", "createMessage", "createModeration",
        "createRerank", "countMessageTokens", "countResponseTokens",
    ]

    private let operations: Set<String>
    private let entryLimit: Int
    private let store: Locked<ResponseCache>

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - maximumAge: Time for which a stored response is used.
    ///   - maximumBytes: Maximum bytes of all stored responses and requests. The least recently used ones are evicted
    ///     first.
    ///   - operations: Operations whose responses are stored.
    public init(
        maximumAge: Duration = .seconds(600), maximumBytes: Int = 16 << 20,
        operations: Set<String> = CacheMiddleware.usualOperations
    ) {
        self.operations = operations
        entryLimit = maximumBytes / 4
        store = Locked(ResponseCache(maximumAge: maximumAge, maximumBytes: maximumBytes))
    }

    /// Number of requests that were served from memory.
    public var hits: Int { store.withLock { $0.hits } }
    /// Number of requests that could have been served from memory, but had no stored response.
    public var misses: Int { store.withLock { $0.misses } }

    /// Removes all stored responses.
    public func removeAll() { store.withLock { $0.removeAll() } }

    /// Returns a stored response, or sends the request and stores the response.
    ///
    /// - Throws: An error of the rest of the chain.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        guard let key = key(request, body, baseURL, operationID) else { return try await next(request, body, baseURL) }
        if let kept = store.withLock({ $0.find(key, at: .now) }) {
            var head = kept.head
            head.headerFields[.age] = "\(kept.age.components.seconds)"
            return (head, .bytes(kept.body))
        }
        let (response, body) = try await next(request, body, baseURL)
        guard response.status == .ok, let body else { return (response, body) }
        return (response, .stream(recording(body, of: response, for: key)))
    }

    private func key(
        _ request: HTTPRequest, _ body: HTTPBody?, _ baseURL: BaseURL, _ operationID: String
    ) -> ResponseCache.Key? {
        guard operations.contains(operationID), case .bytes(let bytes)? = body else { return nil }
        let wish = request.headerFields[.cacheControl]?.lowercased() ?? ""
        guard !wish.contains("no-store"), !wish.contains("no-cache") else { return nil }
        return ResponseCache.Key(request: request, server: baseURL, body: bytes)
    }

    private func recording(_ body: HTTPBody, of response: HTTPResponse, for key: ResponseCache.Key) -> ObservedBody {
        let recording = Locked<[UInt8]?>([])
        let (limit, store) = (entryLimit, store)
        return ObservedBody(body) { chunk in
            recording.withLock { bytes in
                if let length = bytes?.count, length + chunk.count <= limit {
                    bytes?.append(contentsOf: chunk)
                } else {
                    bytes = nil
                }
            }
        } onEnd: { end in
            switch end {
            case .complete, .enough: break
            case .failed, .left: return
            }
            guard let bytes = recording.withLock({ $0 }), ResponseCache.isWhole(bytes, of: response) else { return }
            store.withLock { $0.keep(response, bytes, for: key, at: .now) }
        }
    }
}
