extension ServerSentEventParser {
    /// Returns the value of a line that begins with `data:`; nil for any other line.
    @inline(__always)
    func dataValue(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard line.count >= 5, line.loadUnaligned(as: UInt32.self).littleEndian == 0x6174_6164,
            line[4] == Octet.colon
        else { return nil }
        return fieldValue(of: line, from: 5)
    }

    /// Returns the text after the colon, without one leading space.
    @inline(__always)
    private func fieldValue(of line: UnsafeRawBufferPointer, from start: Int) -> UnsafeRawBufferPointer {
        let skipped = start < line.count && line[start] == Octet.space ? start + 1 : start
        return UnsafeRawBufferPointer(rebasing: line[skipped...])
    }

    /// Parses one line that is not blank: a comment, or a known or unknown field.
    mutating func parseField(_ line: UnsafeRawBufferPointer) throws(ServerSentEventError) {
        guard let base = line.baseAddress else { return }
        let colon = firstOffset(of: Octet.colon, in: base, from: 0, to: line.count)
        guard colon > 0 else {
            commentCount &+= 1
            return
        }
        let field = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = fieldValue(of: line, from: min(colon + 1, line.count))
        if field.elementsEqual("data".utf8) {
            try appendDataLine(value)
        } else if field.elementsEqual("event".utf8) {
            name.empty()
            name.append(contentsOf: value)
        } else if field.elementsEqual("id".utf8) {
            guard !value.contains(0) else { return }
            idBuffer.empty()
            idBuffer.append(contentsOf: value)
            idHasChanged = true
        } else if field.elementsEqual("retry".utf8) {
            setRetry(value)
        }
    }

    func checkEventSize(adding count: Int) throws(ServerSentEventError) {
        // Neither side can overflow, because a line is at most as long as its chunk.
        guard count <= limits.eventBytes &- (data.count &- dataStart) else {
            throw .eventTooLarge(limit: limits.eventBytes)
        }
    }

    mutating func appendDataLine(_ value: UnsafeRawBufferPointer) throws(ServerSentEventError) {
        let separator = dataLineCount > 0 ? 1 : 0
        try checkEventSize(adding: value.count + separator)
        if separator > 0 { data.append(Octet.lineFeed) }
        data.append(contentsOf: value)
        dataLineCount += 1
    }

    private mutating func setRetry(_ value: UnsafeRawBufferPointer) {
        guard !value.isEmpty else { return }
        var milliseconds = 0
        for byte in value {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return }
            let (tens, overflow) = milliseconds.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int(byte &- UInt8(ascii: "0")))
            milliseconds = overflow || carry || milliseconds == .max ? .max : sum
        }
        retryMilliseconds = milliseconds
    }
}
