internal import HeadgateHTTP
internal import HeadgateRelay
internal import JSONBytes

/// Stage that removes usage from a stream of completion chunks, for a client that did not request it. The gateway wrote
/// its input: whole events of one line each. Loop-confined.
final class UsageFilter: BodyStage {
    override func receive(_ chunk: UnsafeRawBufferPointer) {
        UsageFilter.filtered(chunk).withUnsafeBytes { if !$0.isEmpty { pass($0) } }
    }

    /// - Parameter chunk: whole events.
    static func filtered(_ chunk: UnsafeRawBufferPointer) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(chunk.count)
        var start = 0
        while start < chunk.count {
            let end = self.end(of: start, in: chunk)
            let event = UnsafeRawBufferPointer(rebasing: chunk[start..<end])
            if !isUsage(event) { output.append(contentsOf: event) }
            start = end
        }
        return output
    }

    /// Returns the index after the empty line that ends the event.
    private static func end(of start: Int, in chunk: UnsafeRawBufferPointer) -> Int {
        var index = start
        while let lineFeed = chunk[index...].firstIndex(of: 0x0A) {
            index = lineFeed + 1
            if index < chunk.count, chunk[index] == 0x0A { return index + 1 }
        }
        return chunk.count
    }

    private static let prefix = Array("data: {".utf8)

    private static func isUsage(_ event: UnsafeRawBufferPointer) -> Bool {
        guard event.starts(with: prefix) else { return false }
        let document = UnsafeRawBufferPointer(rebasing: event.dropFirst(prefix.count - 1).dropLast(2))
        guard let read = try? ChatEvent(document) else { return false }
        return read.hasUsage && read.choiceCount == 0 && !read.hasError
    }
}
