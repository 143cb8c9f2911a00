internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay
internal import JSONBytes

/// Parameters in the body of a request to an upstream, as far as spans record them.
struct RequestParameters {
    private(set) var model: String?
    private(set) var attributes: [SpanAttribute] = []
    private let hasConversation: Bool

    /// Reads the parameters of a body. A form or a long document is not read, and yields none.
    ///
    /// - Parameter operationID: id of the operation. Only the Responses API has conversations; elsewhere the member is
    ///   the client's own.
    init(_ body: OutgoingBody?, operationID: String) {
        hasConversation = operationID == OperationTable.createResponse.id
        guard case .bytes(let bytes)? = body, bytes.count <= LongDocument.threshold else { return }
        bytes.withUnsafeBytes { document in
            var cursor = JSONCursor(document)
            // Parameters before a syntax error are used.
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

    /// Returns whether the text looks like an id. Any other text that a client writes there might be content.
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
