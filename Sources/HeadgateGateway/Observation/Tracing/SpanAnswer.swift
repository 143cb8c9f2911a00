internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import JSONBytes

/// A collector's response to a batch of spans.
package enum SpanAnswer: Equatable, Sendable {
    /// The collector accepted the batch, except for the rejected spans.
    case taken(rejected: Int, message: String)
    /// The collector refused the batch; sending it again would not help.
    case refused(String)
    /// The export failed and can be retried.
    ///
    /// - Parameter pause: pause that the collector requests.
    case failed(String, pause: Duration? = nil)
}

extension SpanAnswer {
    /// - Parameter now: nanoseconds since 1970.
    init(_ head: ResponseHead, _ body: [UInt8], at now: Int64) {
        let status = head.status
        switch status {
        case 200..<300:
            let (rejected, message) = SpanAnswer.partialSuccess(body)
            self = .taken(rejected: rejected, message: message)
        // The statuses that the protocol defines as retryable.
        case 429, 502, 503, 504:
            let pause = SpanAnswer.pause(head.fields.httpFields[.retryAfter], at: now)
            self = .failed("status \(status)", pause: pause)
        default: self = .refused("status \(status)")
        }
    }

    private static func pause(_ value: String?, at now: Int64) -> Duration? {
        guard let value else { return nil }
        if let seconds = Int(value), seconds >= 0 { return .seconds(min(seconds, 86_400)) }
        return HTTPDate.seconds(value).map { .seconds(max(0, $0 - now / 1_000_000_000)) }
    }

    /// Returns the number of rejected spans, and the reason.
    private static func partialSuccess(_ body: [UInt8]) -> (rejected: Int, message: String) {
        var found = (rejected: 0, message: "")
        body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            // A body that is not JSON rejects nothing.
            do throws(JSONError) {
                try cursor.beginObject()
                while let key = try cursor.nextKey() {
                    if cursor.equals(key, "partialSuccess"), try cursor.kind() == .object {
                        try read(&cursor, &found)
                    } else {
                        try cursor.skipValue()
                    }
                }
            } catch {}
        }
        return found
    }

    private static func read(
        _ cursor: inout JSONCursor, _ found: inout (rejected: Int, message: String)
    ) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            switch try cursor.kind() {
            // OTLP writes 64-bit integers as strings, but some collectors send numbers.
            case .string where cursor.equals(key, "rejectedSpans"):
                found.rejected = max(0, Int(cursor.decoded(try cursor.string())) ?? 0)
            case .number where cursor.equals(key, "rejectedSpans"):
                found.rejected = max(0, try cursor.integer() ?? 0)
            case .string where cursor.equals(key, "errorMessage"):
                found.message = String(cursor.decoded(try cursor.string()).unicodeScalars.prefix(200))
            default: try cursor.skipValue()
            }
        }
    }
}
