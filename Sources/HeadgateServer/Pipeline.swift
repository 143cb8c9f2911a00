internal import HeadgateHTTP

/// Check of the requests that a client has sent ahead of its responses.
enum Pipeline {
    /// Returns whether two or more whole requests are waiting. One is served; a client that sends more has to connect
    /// again, and then takes its turn among new connections.
    static func isTooDeep(_ pending: [UInt8]) -> Bool {
        guard !pending.isEmpty else { return false }
        return pending.withUnsafeBytes { bytes in
            var offset = 0
            return skipRequest(bytes, &offset) && skipRequest(bytes, &offset)
        }
    }

    /// Skips one request; returns false if the bytes are not a whole request.
    private static func skipRequest(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Bool {
        var parser = RequestHeadParser()
        guard let parsed = try? parser.parse(bytes, &offset), let head = parsed as RequestHead?,
            var decoder = try? BodyDecoder(head.bodyLength, limit: bytes.count)
        else { return false }
        while let step = try? decoder.next(bytes, &offset) {
            switch step {
            case .data: continue
            case .needsMore: return false
            case .end: return true
            }
        }
        return false
    }
}
