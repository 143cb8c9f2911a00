/// A whole response.
struct WireResponse: Equatable {
    /// Size in bytes of the largest response that is read.
    static let mostBytes = 16 << 20

    let head: WireResponseHead
    let body: [UInt8]

    /// Returns the response at `start` and its end; nil while it is incomplete.
    ///
    /// - Parameter end: end of the connection. A FIN completes a body without framing, and an RST does not.
    static func read(
        _ bytes: [UInt8], from start: Int, answersHead: Bool, end: RawConnection.End?
    ) throws(WireFailure) -> (response: WireResponse, end: Int)? {
        if bytes.count - start > mostBytes { throw WireFailure("an answer over \(mostBytes) bytes") }
        guard let (head, bodyStart) = try WireResponseHead.read(bytes, from: start) else { return nil }
        switch answersHead ? .none : head.framing {
        case .none:
            return (WireResponse(head: head, body: []), bodyStart)
        case .length(let length):
            guard bytes.count - bodyStart >= length else { return nil }
            let body = [UInt8](bytes[bodyStart..<(bodyStart + length)])
            return (WireResponse(head: head, body: body), bodyStart + length)
        case .untilEnd:
            guard end == .finished else { return nil }
            return (WireResponse(head: head, body: [UInt8](bytes[bodyStart...])), bytes.count)
        case .chunked:
            return try chunked(bytes, from: bodyStart).map { (WireResponse(head: head, body: $0.body), $0.end) }
        }
    }

    private static func chunked(
        _ bytes: [UInt8], from start: Int
    ) throws(WireFailure) -> (body: [UInt8], end: Int)? {
        var body: [UInt8] = []
        var position = start
        while true {
            var lines = WireLines(bytes: bytes, position: position)
            guard let line = try lines.next() else { return nil }
            let digits = line.prefix { $0 != UInt8(ascii: ";") }
            guard !digits.isEmpty, digits.first != UInt8(ascii: "+"), let size = Int(digits.latin1, radix: 16),
                (0...mostBytes).contains(size)
            else { throw WireFailure("bad chunk size", line) }
            if size == 0 {
                guard try lines.fields() != nil else { return nil }
                return (body, lines.position)
            }
            let dataEnd = lines.position + size
            guard bytes.count >= dataEnd + 2 else { return nil }
            guard bytes[dataEnd] == UInt8(ascii: "\r"), bytes[dataEnd + 1] == UInt8(ascii: "\n") else {
                throw WireFailure("no CRLF after a chunk", bytes[dataEnd...])
            }
            body += bytes[lines.position..<dataEnd]
            position = dataEnd + 2
        }
    }
}
