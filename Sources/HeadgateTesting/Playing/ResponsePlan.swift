/// A response as a sequence of pieces, created one by one so that a long response needs no memory.
///
/// It is pure: the player performs the waits and the end.
struct ResponsePlan {
    enum Wait: Equatable {
        case none
        /// A turn of the loop.
        case turn
        case nanoseconds(UInt64)
        /// A gate, which a test opens.
        case gate
    }

    enum Piece: Equatable {
        case head
        /// The whole or the last part of a chunk, with its running number.
        case chunk(Int)
        /// A part of a chunk.
        case segment
        /// The response ends before its head.
        case nothing
    }

    /// The end after the last piece.
    let end: ScriptedResponse.End
    /// Whether a clean end closes the connection.
    let closes: Bool
    var endsWithoutGoodbye: Bool { response.endsWithoutGoodbye }

    private let response: ScriptedResponse
    private let chunks: [ScriptedChunk]
    private let hasBody: Bool
    private let date: String
    private var headIsDue = true
    private var position = 0
    private var repetition = 0
    private var sent = 0
    /// The bytes of the chunk that is being split into segments.
    private var rendered: [UInt8] = []
    private var offset = 0

    /// Creates the plan of a response.
    ///
    /// - Parameters:
    ///   - closes: Whether the connection must close after the response because of the request.
    ///   - date: The value of the `Date` field.
    init(_ response: ScriptedResponse, to request: ReceivedRequest, closes: Bool, date: String) {
        self.response = response
        self.date = date
        end = response.endBeforeHead ?? response.end
        self.closes = closes || response.framing == .close
        hasBody = request.method != "HEAD" && response.status != 204 && response.status != 304
        let usage = RequestWishes(request.body).includesUsage
        chunks = response.chunks.filter { usage || !$0.onlyWithUsage }
        if !hasBody { position = chunks.count }
    }

    /// The wait before the next piece; nil if only the end is left.
    var wait: Wait? {
        if headIsDue { return response.headGate.isShut ? .gate : wait(for: response.headDelay, orTurn: false) }
        guard position < chunks.count else { return nil }
        guard offset == 0 else { return wait(for: .zero, orTurn: response.split != nil) }
        let chunk = chunks[position]
        return chunk.gate.isShut ? .gate : wait(for: chunk.delay, orTurn: response.split != nil)
    }

    private func wait(for delay: Duration, orTurn needsTurn: Bool) -> Wait {
        delay > .zero ? .nanoseconds(delay.nanoseconds) : needsTurn ? .turn : .none
    }

    /// Appends the next piece. Must only be called while ``wait`` is not nil.
    mutating func write(to output: inout [UInt8]) -> Piece {
        if headIsDue {
            headIsDue = false
            if response.endBeforeHead != nil {
                position = chunks.count
                return .nothing
            }
            writeHead(to: &output)
            endFraming(&output)
            return .head
        }
        let piece = writeBody(to: &output)
        endFraming(&output)
        return piece
    }

    private mutating func writeBody(to output: inout [UInt8]) -> Piece {
        if offset == 0 {
            rendered.removeAll(keepingCapacity: true)
            chunks[position].append(index: repetition, to: &rendered)
        }
        let count = min(response.split ?? .max, rendered.count - offset)
        let segment = rendered[offset..<offset + count]
        if response.framing == .chunked {
            if count > 0 { output.append(contentsOf: String(count, radix: 16).utf8) }
            if count > 0 { output.append(contentsOf: "\r\n".utf8) }
            output.append(contentsOf: segment)
            if count > 0 { output.append(contentsOf: "\r\n".utf8) }
        } else {
            output.append(contentsOf: segment)
        }
        offset += count
        if offset < rendered.count { return .segment }
        offset = 0
        repetition += 1
        if repetition == chunks[position].count {
            repetition = 0
            position += 1
        }
        defer { sent += 1 }
        return .chunk(sent)
    }

    private func endFraming(_ output: inout [UInt8]) {
        guard hasBody, position == chunks.count, response.framing == .chunked, end == .clean else { return }
        output.append(contentsOf: "0\r\n\r\n".utf8)
    }

    private func writeHead(to output: inout [UInt8]) {
        if let raw = response.rawHead { return output.append(contentsOf: raw) }
        output.append(contentsOf: "HTTP/1.1 \(response.status) \(reasonPhrase(response.status))\r\n".utf8)
        response.headers.write(to: &output)
        if !response.headers.contains("Date") { output.append(contentsOf: "Date: \(date)\r\n".utf8) }
        switch response.framing {
        case .chunked where response.status != 204: output.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        case .length where response.status != 204:
            let total = chunks.reduce(0) { $0 + $1.totalBytes } + (end == .clean ? 0 : 1)
            output.append(contentsOf: "Content-Length: \(total)\r\n".utf8)
        default: break
        }
        if closes { output.append(contentsOf: "Connection: close\r\n".utf8) }
        output.append(contentsOf: "\r\n".utf8)
    }
}

extension Gate? {
    fileprivate var isShut: Bool { self.map { !$0.isOpen } ?? false }
}
