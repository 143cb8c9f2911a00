internal import HeadgateHTTP
internal import HeadgatePrimitives

/// A body that reports the chunks that its reader receives, and once its end.
final class ObservedBody: PulledBody {
    enum End {
        /// The last byte was read.
        case complete
        case failed(any Error)
        /// The reader does not need the rest.
        case enough
        /// The reader stopped before the end.
        case left
    }

    // Used by one task at a time, like every pulled body.
    private nonisolated(unsafe) let reader: BodyReader
    private let onChunk: @Sendable ([UInt8]) -> Void
    private let onEnd: Locked<(@Sendable (End) -> Void)?>

    init(_ body: HTTPBody, onChunk: @escaping @Sendable ([UInt8]) -> Void, onEnd: @escaping @Sendable (End) -> Void) {
        reader = BodyReader(body)
        self.onChunk = onChunk
        self.onEnd = Locked(onEnd)
    }

    deinit { end(.left) }

    func next() async throws -> [UInt8]? {
        do {
            guard let chunk = try await reader.next() else {
                end(.complete)
                return nil
            }
            onChunk(chunk)
            return chunk
        } catch {
            end(.failed(error))
            throw error
        }
    }

    func cancel() {
        reader.cancel()
        end(.left)
    }

    func discardRest() {
        reader.discardRest()
        end(.enough)
    }

    private func end(_ end: End) {
        let report = onEnd.withLock { report in
            defer { report = nil }
            return report
        }
        report?(end)
    }
}
