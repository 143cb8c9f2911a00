internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateNetwork
internal import HeadgateRelay

/// Client of a Redis server with cached responses, for one loop. Loop-confined.
final class RedisCache {
    struct Question: Sendable {
        let keys: [CacheKey]
        /// Nanoseconds since 1970.
        let now: Int64
        /// Nanoseconds.
        let maximumAge: Int64?
        let completion: @Sendable (FoundResponse?) -> Void
    }

    /// Receives events, on the loop or on a side thread.
    struct Observer: Sendable {
        /// Called with nil when the server can be used, and otherwise with the reason why it cannot.
        let changed: @Sendable (_ failure: String?) -> Void
        /// Called if an entry is not a stored response.
        let damaged: @Sendable () -> Void
        /// Called with nil if a response is stored, and otherwise with the reason.
        let kept: @Sendable (_ failure: String?) -> Void
    }

    private let loop: EventLoop
    private let observer: Observer
    private var connection: RedisConnection?
    /// Bytes of responses on their way to the server.
    private var underWay = 0

    /// Maximum bytes of one entry.
    static let largest = 1 << 20
    /// Maximum of ``underWay``. A reply to the next command arrives after these bytes are sent, within the usual time
    /// limit.
    private static let mostUnderWay = 4 << 20
    /// Bytes above which the checksum would delay a loop.
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

    /// Returns the name of an entry. It contains a digest, which reveals neither a prompt nor a client key.
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

    /// - Parameter lifetime: milliseconds.
    func keep(_ response: CachedResponse, as key: CacheKey, for lifetime: Int) {
        let size = response.size
        // As documented, larger responses are stored only in memory or on disk.
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
            // Only the first word: the rest can repeat what was sent.
            case .error: observer.kept("the server refuses it (\(reply?.errorCode ?? ""))")
            default: break
            }
        }
    }
}
