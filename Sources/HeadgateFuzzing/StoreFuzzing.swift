internal import HeadgateLibC
internal import HeadgateStores

/// Checks the parsers of bytes from stores.
enum StoreFuzzing {
    static func replies(_ input: [UInt8]) throws(FuzzFinding) {
        try Splitting.compare(input) { input, splitting in
            var (parser, trace) = (RedisReplyParser(), [String]())
            splitting.deliver(input) { bytes in
                parser.feed(bytes)
                do throws(RedisReplyParser.Failure) {
                    while let reply = try parser.next() { trace.append("\(reply)") }
                    return true
                } catch {
                    trace.append("\(error)")
                    return false
                }
            }
            return trace + ["\(parser.isBetweenReplies)"]
        }
    }

    /// Reads the file of a gateway that was killed, with arbitrary bytes in its slots.
    static func journals(_ input: [UInt8]) throws(FuzzFinding) {
        let path = "/dev/shm/headgate-fuzz-\(getpid())"
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { unlink(path) }
        let written = input.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        guard written == input.count, let remains = JournalRemains(at: path) else { return }
        for row in remains.entries.map(\.row) {
            let numbers = [row.duration, row.promptTokens ?? 0, row.cost ?? 0]
            try FuzzFinding.expect(numbers.allSatisfy { $0 >= 0 }, "a number below zero: \(numbers)")
            // The texts are read byte by byte, as the database does.
            let texts = [row.requestID, row.kind.operation, row.kind.outcome ?? row.requestID]
            try FuzzFinding.expect(texts.reduce(0) { $0 + Array($1).count } <= 1024, "texts longer than a slot")
        }
    }
}
