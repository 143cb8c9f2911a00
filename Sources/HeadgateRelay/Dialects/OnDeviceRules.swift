internal import HeadgateContract
internal import HeadgateHTTP
internal import JSONBytes

/// Parameters that the on-device server does not support. It would silently ignore most of them, so the gateway refuses
/// them before anything is sent.
enum OnDeviceRules {
    /// Maximum tokens of prompt and response together; the server is started with this context per request.
    static let context = 4096
    /// Maximum bytes of a body. Longer bodies cannot fit the context, because no token stands for more than 256 bytes.
    private static let longestBody = 1 << 20

    /// - Parameters:
    ///   - upstream: name of the upstream.
    ///   - takesTools: whether the model can call tools; nil if that is not known before the model is ready.
    /// - Throws: ``GatewayError`` that names the member at fault.
    static func check(
        _ body: [UInt8], of operation: RelayOperation, upstream: String, takesTools: Bool?
    ) throws(GatewayError) {
        guard let rules = table[operation.id] else { throw unsupportedOperation }
        guard body.count <= longestBody else { throw .promptTooLong(context: context) }
        if let broken = try firstBroken(of: rules, in: body) { throw refusal(broken) }
        guard takesTools != true, let broken = try firstBroken(of: withoutTools, in: body) else { return }
        guard takesTools == nil else { throw refusal(broken) }
        throw .transport(
            TransportError(.notReady, "the on-device model is not ready, and may not be able to call tools"),
            upstream: upstream)
    }

    private static func firstBroken(of rules: [Rule], in body: [UInt8]) throws(GatewayError) -> Rule? {
        do throws(JSONError) {
            return try body.withUnsafeBufferPointer { (buffer) throws(JSONError) in
                var cursor = JSONCursor(UnsafeRawBufferPointer(buffer))
                return try firstBroken(of: rules, in: &cursor)
            }
        } catch {
            throw .invalidRequest(400, "The request body is refused: \(error.description).", code: "invalid_json")
        }
    }

    private static func refusal(_ broken: Rule) -> GatewayError {
        .invalidRequest(
            400,
            "The on-device model \(broken.reason): change or leave out '\(broken.name)', or name a model of another "
                + "upstream.",
            code: "unsupported_parameter", parameter: "\(broken.name)")
    }

    static let unsupportedOperation = GatewayError.invalidRequest(
        400,
        "The on-device model answers chats, completions and responses only: name a model of another upstream.",
        code: "unsupported_operation", parameter: "model")

    // MARK: Rules

    private struct Rule: Sendable {
        let name: StaticString
        let taken: Taken
        /// Completes the sentence "The on-device model ...".
        let reason: String

        init(_ name: StaticString, _ taken: Taken, _ reason: String = "") {
            self.name = name
            self.taken = taken
            self.reason = reason
        }
    }

    /// Accepted values of a member, besides `null`.
    private indirect enum Taken: Sendable {
        /// One of these literals.
        case only([String])
        /// Arrays of such values. The server validates anything else.
        case each(Taken)
        /// Objects whose members follow the rules. The server validates anything else.
        case object([Rule])
    }

    /// Returns the rule of the first member that breaks its rule.
    private static func firstBroken(of rules: [Rule], in cursor: inout JSONCursor) throws(JSONError) -> Rule? {
        var first: Rule?
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if let rule = rules.first(where: { cursor.equals(key, $0.name) }) {
                if try !isTaken(by: rule.taken, in: &cursor), first == nil { first = rule }
            } else {
                try cursor.skipValue()
            }
        }
        return first
    }

    private static func isTaken(by taken: Taken, in cursor: inout JSONCursor) throws(JSONError) -> Bool {
        switch (taken, try cursor.kind()) {
        case (.only(let literals), let kind):
            let value = cursor.bytes(in: try cursor.skipValue())
            return kind == .null || literals.contains { value.elementsEqual($0.utf8) }
        case (.each(let element), .array):
            var areTaken = true
            try cursor.beginArray()
            while try cursor.nextElement() {
                if try !isTaken(by: element, in: &cursor) { areTaken = false }
            }
            return areTaken
        case (.object(let rules), .object): return try firstBroken(of: rules, in: &cursor) == nil
        case (.each, _), (.object, _):
            try cursor.skipValue()
            return true
        }
    }

    // MARK: The table

    /// Rules by operation for any model. Members without a row are relayed.
    private static let table: [String: [Rule]] = [
        OperationTable.createChatCompletion.id: [
            Rule("functions", .only(["[]"]), noTools), Rule("function_call", .only(freeChoice), noTools),
            Rule("messages", parts([#""text""#]), textOnly), Rule("audio", .only([]), textOnly),
            Rule("modalities", .each(.only([#""text""#])), textOnly),
            Rule("web_search_options", .only([]), "cannot search the web"),
        ],
        OperationTable.createCompletion.id: [
            Rule("suffix", .only([#""""#]), "writes what follows a prompt, and nothing before a suffix"),
            Rule("echo", .only(["false"]), "does not repeat the prompt"),
            Rule("best_of", .only(["1"]), "does not choose among answers"),
            Rule("logprobs", .only([]), "gives probabilities in chats only"),
        ],
        OperationTable.createResponse.id: [
            Rule("input", parts([#""input_text""#, #""output_text""#]), textOnly),
            Rule("text", .object([Rule("format", type([#""text""#]))]), "keeps to a format in chats only"),
            Rule("top_logprobs", .only(["0"]), "gives probabilities in chats only"),
            Rule("store", .only(["false"]), keepsNothing), Rule("background", .only(["false"]), keepsNothing),
            Rule("previous_response_id", .only([]), keepsNothing), Rule("conversation", .only([]), keepsNothing),
            Rule("prompt", .only([]), keepsNothing),
        ],
    ]

    private static let withoutTools = [
        Rule("tools", .only(["[]"]), noTools), Rule("tool_choice", .only(freeChoice), noTools),
    ]
    private static let freeChoice = [#""none""#, #""auto""#]
    private static let noTools = "cannot call tools"
    private static let textOnly = "reads and writes text only"
    private static let keepsNothing = "keeps no responses"

    private static func parts(_ types: [String]) -> Taken { .each(.object([Rule("content", .each(type(types)))])) }

    private static func type(_ types: [String]) -> Taken { .object([Rule("type", .only(types))]) }
}
