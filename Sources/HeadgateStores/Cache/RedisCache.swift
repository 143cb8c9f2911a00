internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateNetwork
internal import HeadgateRelay

/// Cached responses in a Redis server, as one loop reaches it. Loop-confined.
final class RedisCache {
    struct Question: Sendable {
        let keys: [CacheKey]
        /// Nanoseconds since 1970.
        let now: Int64
        /// In nanoseconds.
        let maximumAge: Int64?
        let completion: @Sendable (FoundResponse?) -> Void
    }

    /// Told on the loop, or on a side thread.
    struct Observer: Sendable {
        /// Given nil when the server can be used, else why it cannot.
        let changed: @Sendable (_ failure: String?) -> Void
        /// Called if an entry is not a stored response.
        let damaged: @Sendable () -> Void
        /// Called with nil if a response is stored, and otherwise with the reason.
        let kept: @Sendable (_ failure: String?) -> Void
    }

    private let loop: EventLoop
    private let observer: Observer
    private var connection: RedisConnection?
    /// Bytes of responses that are on their way to the server.
    private var underWay = 0

    /// Bytes of one entry.
    static let largest = 1 << 20
    /// Bytes that may be on their way: they come before the next answer, which is not waited for longer than others.
    private static let mostUnderWay = 4 << 20
    /// Bytes of which the checksum would hold up a loop.
    private static let long = 32 << 10

    init(
        _ access: RedisAccess, resolver: NameResolver, on loop: EventLoop, patience: RedisPatience, observer: Observer
    ) {
        self.loop = loop
        self.observer = observer
        connection = RedisConnection(access, resolver: resolver, on: loop, patience: patience) { change in
            switch change {
            case .up: observer.changed(nil)
            case .down(let reason): observer.changed(reason)
            }
        }
    }

    func start() { connection?.start() }

    func stop() {
        connection?.stop()
        connection = nil
    }

    /// A digest: neither a prompt nor a client key can be read from it.
    static func name(of key: CacheKey) -> String { "headgate:cache:" + key.digest.hexadecimal }

    // MARK: Finding

    func find(_ question: Question) {
        guard let connection, connection.isUp else { return question.completion(nil) }
        var command = RedisCommand("MGET")
        for key in question.keys { command.append(RedisCache.name(of: key)) }
        connection.call(command) { [weak self] reply in
            guard let self, let reply else { return question.completion(nil) }
            receive(reply, for: question)
        }
    }

    private func receive(_ reply: RedisReply, for question: Question) {
        guard let values = reply.list, values.count == question.keys.count else {
            question.completion(nil)
            connection?.fail(reply.errorCode.map { "it refuses MGET (\($0))" } ?? "it answers what was not asked")
            return
        }
        let octets = values.reduce(0) { if case .bytes(let bytes) = $1 { $0 + bytes.count } else { $0 } }
        let observer = observer
        guard octets > RedisCache.long else { return RedisCache.answer(question, by: values, observer) }
        _ = loop.aside {
            RedisCache.answer(question, by: values, observer)
            return true
        } completion: { isDone in
            if isDone == nil { question.completion(nil) }
        }
    }

    private static func answer(_ question: Question, by values: [RedisReply], _ observer: Observer) {
        for (key, value) in zip(question.keys, values) where value != .none {
            guard case .bytes(let bytes) = value, bytes.count <= largest,
                let response = CachedResponse(file: bytes, for: key)
            else {
                observer.damaged()
                continue
            }
            guard response.isFresh(at: question.now, maximumAge: question.maximumAge) else { continue }
            return question.completion(FoundResponse(response, key))
        }
        question.completion(nil)
    }

    // MARK: Keeping

    /// - Parameter lifetime: in milliseconds.
    func keep(_ response: CachedResponse, as key: CacheKey, for lifetime: Int) {
        let size = response.size
        // By documentation, larger responses are stored only in memory or on disk.
        guard connection?.isUp == true, size <= RedisCache.largest else { return }
        guard underWay + size <= RedisCache.mostUnderWay else {
            return observer.kept("more is to be kept than the server takes")
        }
        underWay += size
        guard size > RedisCache.long else { return send(response.file(for: key), as: key, for: lifetime, size) }
        _ = loop.aside {
            response.file(for: key)
        } completion: { [self] file in
            if let file { send(file, as: key, for: lifetime, size) } else { underWay -= size }
        }
    }

    private func send(_ file: [UInt8], as key: CacheKey, for lifetime: Int, _ size: Int) {
        guard let connection, connection.isUp, file.count <= RedisCache.largest else {
            underWay -= size
            return
        }
        var command = RedisCommand("SET", RedisCache.name(of: key))
        command.append(file)
        for word in ["PX", String(lifetime)] { command.append(word) }
        connection.call(command) { [self] reply in
            underWay -= size
            switch reply {
            case .status("OK"): observer.kept(nil)
            // Its first word alone: the rest may repeat what was sent.
            case .error: observer.kept("the server refuses it (\(reply?.errorCode ?? ""))")
            default: break
            }
        }
    }
}
