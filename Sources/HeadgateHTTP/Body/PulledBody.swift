/// Body whose reader requests each chunk, from any task. Transports of the client library respond with it, unless they
/// have the whole body at once or run in the reader's task.
public protocol PulledBody: BodySource, Sendable {
    /// Waits for and returns the next bytes; nil after the last ones. Must be called by one task at a time.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` if the task is cancelled.
    func next() async throws -> [UInt8]?
    /// Returns the whole body, pulled by the caller's task. Cancelling the task cancels the body.
    ///
    /// - Throws: errors of ``next()``; ``HTTPSyntaxError`` with status 413 above `limit` bytes.
    func collect(upTo limit: Int) async throws -> [UInt8]
}

extension PulledBody {
    /// Pushes the pulled chunks to a sink, which is called in one task, one call after the other.
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

    /// Does nothing, since there are no chunks without requests of the reader.
    public func pause() {}
    /// Does nothing, like ``pause()``.
    public func resume() {}
    /// Does nothing, since the transport has its own deadlines.
    public func note(_: BodyProgress) {}
    /// Always true.
    public var bytesAreProgress: Bool {
        get { true }
        set {}
    }

    /// Collects the body chunk by chunk.
    ///
    /// - Throws: errors of ``next()``; ``HTTPSyntaxError`` with status 413 above `limit` bytes.
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
