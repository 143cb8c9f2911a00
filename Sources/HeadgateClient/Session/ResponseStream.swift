/// A response of a session as it grows: each element is the whole response so far.
///
/// It can be iterated once. Leaving the loop early, or cancelling its task, stops the response; the part received stays
/// in the transcript.
///
/// - Throws: ``HeadgateClientError``, after everything received before it, which stays in the transcript as a partial
///   message. Errors of middleware, the transport and the closure for the key are rethrown.
public struct ResponseStream: AsyncSequence, Sendable {
    /// The response so far.
    public typealias Element = ChatResponse

    let updates: UpdateQueue
    let visit: ResponseVisit

    /// The text alone, piece by piece.
    public var deltas: ResponseDeltas { ResponseDeltas(snapshots: self) }

    /// A loop over the response, for one task.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(updates: updates, whole: visit, visit: visit.again())
    }

    /// The place in a response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let updates: UpdateQueue
        /// The stream may be gone while its loop runs.
        let whole: ResponseVisit
        let visit: ResponseVisit
        var response = ChatResponse()

        /// The response so far, longer than before; nil after the end.
        ///
        /// - Throws: as ``ResponseStream`` does.
        @concurrent public mutating func next() async throws -> ChatResponse? {
            do {
                guard let update = try await updates.next(), visit.give(update) else {
                    // Also when the task was cancelled.
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

    /// A loop over the text, for one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(snapshots: snapshots.makeAsyncIterator()) }

    /// The place in a text.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var snapshots: ResponseStream.AsyncIterator
        var length = 0

        /// The next piece of text, never an empty one; nil after the end.
        ///
        /// - Throws: as ``ResponseStream`` does.
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
