package import HeadgateHTTP

/// Reads a body chunk by chunk in one task. A body that is not read to its end is canceled when its reader is
/// deallocated.
package final class BodyReader {
    private enum Source {
        case bytes([UInt8])
        case pulled(any PulledBody)
        case pushed(ChunkInbox)
        case ended
    }

    private var source: Source

    package init(_ body: HTTPBody?) {
        switch body {
        case nil: source = .ended
        case .bytes(let bytes)?: source = .bytes(bytes)
        case .stream(let body)?:
            if let body = body as? any PulledBody {
                source = .pulled(body)
            } else {
                source = .pushed(ChunkInbox(body))
            }
        }
    }

    deinit { cancel() }

    /// Returns the next bytes, which are never empty; nil after the last.
    package func next() async throws -> [UInt8]? {
        while true {
            let chunk: [UInt8]?
            switch source {
            case .ended: return nil
            case .bytes(let bytes):
                source = .ended
                chunk = bytes
            case .pulled(let body): chunk = try await body.next()
            case .pushed(let inbox): chunk = try await inbox.next()
            }
            guard let chunk else {
                source = .ended
                return nil
            }
            if !chunk.isEmpty { return chunk }
        }
    }

    /// Returns the whole body. Canceling the task cancels the body at once, in any phase.
    ///
    /// - Throws: The error that ended the body early, or ``HTTPSyntaxError`` with status 413 if the body exceeds
    ///   `limit` bytes.
    package static func collect(_ body: HTTPBody?, upTo limit: Int) async throws -> [UInt8] {
        let reader = BodyReader(body)
        var bytes: [UInt8] = []
        while let chunk = try await reader.next() {
            guard chunk.count <= limit - bytes.count else { throw HTTPSyntaxError.bodyTooLarge(limit: limit) }
            bytes += chunk
        }
        return bytes
    }

    /// Discards the rest, which can still be read to keep the connection.
    package func discardRest() {
        switch source {
        case .pulled(let body): body.discardRest()
        case .pushed(let inbox): inbox.discardRest()
        case .bytes, .ended: break
        }
        source = .ended
    }

    /// Cancels the body.
    package func cancel() {
        switch source {
        case .pulled(let body): body.cancel()
        case .pushed(let inbox): inbox.cancel()
        case .bytes, .ended: break
        }
        source = .ended
    }
}
