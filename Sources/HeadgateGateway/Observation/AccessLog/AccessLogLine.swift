internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import JSONBytes

/// An access log line as JSON. It contains only names and counts, never secrets or content.
enum AccessLogLine {
    /// Appends the line without its newline.
    ///
    /// - Parameters:
    ///   - outcome: read, not changed.
    ///   - now: nanoseconds since 1970.
    ///   - shared: shared parts of the loop's lines.
    static func append(
        _ outcome: inout Outcome, at now: Int64, _ shared: inout SharedLogParts, to lines: inout [UInt8]
    ) {
        lines.append(addingCapacity: room(for: outcome)) { line in
            line.withUnsafeMutableBufferPointer { buffer, count in
                var line = LineWriter(buffer)
                write(&outcome, at: now, &shared, to: &line)
                count = line.count
            }
        }
    }

    /// Returns the maximum bytes of a line: 1,024 for names, numbers and the time, plus the texts.
    private static func room(for outcome: borrowing Outcome) -> Int {
        1024 + LineWriter.room(for: outcome.requestID) + LineWriter.room(for: outcome.remoteAddress)
            + LineWriter.room(for: outcome.method) + LineWriter.room(for: outcome.operation)
            + LineWriter.room(for: outcome.keyName) + LineWriter.room(for: outcome.model)
            + LineWriter.room(for: outcome.upstream) + LineWriter.room(for: outcome.finishReason)
            + LineWriter.room(for: outcome.errorCode)
            + (outcome.notes.isEmpty ? 0 : outcome.notes.values.reduce(0) { $0 + LineWriter.room(for: $1) })
            + (outcome.attempts.isEmpty ? 0 : AttemptList.room(for: outcome.attempts))
    }

    private static func write(
        _ outcome: inout Outcome, at now: Int64, _ shared: inout SharedLogParts, to line: inout LineWriter
    ) {
        line.append("{\"time\":\"")
        shared.append(time: now, to: &line)
        line.append("\"")
        append(",\"request_id\":\"", plain: outcome.requestID, to: &line)
        shared.append(&outcome, to: &line, otherwise: writeSubject)
        if !outcome.attempts.isEmpty { AttemptList.write(outcome.attempts, to: &line) }
        if outcome.isStream { line.append(",\"stream\":true") }
        if outcome.isExplanation { line.append(",\"explanation\":true") }
        append(",\"ttft_ms\":", seconds: outcome.timeToFirstContent, to: &line)
        append(",\"duration_ms\":", seconds: outcome.duration, to: &line)
        append(",\"bytes_in\":", outcome.bytesReceived, to: &line)
        append(",\"bytes_out\":", outcome.bytesSent, to: &line)
        if outcome.isStream { append(",\"events\":", outcome.events, to: &line) }
        // The maximum matters only if the client reads slowly.
        if outcome.maximumQueuedBytes > 64 * 1024 {
            append(",\"queued_max\":", outcome.maximumQueuedBytes, to: &line)
        }
        append(",\"prompt_tokens\":", outcome.promptTokens, to: &line)
        append(",\"completion_tokens\":", outcome.completionTokens, to: &line)
        append(",\"finish_reason\":", outcome.finishReason, to: &line)
        append(",\"error\":", outcome.errorCode, to: &line)
        if !outcome.notes.isEmpty {
            append(",\"detail\":", outcome.errorDetail, to: &line)
            append(",\"path\":", outcome.notes[.path], to: &line)
            append(",\"fault\":", outcome.notes[.injectedFault], to: &line)
            append(",\"cache\":", outcome.notes[.cache], to: &line)
            append(",\"after_leaving\":", outcome.notes[.afterDisconnect], to: &line)
            append(",\"hedge\":", outcome.notes[.hedge], to: &line)
            append(",\"repairs\":", outcome.notes[.repairs], to: &line)
            append(",\"trace_id\":", outcome.traceID, to: &line)
            append(",\"token_source\":", outcome.notes.tokenSource, to: &line)
            let usage = outcome.notes.usage
            append(",\"cached_tokens\":", usage.cacheRead, to: &line)
            append(",\"cache_write_tokens\":", usage.cacheWritten, to: &line)
            append(outcome.notes.cost, to: &line)
        }
        if outcome.isUncleanEnd { line.append(",\"unclean_end\":true") }
        line.append("}")
    }

    private static func writeSubject(of outcome: inout Outcome, to line: inout LineWriter) {
        append(",\"remote\":\"", plain: outcome.remoteAddress, to: &line)
        append(",\"method\":", outcome.method, to: &line)
        append(",\"operation\":\"", plain: outcome.operation, to: &line)
        append(",\"status\":", outcome.status, to: &line)
        append(",\"outcome\":\"", plain: outcome.end.rawValue, to: &line)
        append(",\"key\":", outcome.keyName, to: &line)
        append(",\"model\":", outcome.model, to: &line)
        append(",\"upstream\":\"", plain: outcome.upstream, to: &line)
        append(",\"upstream_status\":", outcome.upstreamStatus, to: &line)
    }

    @inline(__always)
    private static func append(_ name: StaticString, _ value: String?, to line: inout LineWriter) {
        guard let value, !value.isEmpty else { return }
        line.append(name)
        line.append(escaped: value)
    }

    /// Appends a value that needs no escapes: its characters were checked when it was configured or created.
    ///
    /// - Parameter name: name of the member, with the value's opening quote.
    @inline(__always)
    private static func append(_ name: StaticString, plain value: String?, to line: inout LineWriter) {
        guard let value, !value.isEmpty else { return }
        line.append(name)
        line.append(plain: value)
        line.append("\"")
    }

    @inline(__always)
    private static func append(_ name: StaticString, _ value: Int?, to line: inout LineWriter) {
        guard let value else { return }
        line.append(name)
        line.append(value)
    }

    /// Appends the cost, or `null` if it is unknown.
    private static func append(_ cost: RequestCost?, to line: inout LineWriter) {
        guard let cost else { return }
        line.append(",\"cost_usd\":")
        line.append(plain: cost.text ?? "null")
    }

    /// Appends a duration in milliseconds with up to two decimals.
    private static func append(_ name: StaticString, seconds: Double?, to line: inout LineWriter) {
        guard let seconds else { return }
        line.append(name)
        let hundredths = Int(min(seconds, 1e12) * 100_000 + 0.5)
        line.append(hundredths / 100)
        line.append(".")
        line.append(digit: hundredths / 10 % 10)
        if hundredths % 10 != 0 { line.append(digit: hundredths % 10) }
    }
}
