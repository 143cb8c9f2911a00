internal import HTTPTypes
package import HeadgateHTTP

/// Position in a trace, as W3C Trace Context passes it from one process to the next.
package struct TraceContext: Equatable, Sendable {
    package let traceID: TraceID
    package let spanID: SpanID
    /// Whether the trace is recorded.
    package let isSampled: Bool
    /// State of other systems in the trace (`tracestate`), unchanged; empty if there is none.
    package var state: String

    package init(traceID: TraceID, spanID: SpanID, isSampled: Bool, state: String = "") {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Value of the `traceparent` header.
    package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// Returns the context of another span in the same trace.
    package func child(_ spanID: SpanID) -> TraceContext {
        TraceContext(traceID: traceID, spanID: spanID, isSampled: isSampled, state: state)
    }
}

extension TraceContext {
    /// Reads the context that a request's caller sent; nil if there is none or it cannot be continued.
    package init?(of fields: HeadFields) {
        let parents = fields.all(named: .traceparent)
        guard parents.count == 1, var context = TraceContext(traceparent: parents[0].value) else { return nil }
        context.state = TraceState.accepted(fields.all(named: .tracestate).map(\.value))
        self = context
    }

    /// Reads a value of `traceparent`, also of later versions, which begin like the first one.
    package init?(traceparent: String) {
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
package struct TraceID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    package let low: UInt64

    package static func random() -> TraceID {
        TraceID(high: .random(in: .min ... .max), low: .random(in: 1 ... .max))
    }

    /// 32 hexadecimal digits.
    package var description: String { HexText.digits(high) + HexText.digits(low) }
}

/// Id of one span; never zero.
package struct SpanID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    package static func random() -> SpanID { SpanID(number: .random(in: 1 ... .max)) }

    /// 16 hexadecimal digits.
    package var description: String { HexText.digits(number) }
}

extension Outcome {
    /// Context of the request's own span; nil if the request is not traced.
    package var trace: TraceContext? {
        get {
            guard let text = notes[.trace], var context = TraceContext(traceparent: text) else { return nil }
            context.state = notes[.traceState] ?? ""
            return context
        }
        set {
            notes[.trace] = newValue?.traceparent
            notes[.traceState] = newValue.flatMap { $0.state.isEmpty ? nil : $0.state }
        }
    }

    /// Trace id for logs, as 32 hexadecimal digits; nil if the request is not traced.
    package var traceID: String? { notes.traceID }
}

extension OutcomeNotes {
    /// Trace id as 32 hexadecimal digits; nil if the request is not traced.
    package var traceID: String? { self[.trace].map { String($0.dropFirst(3).prefix(32)) } }
}
