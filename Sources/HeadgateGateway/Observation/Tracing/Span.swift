internal import HeadgateRelay

/// One operation in a trace: a request, or one attempt at an upstream.
package struct Span: Sendable, Equatable {
    /// Kinds of spans, with their numbers in OTLP.
    enum Kind: Int, Sendable {
        case server = 2
        case client = 3
    }

    /// Trace context with the span's own id.
    let context: TraceContext
    let parent: SpanID?
    /// Whether the parent belongs to another process.
    var isParentRemote = false
    var name: String
    let kind: Kind
    /// Nanoseconds since 1970.
    let start: Int64
    var end: Int64
    var attributes: [SpanAttribute] = []
    var events: [SpanEvent] = []
    /// Error as a bounded word; nil without one.
    var error: String?

    init(_ name: String, _ kind: Kind, _ context: TraceContext, parent: SpanID?, start: Int64) {
        self.name = name
        self.kind = kind
        self.context = context
        self.parent = parent
        self.start = start
        end = start
    }

    /// Adds an attribute, unless its value is nil or an empty text.
    mutating func set(_ name: String, _ value: SpanAttribute.Value?) {
        guard let value else { return }
        if case .text("") = value { return }
        attributes.append(SpanAttribute(name: name, value: value))
    }

    /// Approximate size in memory, in bytes.
    package var octets: Int {
        func size(_ attributes: [SpanAttribute]) -> Int { attributes.reduce(0) { $0 + $1.octets } }
        return 256 + name.utf8.count + size(attributes)
            + events.reduce(0) { $0 + 64 + size($1.attributes) }
    }

    mutating func set(_ name: String, _ text: String?) { set(name, text.map(SpanAttribute.Value.text)) }
    mutating func set(_ name: String, _ number: Int?) { set(name, number.map(SpanAttribute.Value.number)) }
}

struct SpanAttribute: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case text(String)
        case number(Int)
        case fraction(Double)
        case flag(Bool)
        case texts([String])
    }

    let name: String
    let value: Value

    fileprivate var octets: Int {
        switch value {
        case .text(let text): 64 + text.utf8.count
        case .texts(let texts): texts.reduce(64) { $0 + 16 + $1.utf8.count }
        case .number, .fraction, .flag: 64
        }
    }
}

/// An event at one moment of a span.
struct SpanEvent: Sendable, Equatable {
    let name: String
    /// Nanoseconds since 1970.
    let time: Int64
    var attributes: [SpanAttribute] = []
}
