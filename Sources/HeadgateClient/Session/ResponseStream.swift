/// A response of a session as it grows. Each element is the whole response so far.
///
/// It can be iterated once. Leaving the loop early, or canceling its task, cancels the response. The part received
/// stays in the transcript.
///
/// - Throws: ``HeadgateClientError``, after everything received before it, which stays in the transcript as a partial
///   message. Errors of middleware, the transport and the closure for the key are rethrown.
public struct ResponseStream: AsyncSequence, Sendable {
    /// The response so far.
    public typealias Element = ChatResponse

    let updates: UpdateQueue
    let visit: ResponseVisit

    /// The text only, piece by piece.
    public var deltas: ResponseDeltas { ResponseDeltas(snapshots: self) }

    /// Creates an iterator over the response, for use in one task.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(updates: updates, whole: visit, visit: visit.again())
    }

    /// An iterator over the response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let updates: UpdateQueue
        /// Keeps the reading alive, because the stream can be deallocated while its loop runs.
        let whole: ResponseVisit
        let visit: ResponseVisit
        var response = ChatResponse()

        /// Returns the response so far, longer than before; nil after the end.
        ///
        /// - Throws: As ``ResponseStream`` does.
        @concurrent public mutating func next() async throws -> ChatResponse? {
            do {
                guard let update = try await updates.next(), visit.give(update) else {
                    // This also covers a canceled task.
                    visit.leave()
                    return nil
                }
                response.apply(update)
                return response
            } catch {
                visit.fail()
                throw error
            }
        }
    }
}

/// The text of a response, piece by piece; see ``ResponseStream``.
public struct ResponseDeltas: AsyncSequence, Sendable {
    /// A piece of the text.
    public typealias Element = String

    let snapshots: ResponseStream

    /// Creates an iterator over the text, for use in one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(snapshots: snapshots.makeAsyncIterator()) }

    /// An iterator over the text.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var snapshots: ResponseStream.AsyncIterator
        var length = 0

        /// Returns the next piece of text, which is never empty; nil after the end.
        ///
        /// - Throws: As ``ResponseStream`` does.
        @concurrent public mutating func next() async throws -> String? {
            while let response = try await snapshots.next() {
                let text = response.content.utf8
                guard text.count > length else { continue }
                let piece = String(decoding: text.dropFirst(length), as: UTF8.self)
                length = text.count
                return piece
            }
            return nil
        }
    }
}
