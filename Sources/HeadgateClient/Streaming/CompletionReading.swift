internal import HTTPTypes
internal import HeadgateHTTP

/// One reading of a streamed response.
final class CompletionReading<Chunk: CompletionChunk> {
    private enum State {
        case unsent(@Sendable () async throws -> (HTTPResponse, HTTPBody?))
        case reading(BodyReader)
        case ended
    }

    private struct Piece {
        let chunk: Chunk
        let eventID: [UInt8]
        /// Members up to this chunk that the stream sends only once.
        let beginning: StreamPosition.Beginning?
    }

    /// Maximum bytes of a whole response that arrives instead of a stream.
    private static var wholeLimit: Int { 16 << 20 }

    private let choices: Int
    private var pieces: any PieceReading<Chunk>
    private var state: State
    private var documents = EventDocuments()
    /// Pieces that arrived together with the last one, in reverse order.
    private var ready: [Piece] = []
    private var finished: Set<Int> = []
    /// Error that ends the stream after the pieces before it.
    private var failure: (any Error)?
    private let resumption: StreamResumption?
    private var streamID: String?
    /// Event id of the last returned piece.
    private var eventID: [UInt8] = []
    /// Members that the stream sends only once, up to the last returned piece.
    private var beginning: StreamPosition.Beginning?
    /// Choices finished by the returned pieces; nil if earlier pieces are unknown.
    private var finishedBefore: Set<Int>?
    /// Whether the server has no more of a response that is incomplete.
    private var isIncomplete = false
    /// Number of attempts to resume since the last piece.
    private var resumed = 0

    init(
        choices: Int, pieces: any PieceReading<Chunk>, resumption: StreamResumption? = nil,
        send: @escaping @Sendable () async throws -> (HTTPResponse, HTTPBody?)
    ) {
        self.choices = choices
        self.pieces = pieces
        self.resumption = resumption
        let position = resumption?.position
        streamID = position?.streamID
        finishedBefore = position == nil ? [] : position?.progress.map { Set($0.finished) }
        finished = finishedBefore ?? []
        if position != nil { self.pieces.beginning = position?.progress?.beginning ?? .init(id: "", model: "") }
        beginning = self.pieces.beginning
        state = .unsent(send)
    }

    /// Position of the reader; nil if the server does not store the stream.
    var position: StreamPosition? {
        guard let streamID, !eventID.isEmpty else { return nil }
        var position = StreamPosition(streamID: streamID, lastEventID: String(decoding: eventID, as: UTF8.self))
        position.progress = finishedBefore.map {
            StreamPosition.Progress(finished: $0.sorted(), beginning: beginning)
        }
        return position
    }

    func next() async throws -> Chunk? {
        do {
            while true {
                if let piece = ready.popLast() {
                    eventID = piece.eventID
                    beginning = piece.beginning
                    resumed = 0
                    finishedBefore?.formUnion(piece.chunk.finishedChoices)
                    return piece.chunk
                }
                if let failure {
                    guard try await resume(after: failure) else { throw failure }
                    continue
                }
                switch state {
                case .ended:
                    guard !isIncomplete else { throw HeadgateClientError.streamTruncated(nil) }
                    return nil
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

    /// - Returns: Whether the stream continues; false after any failure other than a broken connection.
    private func resume(after failure: any Error) async throws -> Bool {
        guard let resumption, let position, CompletionReading.isBroken(failure) else { return false }
        guard resumed < resumption.times else { return false }
        resumed += 1
        do {
            try await resumption.wait(before: resumed)
            try await open { try await resumption.send(position) }
        } catch {
            guard CompletionReading.isBroken(HeadgateClientError.translate(error)) else { throw error }
            self.failure = error
            return true
        }
        self.failure = nil
        documents.restart()
        return true
    }

    private static func isBroken(_ error: any Error) -> Bool {
        switch error as? HeadgateClientError {
        case .streamTruncated, .timedOut, .connectionFailed: true
        default: false
        }
    }

    private func open(_ send: () async throws -> (HTTPResponse, HTTPBody?)) async throws {
        let (response, body) = try await send()
        guard !response.isJSON else {
            let bytes = try await BodyReader.collect(body, upTo: Self.wholeLimit)
            if let error = JSONCoding.error(in: bytes) { throw HeadgateClientError.streamFailed(error) }
            ready = [Piece(chunk: try pieces.whole(bytes), eventID: [], beginning: nil)]
            state = .ended
            return
        }
        guard response.status != .noContent else {
            state = .ended
            // The server has nothing after the position, not even the end of the stream.
            if let finishedBefore { isIncomplete = pieces.hasOwnEnd || finishedBefore.count < choices }
            return
        }
        // A resumed stream keeps the id of the original request.
        streamID = streamID ?? response.headerFields.first(.xRequestID)
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

    /// Converts received documents to pieces, up to the first invalid one.
    private func take(
        from reader: BodyReader?, _ read: (inout EventDocuments, (EventDocuments.Item, [UInt8]) -> Void) throws -> Void
    ) {
        var items: [(item: EventDocuments.Item, id: [UInt8])] = []
        do {
            try read(&documents) { items.append(($0, $1)) }
        } catch {
            failure = error
        }
        var chunks: [Piece] = []
        do {
            for (item, id) in items {
                if case .done = item, pieces.hasOwnEnd { continue }
                guard case .document(let bytes) = item, let piece = try piece(bytes) else {
                    leave(reader)
                    break
                }
                chunks.append(Piece(chunk: piece, eventID: id, beginning: pieces.beginning))
                if pieces.isOver {
                    leave(reader)
                    break
                }
            }
        } catch {
            failure = error
        }
        ready = chunks.reversed()
    }

    /// Ends the stream. Bytes after the end marker are ignored.
    private func leave(_ reader: BodyReader?) {
        reader?.discardRest()
        state = .ended
        failure = nil
    }

    /// - Returns: Nil if the document ends the stream.
    private func piece(_ document: [UInt8]) throws -> Chunk? {
        if let error = JSONCoding.error(in: document) { throw HeadgateClientError.streamFailed(error) }
        guard let chunk = try pieces.piece(of: document) else { return nil }
        finished.formUnion(chunk.finishedChoices)
        return chunk
    }

    /// Ends a body without an end marker. It is complete only if every choice has a finish reason, and the format
    /// requires no other end.
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
    /// Whether the body is a JSON document and not a stream.
    var isJSON: Bool {
        let type = headerFields.first(.contentType) ?? ""
        return type.prefix { $0 != ";" && $0 != " " }.lowercased() == "application/json"
    }
}
