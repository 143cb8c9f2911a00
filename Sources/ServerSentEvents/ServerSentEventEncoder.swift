/// Appends events to a buffer, with LF as the only line end. The caller provides the buffer, so that a batch of events
/// is one write.
package enum ServerSentEventEncoder {
    /// Appends an event without a name. CR, LF and CRLF in `data` each end a data line, so that readers get LF for
    /// them.
    package static func append(data: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        appendDataLines(data, to: &output)
        output.append(Octet.lineFeed)
    }

    /// Appends an event with a name, which must not be empty.
    ///
    /// - Returns: false, with nothing written, if the name has a CR or LF, which would end its line.
    package static func append(
        event name: UnsafeRawBufferPointer,
        data: UnsafeRawBufferPointer,
        to output: inout [UInt8]
    ) -> Bool {
        guard !name.contains(where: { $0 == Octet.lineFeed || $0 == Octet.carriageReturn }) else { return false }
        append("event: ", to: &output)
        output.append(contentsOf: name)
        output.append(Octet.lineFeed)
        append(data: data, to: &output)
        return true
    }

    /// Appends an event without a name. `write` appends its data piece by piece; the pieces must have neither CR nor
    /// LF.
    package static func appendLine(to output: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        append("data: ", to: &output)
        write(&output)
        append("\n\n", to: &output)
    }

    /// Appends the comment that keeps an idle stream alive. Only allowed between events.
    package static func appendPing(to output: inout [UInt8]) {
        append(": ping\n\n", to: &output)
    }

    private static func append(_ text: StaticString, to output: inout [UInt8]) {
        output.append(contentsOf: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func appendDataLines(_ data: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        var start = 0
        while true {
            let end = lineEnd(in: data, from: start)
            append("data: ", to: &output)
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: data[start..<end]))
            output.append(Octet.lineFeed)
            guard end < data.count else { return }
            let isCRLF = data[end] == Octet.carriageReturn && end + 1 < data.count && data[end + 1] == Octet.lineFeed
            start = end + (isCRLF ? 2 : 1)
        }
    }

    private static func lineEnd(in data: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = data.baseAddress else { return 0 }
        let lineFeed = firstOffset(of: Octet.lineFeed, in: base, from: start, to: data.count)
        return firstOffset(of: Octet.carriageReturn, in: base, from: start, to: lineFeed)
    }
}
