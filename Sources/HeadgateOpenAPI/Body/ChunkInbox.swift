package import HeadgateHTTP
internal import HeadgatePrimitives

/// Holds chunks of a pushing source until they are requested. Must be used only where the source runs: in the reader's
/// task, or on its loop.
package final class ChunkInbox: BodySink {
    /// Maximum unread bytes; above this, the source is paused.
    private static let highWater = 64 << 10

    private let source: any BodySource
    private var bytes: [UInt8] = []
    private var end: Result<Void, any Error>?
    private var isPaused = false
    /// Continuation of the waiting reader. Cancellation also uses it, from any thread.
    private let waiting = Locked<UnsafeContinuation<Void, Never>?>(nil)

    package init(_ source: any BodySource) {
        self.source = source
        source.start(self)
    }

    package func next() async throws -> [UInt8]? {
        if bytes.isEmpty, end == nil {
            if isPaused {
                isPaused = false
                source.resume()
            }
            try await waitForMore()
        }
        guard bytes.isEmpty else {
            let chunk = bytes
            bytes = []
            return chunk
        }
        try end?.get()
        return nil
    }

    private func waitForMore() async throws {
        guard bytes.isEmpty, end == nil else { return }
        let waiting = waiting
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                waiting.withLock { $0 = continuation }
                // The task can be canceled before this waiter is registered.
                if Task.isCancelled { ChunkInbox.wake(waiting) }
            }
        } onCancel: {
            ChunkInbox.wake(waiting)
        }
        if Task.isCancelled, bytes.isEmpty, end == nil {
            cancel()
            throw CancellationError()
        }
    }

    private static func wake(_ waiting: Locked<UnsafeContinuation<Void, Never>?>) {
        let continuation = waiting.withLock { waiting in
            let continuation = waiting
            waiting = nil
            return continuation
        }
        continuation?.resume()
    }

    package func receive(_ chunk: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: chunk)
        if bytes.count > ChunkInbox.highWater, !isPaused {
            isPaused = true
            source.pause()
        }
        ChunkInbox.wake(waiting)
    }

    package func finish(_: BodyEnd) { finish(.success(())) }
    package func fail(_ error: any Error) { finish(.failure(error)) }

    package func cancel() {
        guard end == nil else { return }
        end = .success(())
        source.cancel()
    }

    package func discardRest() {
        guard end == nil else { return }
        end = .success(())
        source.discardRest()
    }

    private func finish(_ result: Result<Void, any Error>) {
        guard end == nil else { return }
        end = result
        ChunkInbox.wake(waiting)
    }
}
