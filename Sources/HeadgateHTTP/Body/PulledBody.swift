/// A body whose reader asks for each chunk, from any task. This is what a transport of the client library responds
/// with, unless it has the whole body at once or runs in the reader's own task.
public protocol PulledBody: BodySource, Sendable {
    /// The next bytes; nil after the last. Waits for them; called by one task at a time.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` when the task is cancelled.
    func next() async throws -> [UInt8]?
    /// The whole body, pulled by the caller's own task, with which it is cancelled.
    ///
    /// - Throws: what ``next()`` throws; ``HTTPSyntaxError`` with status 413 above `limit` octets.
    func collect(upTo limit: Int) async throws -> [UInt8]
}

extension PulledBody {
    /// Pushes what it pulls, for readers of that style; the sink is called in one task, one call after the other.
    public func start(_ sink: any BodySink) {
        // Only the task uses the sink from here on: a reader hands it over when it starts the source.
        nonisolated(unsafe) let sink = sink
        Task {
            do {
                while let chunk = try await next() { chunk.withUnsafeBytes { sink.receive($0) } }
                sink.finish(.complete)
            } catch {
                sink.fail(error)
            }
        }
    }

    /// Nothing: a reader that asks for nothing gets nothing.
    public func pause() {}
    /// Nothing, like ``pause()``.
    public func resume() {}
    /// Nothing: the transport has its own deadlines.
    public func note(_: BodyProgress) {}
    /// Always true.
    public var bytesAreProgress: Bool {
        get { true }
        set {}
    }

    /// Chunk by chunk.
    ///
    /// - Throws: what ``next()`` throws; ``HTTPSyntaxError`` with status 413 above `limit` octets.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try await next() {
            guard chunk.count <= limit - bytes.count else {
                cancel()
                throw HTTPSyntaxError.bodyTooLarge(limit: limit)
            }
            bytes += chunk
        }
        return bytes
    }
}
