internal import HeadgateHTTP
internal import JSONBytes

/// What the body of a request to an upstream asks for, as far as spans tell it.
struct RequestParameters {
    private(set) var model: String?
    private(set) var attributes: [SpanAttribute] = []

    /// Of a body that is not read here, a form or a long document, nothing is known.
    init(_ body: OutgoingBody?) {
        guard case .bytes(let bytes)? = body, bytes.count <= LongDocument.octets else { return }
        bytes.withUnsafeBytes { document in
            var cursor = JSONCursor(document)
            // What has been found before a fault stays.
            do throws(JSONError) { try read(&cursor) } catch {}
        }
    }

    private mutating func read(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            let name = cursor.decoded(key)
            switch (name, try cursor.kind()) {
            case ("model", .string): model = cursor.decoded(try cursor.string())
            case ("conversation", .string): set(TraceAttribute.conversation, .text(cursor.decoded(try cursor.string())))
            case ("max_tokens", .number), ("max_completion_tokens", .number), ("max_output_tokens", .number):
                set("gen_ai.request.max_tokens", try cursor.integer().map(SpanAttribute.Value.number))
            case ("seed", .number): set("gen_ai.request.seed", try cursor.integer().map(SpanAttribute.Value.number))
            case ("top_k", .number): set("gen_ai.request.top_k", try cursor.integer().map(SpanAttribute.Value.number))
            case ("n", .number):
                set("gen_ai.request.choice.count", try cursor.integer().map(SpanAttribute.Value.number))
            case ("temperature", .number), ("top_p", .number), ("frequency_penalty", .number),
                ("presence_penalty", .number):
                let text = String(decoding: cursor.bytes(in: try cursor.skipValue()), as: UTF8.self)
                set("gen_ai.request.\(name)", Double(text).map(SpanAttribute.Value.fraction))
            default: try cursor.skipValue()
            }
        }
    }

    private mutating func set(_ name: String, _ value: SpanAttribute.Value?) {
        if let value { attributes.append(SpanAttribute(name: name, value: value)) }
    }
}
