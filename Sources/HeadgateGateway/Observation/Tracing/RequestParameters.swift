internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay
internal import JSONBytes

/// What the body of a request to an upstream asks for, as far as spans tell it.
struct RequestParameters {
    private(set) var model: String?
    private(set) var attributes: [SpanAttribute] = []
    private let hasConversation: Bool

    /// Of a body that is not read here, a form or a long document, nothing is known.
    ///
    /// - Parameter operationID: only the Responses API has conversations; elsewhere the member is the client's own.
    init(_ body: OutgoingBody?, operationID: String) {
        hasConversation = operationID == OperationTable.createResponse.id
        guard case .bytes(let bytes)? = body, bytes.count <= LongDocument.threshold else { return }
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
            case ("conversation", .string) where hasConversation: noteConversation(try cursor.string(), cursor)
            case ("conversation", .object) where hasConversation:
                try cursor.beginObject()
                while let key = try cursor.nextKey() {
                    if cursor.equals(key, "id"), try cursor.kind() == .string {
                        noteConversation(try cursor.string(), cursor)
                    } else {
                        try cursor.skipValue()
                    }
                }
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

    private mutating func noteConversation(_ literal: JSONString, _ cursor: JSONCursor) {
        let id = cursor.decoded(literal)
        if RequestParameters.isID(id) { set(TraceAttribute.conversation, .text(id)) }
    }

    /// Whether it looks like one: whatever else a client writes there may be content.
    private static func isID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F: true
                default: false
                }
            }
    }

    private mutating func set(_ name: String, _ value: SpanAttribute.Value?) {
        if let value { attributes.append(SpanAttribute(name: name, value: value)) }
    }
}
