extension StreamDiagnosis {
    var json: Finding {
        if let fault = reading.fault {
            return Finding(.json, .failed, fault, advice: StreamDiagnosis.foreign)
        }
        guard !reading.events.isEmpty || reading.bad > 0 else {
            let bytes = stream.pieces.reduce(0) { $0 + $1.bytes.count }
            return Finding(
                .json, .failed, "no event in \(counted(bytes, "byte"))", advice: StreamDiagnosis.foreign)
        }
        guard reading.bad == 0 else {
            return Finding(
                .json, .failed,
                "\(counted(reading.bad, "event")) of \(reading.events.count + reading.bad) not JSON, the first is "
                    + "number \(reading.firstBad)", advice: StreamDiagnosis.foreign)
        }
        let comments = reading.comments > 0 ? ", and \(counted(reading.comments, "comment"))" : ""
        return Finding(.json, .ok, "\(counted(reading.events.count, "event"))\(comments)")
    }

    private static let foreign =
        "Something rewrites the body: the gateway checks every event and sends only whole ones. Look for a proxy that "
        + "injects, filters or re-encodes text."

    var utf8: Finding {
        let text = reading.integrity
        let figures = [
            Finding.Figure("characters", Double(text.characters)),
            Finding.Figure("reads_ending_in_one", Double(reading.splitReads)),
        ]
        if text.torn > 0 {
            return Finding(
                .utf8, .failed, "\(counted(text.torn, "character")) torn apart between two events",
                advice: "Something cuts the text at bytes and wraps the pieces as events: it must cut at characters.",
                figures: figures)
        }
        if text.invalid > 0 {
            return Finding(
                .utf8, .failed, "\(counted(text.invalid, "place")) in the events not UTF-8",
                advice: "Something re-encodes the body, perhaps as Latin-1: it must pass bytes on as they are.",
                figures: figures)
        }
        if text.replacements > 0 {
            return Finding(
                .utf8, .warning, "the text contains U+FFFD \(counted(text.replacements, "time"))",
                advice:
                    "If the model did not mean it, something has decoded the stream read by read and lost characters.",
                figures: figures)
        }
        guard text.characters > 0 else {
            return .skipped(.utf8, "the model wrote nothing beyond ASCII")
        }
        let splits =
            reading.splitReads > 0
            ? ", \(counted(reading.splitReads, "read")) ended inside one, which is legal"
            : ", no read ended inside one"
        return Finding(.utf8, .ok, "\(counted(text.characters, "character")) beyond ASCII\(splits)", figures: figures)
    }

    var usage: Finding {
        guard asksUsage else { return .skipped(.usage, "not asked for") }
        guard isWhole else { return .skipped(.usage, "the answer is not whole") }
        guard reading.usageEvents > 0 else {
            return Finding(
                .usage, .warning, "asked for, and not sent",
                advice: "The upstream does not count streams: look for a newer version of it.")
        }
        return Finding(.usage, .ok, "token counts came")
    }

    private var isWhole: Bool { stream.end == .complete && reading.errors.isEmpty }

    var end: Finding {
        let marker = reading.dialect.marker
        let finish = reading.finishReason.map { ", finish reason \($0)" } ?? ""
        if case .broken(let detail) = stream.end {
            return Finding(
                .end, .failed, "the connection broke after \(counted(reading.events.count, "event")): \(detail)",
                advice: "A timeout of the proxy, or the gateway's end: its log says how the request ended for it.")
        }
        if let error = reading.errors.first {
            return Finding(
                .end, .failed, "the stream reports an error: \(error)",
                advice: "The upstream broke off; the gateway's log has its words.")
        }
        if stream.end == .abandoned { return .skipped(.end, "the answer was too long to wait for its end") }
        guard reading.markers > 0 else {
            return Finding(
                .end, .failed, "no \(marker) after \(counted(reading.events.count, "event"))\(finish)",
                advice:
                    "The gateway ends every whole answer with \(marker): something dropped it, or cut the answer off.")
        }
        guard reading.markers == 1, reading.eventsAfterMarker == 0 else {
            let events = counted(reading.eventsAfterMarker, "event")
            return Finding(
                .end, .failed, "\(events) after \(marker)",
                advice: "Something appends to the stream: \(marker) is its end.")
        }
        guard !reading.isUnfinished else {
            return Finding(
                .end, .failed, "bytes after \(marker) that are not an event", advice: "Something appends to the stream."
            )
        }
        guard reading.finishReason != nil else {
            return Finding(
                .end, .warning, "\(marker), but no finish reason",
                advice:
                    "The upstream does not say why the answer ends; apps cannot tell a full one from one that hit a "
                    + "limit."
            )
        }
        return Finding(.end, .ok, "\(marker) once, at the end\(finish)")
    }
}
