internal import HTTPTypes
internal import HeadgateHTTP

/// Position in a trace, as W3C Trace Context passes it from one process to the next.
struct TraceContext: Equatable, Sendable {
    let traceID: TraceID
    let spanID: SpanID
    /// Whether the trace is recorded.
    let isSampled: Bool
    /// State of other systems in the trace (`tracestate`), unchanged; empty for nothing.
    var state = ""

    /// Value of the `traceparent` header.
    var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// Returns the context of another span in the same trace.
    func child(_ spanID: SpanID) -> TraceContext {
        TraceContext(traceID: traceID, spanID: spanID, isSampled: isSampled, state: state)
    }
}

extension TraceContext {
    /// Reads the context that a request's caller sent; nil if there is none or it cannot be continued.
    init?(of fields: HeadFields) {
        let parents = fields.all(named: .traceparent)
        guard parents.count == 1, var context = TraceContext(traceparent: parents[0].value) else { return nil }
        context.state = TraceState.accepted(fields.all(named: .tracestate).map(\.value))
        self = context
    }

    /// Reads a value of `traceparent`, also of later versions, which begin like the first one.
    init?(traceparent: String) {
        let bytes = Array(traceparent.utf8)
        let length = 55
        guard bytes.count >= length, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = HexText.number(bytes[0..<2]), version != 0xFF,
            bytes.count == length || version > 0 && bytes[length] == UInt8(ascii: "-"),
            let high = HexText.number(bytes[3..<19]), let low = HexText.number(bytes[19..<35]),
            let span = HexText.number(bytes[36..<52]), let flags = HexText.number(bytes[53..<55]),
            high | low != 0, span != 0
        else { return nil }
        self.init(
            traceID: TraceID(high: high, low: low), spanID: SpanID(number: span), isSampled: flags & 1 == 1)
    }
}

/// Id that all spans of a trace share; never zero.
struct TraceID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    static func random() -> TraceID {
        TraceID(high: .random(in: .min ... .max), low: .random(in: 1 ... .max))
    }

    /// 32 hexadecimal digits.
    var description: String { HexText.digits(high) + HexText.digits(low) }
}

/// Id of one span; never zero.
package struct SpanID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    static func random() -> SpanID { SpanID(number: .random(in: 1 ... .max)) }

    /// 16 hexadecimal digits.
    package var description: String { HexText.digits(number) }
}
