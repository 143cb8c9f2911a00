internal import HeadgateRelay
internal import JSONBytes

/// Spans in OTLP's JSON encoding: ids in hexadecimal, 64-bit integers as strings, enumerations as numbers.
package struct SpanDocument {
    private var bytes: [UInt8] = []

    private init() {}

    /// Encodes spans as one document.
    ///
    /// - Parameter resource: attributes that all spans share.
    package static func bytes(of spans: [Span], resource: [(name: String, value: String)]) -> [UInt8] {
        var document = SpanDocument()
        document.bytes.reserveCapacity(1024 * spans.count)
        document.append("{\"resourceSpans\":[{\"resource\":{\"attributes\":")
        document.append(resource.map { SpanAttribute(name: $0.name, value: .text($0.value)) })
        document.append("},\"scopeSpans\":[{\"scope\":{\"name\":\"headgate\",\"version\":")
        document.append(text: GatewayVersion.text)
        document.append("},\"spans\":")
        document.append(list: spans) { $0.append($1) }
        document.append("}]}]}")
        return document.bytes
    }

    private mutating func append(_ span: Span) {
        append("{\"traceId\":\"\(span.context.traceID)\",\"spanId\":\"\(span.context.spanID)\"")
        if let parent = span.parent { append(",\"parentSpanId\":\"\(parent)\"") }
        if !span.context.state.isEmpty {
            append(",\"traceState\":")
            append(text: span.context.state)
        }
        // 0x001: sampled. 0x100: it is known whether the parent is remote. 0x200: the parent is in another process.
        append(",\"flags\":\(0x101 | (span.isParentRemote ? 0x200 : 0)),\"name\":")
        append(text: span.name)
        append(",\"kind\":\(span.kind.rawValue)")
        append(",\"startTimeUnixNano\":\"\(span.start)\",\"endTimeUnixNano\":\"\(max(span.start, span.end))\"")
        append(",\"attributes\":")
        append(span.attributes)
        append(",\"events\":")
        append(list: span.events) { document, event in
            document.append("{\"timeUnixNano\":\"\(event.time)\",\"name\":")
            document.append(text: event.name)
            document.append(",\"attributes\":")
            document.append(event.attributes)
            document.append("}")
        }
        append(",\"status\":{")
        if let error = span.error {
            append("\"code\":2,\"message\":")
            append(text: error)
        }
        append("}}")
    }

    private mutating func append(_ attributes: [SpanAttribute]) {
        append(list: attributes) { document, attribute in
            document.append("{\"key\":")
            document.append(text: attribute.name)
            document.append(",\"value\":")
            document.append(attribute.value)
            document.append("}")
        }
    }

    private mutating func append(_ value: SpanAttribute.Value) {
        switch value {
        case .text(let text):
            append("{\"stringValue\":")
            append(text: text)
        case .number(let number): append("{\"intValue\":\"\(number)\"")
        case .fraction(let number): append("{\"doubleValue\":\(number.isFinite ? number : 0)")
        case .flag(let flag): append("{\"boolValue\":\(flag)")
        case .texts(let texts):
            append("{\"arrayValue\":{\"values\":")
            append(list: texts) { $0.append(.text($1)) }
            append("}")
        }
        append("}")
    }

    private mutating func append<Element>(list: [Element], _ each: (inout SpanDocument, Element) -> Void) {
        append("[")
        for (index, element) in list.enumerated() {
            if index > 0 { append(",") }
            each(&self, element)
        }
        append("]")
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
    private mutating func append(text: String) { JSONEscaping.append(text, to: &bytes) }
}
