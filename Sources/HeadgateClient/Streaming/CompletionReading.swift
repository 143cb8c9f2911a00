internal import HTTPTypes
internal import HeadgateHTTP

/// One reading of a streamed response.
final class CompletionReading<Chunk: CompletionChunk> {
    private enum State {
        case unsent(@Sendable () async throws -> (HTTPResponse, HTTPBody?))
        case reading(BodyReader)
        case ended
    }

    /// Octets of a whole response that came in place of a stream.
    private static var wholeLimit: Int { 16 << 20 }

    private let choices: Int
    private var pieces: any PieceReading<Chunk>
    private var state: State
    private var documents = EventDocuments()
    /// Pieces that came together with the last one, the next of them last.
    private var ready: [Chunk] = []
    private var finished: Set<Int> = []
    /// What ended the stream once the pieces before it have been handed out.
    private var failure: (any Error)?

    init(
        choices: Int, pieces: any PieceReading<Chunk>,
        send: @escaping @Sendable () async throws -> (HTTPResponse, HTTPBody?)
    ) {
        self.choices = choices
        self.pieces = pieces
        state = .unsent(send)
    }

    func next() async throws -> Chunk? {
        do {
            while true {
                if let chunk = ready.popLast() { return chunk }
                if let failure { throw failure }
                switch state {
                case .ended: return nil
                case .unsent(let send): try await open(send)
                case .reading(let reader): try await read(reader)
                }
            }
        } catch {
            failure = nil
            state = .ended
            throw HeadgateClientError.translate(error)
        }
    }

    private func open(_ send: () async throws -> (HTTPResponse, HTTPBody?)) async throws {
        let (response, body) = try await send()
        guard !response.isJSON else {
            let bytes = try await BodyReader.collect(body, upTo: Self.wholeLimit)
            if let error = JSONCoding.error(in: bytes) { throw HeadgateClientError.streamFailed(error) }
            ready = [try pieces.whole(bytes)]
            state = .ended
            return
        }
        state = .reading(BodyReader(body))
    }

    private func read(_ reader: BodyReader) async throws {
        let chunk: [UInt8]?
        do {
            chunk = try await reader.next()
        } catch let error as TransportError where error.kind != .cancelled {
            return try end(after: error)
        }
        guard let chunk else { return try end(after: nil) }
        take(from: reader) { documents, receive in try documents.read(chunk, receive) }
    }

    /// Makes pieces of the documents that come, as far as they are good.
    private func take(
        from reader: BodyReader?, _ read: (inout EventDocuments, (EventDocuments.Item) -> Void) throws -> Void
    ) {
        var items: [EventDocuments.Item] = []
        do {
            try read(&documents) { items.append($0) }
        } catch {
            failure = error
        }
        var chunks: [Chunk] = []
        do {
            for item in items {
                if case .done = item, pieces.hasOwnEnd { continue }
                guard case .document(let bytes) = item, let piece = try piece(bytes) else {
                    // Whatever stands behind the end marker does not count.
                    reader?.discardRest()
                    state = .ended
                    failure = nil
                    break
                }
                chunks.append(piece)
            }
        } catch {
            failure = error
        }
        ready = chunks.reversed()
    }

    /// - Returns: nil for one that ends the stream.
    private func piece(_ document: [UInt8]) throws -> Chunk? {
        if let error = JSONCoding.error(in: document) { throw HeadgateClientError.streamFailed(error) }
        guard let chunk = try pieces.piece(of: document) else { return nil }
        finished.formUnion(chunk.finishedChoices)
        return chunk
    }

    /// The body ended without the marker: that is well only when every choice has said why it stopped, and nothing more
    /// has to.
    private func end(after error: TransportError?) throws {
        if error == nil {
            take(from: nil) { documents, receive in try documents.finish(receive) }
            guard failure == nil else { return }
            if case .ended = state { return }
        }
        state = .ended
        guard finished.count < choices || pieces.hasOwnEnd || documents.isInsideDocument else { return }
        let truncation =
            switch error?.kind {
            case .silenceTimeout?, .responseTimeout?: error.map(HeadgateClientError.timedOut)
            default: HeadgateClientError?.none
            }
        failure = truncation ?? HeadgateClientError.streamTruncated(error)
    }
}

extension HTTPResponse {
    /// Whether the body is a JSON document and no stream.
    fileprivate var isJSON: Bool {
        let type = headerFields.first(.contentType) ?? ""
        return type.prefix { $0 != ";" && $0 != " " }.lowercased() == "application/json"
    }
}
